"""Where CPython itself reads memory it should not, a snippet does not get it to."""

from __future__ import annotations

import pytest

from codeact import Session
from codeact.snippet import defects

defects.guard()

AS_EVER = {
    "'utf-8' codec can't decode byte 0xff in position 1: no": UnicodeDecodeError("utf-8", b"a\xff", 1, 2, "no"),
    "'utf-8' codec can't decode bytes in position 0-1: no": UnicodeDecodeError("utf-8", b"a\xff", 0, 2, "no"),
    "'utf-8' codec can't decode bytes in position 7-7: no": UnicodeDecodeError("utf-8", b"a\xff", 7, 8, "no"),
    "'é' codec can't encode character '\\xe9' in position 0: no": UnicodeEncodeError("é", "é", 0, 1, "no"),
    "'a' codec can't encode character '\\u2603' in position 0: no": UnicodeEncodeError("a", "\u2603", 0, 1, "no"),
    "'a' codec can't encode character '\\U0001f600' in position 0: no": UnicodeEncodeError(
        "a", "\U0001f600", 0, 1, "no"
    ),
    "'a' codec can't encode characters in position 0-1: no": UnicodeEncodeError("a", "éé", 0, 2, "no"),
    "can't translate character '\\ud800' in position 0: no": UnicodeTranslateError("\ud800", 0, 1, "no"),
    "can't translate characters in position 0-1: no": UnicodeTranslateError("éé", 0, 2, "no"),
    "": UnicodeDecodeError.__new__(UnicodeDecodeError),
}


@pytest.mark.parametrize(("text", "error"), AS_EVER.items(), ids=ascii)
def test_the_texts_are_those_of_cpython(text: str, error: UnicodeError) -> None:
    assert (str(error), f"{error}", "%s" % error) == (text, text, text)  # noqa: UP031  # each asks in its own way


def test_the_classes_take_no_attribute_as_ever() -> None:
    with pytest.raises(TypeError, match="immutable"):
        UnicodeDecodeError.more = 1  # type: ignore[attr-defined]  # which is to be refused


BEFORE = "[str(UnicodeDecodeError('utf-8', b'abc', -n, 1 - n, 'no')) for n in (*range(1, 200), 10**15)]"
LATER = """
class Evil(str):
    def __str__(self):
        error.start, error.object = -100, object()
        return 'utf-8'
error = UnicodeDecodeError(Evil(), b'abc', 1, 2, Evil())
[str(error)]
"""


@pytest.mark.parametrize("source", [BEFORE, LATER], ids=["made", "changed while it is told"])
@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_what_lies_before_the_bytes_is_not_told(source: str, isolation) -> None:
    with Session(isolation=isolation) as session:
        told = session.run(source).value
    assert not [text for text in told if "byte 0x" in text and "0x62" not in text]


@pytest.mark.parametrize("kind", ["Decode", "Encode", "Translate"])
def test_what_is_put_in_the_place_of_the_bytes_is_not_read(kind: str) -> None:
    source = (
        "import codecs\nmade = {'Decode': ('a', b'a', 0, 1, 'b'), 'Encode': ('a', 'a', 0, 1, 'b'), "
        f"'Translate': ('a', 0, 1, 'b')}}['{kind}']\nerror = Unicode{kind}Error(*made)\nerror.object = 10**9\nstr(error)"
    )
    with Session() as session:
        failure = session.run(source).failure
    assert (failure.type, failure.message.startswith("object attribute must be ")) == ("TypeError", True)


ZONE = """
import datetime, io, struct, zoneinfo
def part(changes, kind):
    head = b'TZif2' + bytes(15) + struct.pack('>6l', 0, 0, 0, len(changes), 1, 4)
    return head + struct.pack(f'>{len(changes)}q', *changes) + bytes([kind] * len(changes)) + struct.pack('>lbb', 3600, 0, 0) + b'ONE\\0'
def zone(kind):
    return zoneinfo.ZoneInfo.from_file(io.BytesIO(part([], 0) + part([0, 1000, 2000], kind) + b'\\nONE-1\\n'))
moment = datetime.datetime.fromtimestamp(1500, tz=datetime.timezone.utc)
"""


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_a_zone_is_read_from_a_file_unless_it_changes_to_a_kind_of_time_it_does_not_hold(isolation) -> None:
    with Session(isolation=isolation) as session:
        assert session.run(ZONE).ok
        assert session.run("moment.astimezone(zone(0)).utcoffset().seconds").value == 3600
        failure = session.run("moment.astimezone(zone(1)).utcoffset()").failure
    assert (failure.type, failure.message[:49]) == ("ValueError", "Invalid transition index found while reading TZif")


@pytest.mark.parametrize("value", ["b'a' * 200", "(1,) * 20", "None"])
def test_what_decimal_has_for_a_context_is_one(run, value: str) -> None:
    found = "import contextvars, decimal\nown = decimal.getcontext()\n[variable] = contextvars.copy_context()\n"
    failure = run(f"{found}variable.set({value})").failure
    assert (failure.type, failure.message[:38]) == ("TypeError", "the variable of decimal takes a contex")
    again = "variable.reset(variable.set(decimal.Context(prec=3)))\nother = contextvars.ContextVar('other')\n"
    assert run(f"{again}other.set({value})\n[decimal.getcontext() is own, other.get() == {value}]").value == [
        True,
        True,
    ]


GONE = """
import decimal
contexts = [decimal.Context() for _ in range(1_000)]
looking = [getattr(context, name) for context in contexts for name in ('traps', 'flags')]
del contexts
content = [bytes([number % 251]) * (size - 33) for size in range(40, 140, 8) for number in range(1_000)]
for each in looking:
    each[decimal.Clamped], each[decimal.Rounded] = not each[decimal.Clamped], not each[decimal.Rounded]
[part for part in content if part != part[:1] * len(part)]
"""


def test_what_looks_into_a_context_that_is_gone_changes_nothing_else(run) -> None:
    assert run(GONE).value == []


def test_contexts_are_not_kept_when_nobody_looks_into_them(run) -> None:
    source = "import weakref, decimal\nclass Own(decimal.Context): pass\nkept = []\nfor _ in range(1_000):\n"
    source += "    own = Own()\n    own.traps[decimal.Inexact] = True\n    kept.append(weakref.ref(own))\n"
    assert run(f"{source}del own\nlen([each for each in kept if each() is not None])").value < 200


ZONES = """
import datetime, operator, weakref
from zoneinfo import ZoneInfo
class Like:
    hour = minute = second = 1
    __class__ = datetime.datetime
    def toordinal(self): return 700_000
class Own(ZoneInfo):
    def told(self): return super().utcoffset(like)
zone, like, time = ZoneInfo('Europe/Berlin'), Like(), datetime.datetime(2020, 7, 1)
hours = datetime.timedelta(hours=2)
"""


ASKED = [
    *("zone.utcoffset(like)", "ZoneInfo.dst(zone, like)", "getattr(zone, 'tzname')(like)", "[*map(zone.dst, [like])]"),
    *("operator.methodcaller('dst', like)(zone)", "weakref.proxy(zone).utcoffset(like)", "Own('Europe/Berlin').told()"),
]


@pytest.mark.parametrize("asked", ASKED)
def test_a_zone_is_asked_about_times_alone(run, asked: str) -> None:
    assert run(ZONES + asked).failure.type == "TypeError"
    assert run("zone.utcoffset(time), zone.tzname(time), ZoneInfo.dst(zone, None), time.dst()").value[1:] == (
        "CEST",
        None,
        None,
    )
