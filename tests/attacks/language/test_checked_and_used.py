"""Objects that are one thing when they are looked at and another when they are used."""

from __future__ import annotations

import json

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace
from codeact.worker.output import Output

_TEXTS = (
    "import sys\nclass O:\n    __class__ = str\n    def __len__(self): return 1\n    def __add__(self, other): return self\n"
    "class S(str):\n    def __len__(self): return 1\n    def __add__(self, other): return O()\n"
    "    def join(self, texts): return O()\n"
)


@pytest.mark.parametrize("source", ["sys.stdout.write(O())", "print('x', sep=O())", "print('x', end=O())"])
def test_what_passes_for_a_text_is_not_printed(run, printed, source):
    assert run(_TEXTS + source).failure.type == "TypeError"
    assert printed == []


@pytest.mark.parametrize("source", ["print('a', 'b', sep=S(','))", "print('a,b', end=S('\\n'))", "print(S('a,b'))"])
def test_a_text_of_a_snippets_own_class_is_printed_as_the_text_it_is(run, printed, source):
    assert run(_TEXTS + source).failure is None
    assert (printed, [*map(type, printed)]) == (["a,b\n"], [str])


def test_a_text_that_lies_about_its_length_is_cut_like_any_other(tmp_path):
    sent: list[str] = []
    output = Output(sent.append)
    output.begin(limit_chars=10)
    namespace = Namespace(Policy(), folder=str(tmp_path), output=output.write)

    seen = namespace.run(_TEXTS + "sys.stdout.write(S('x' * 5_000))", operations=1_000, text_chars=10)
    output.end()

    assert (seen.failure, "".join(sent).partition("\n")[0]) == (None, "x" * 10)


def test_the_next_step_asks_no_object_how_deep_it_may_go(run, printed):
    limit = "import sys\nclass L(int):\n    def __int__(self):\n        print('asked')\n        return 1_000\n"
    assert run(limit + "sys.setrecursionlimit(L(1_000))").failure is None
    assert run("sys.getrecursionlimit()").value == 1_000
    assert printed == []


#: Each hands a formatter something that is no record, or a mapping that is told of a record's.
NO_RECORDS = {
    "a class": "logging.Formatter('%(__doc__)s').formatMessage(int)",
    "a class, to a mapping": "logging.Formatter('%(x)s', defaults=D(a=1)).formatMessage(int)",
    "a function, from below": "class F(logging.Formatter):\n    def usesTime(self): return False\n"
    "F('%(x)s', defaults=D(a=1)).formatMessage(json.dumps)",
    "a record, to a mapping": "logging.Formatter('%(x)s', defaults=D(a=1, x=2)).format("
    "logging.LogRecord('n', 1, 'p', 1, 'm', (), None))",
}


@pytest.mark.parametrize("source", NO_RECORDS.values(), ids=NO_RECORDS)
def test_a_formatter_hands_out_nobodys_dictionary(run, source):
    own = "import json, logging\nseen = []\nclass D(dict):\n    def __or__(self, other):\n        seen.append(other)\n        return {'x': 1}\n"
    run(own + source)
    assert run("seen").value == []


def test_a_formatter_takes_records_and_what_is_like_them(run):
    source = (
        "import logging\nclass R:\n    exc_info = exc_text = stack_info = None\n    def getMessage(self): return 'm'\n"
        "r = R()\nr.name = 'n'\nlogging.Formatter('%(name)s %(message)s %(x)s', defaults={'x': 1}).format(r)"
    )
    assert run(source).value == "n m 1"


_LOOKED_AT = """
class Own: pass
own, foreign = Own(), json.JSONEncoder
own.turned = own.freed = 0
"""


def test_what_a_class_body_finds_under_a_name_is_stored_on_as_it_was_looked_at(run):
    turning = """
class Names(dict):
    asked = 0
    def __getitem__(self, key):
        if key != "x":
            return dict.__getitem__(self, key)
        Names.asked += 1
        return own if Names.asked % 2 else foreign
class Meta:
    def __getattr__(self, name):
        if name != "__prepare__":
            raise AttributeError(name)
        return lambda *given, **named: Names()
    def __call__(self, *given, **named): pass
class A(metaclass=Meta()):
    x.turned = 1
"""
    run(f"import json{_LOOKED_AT}{turning}")
    assert not hasattr(json.JSONEncoder, "turned")


def _while_stored_on(variable: str) -> str:
    """What is called when an object is gone binds the variable anew, between any two steps of the interpreter."""
    gone = f"""
import weakref
class Gone: pass
def call(reference):
    {variable} x
    x = foreign
def leave():
    one = Gone()
    one.itself = one
    kept.append(weakref.ref(one, call))
kept, x = [], own
leave()
"""
    return gone + "x.freed = [x.freed]\n" * 3_000


def test_what_is_bound_anew_at_any_time_is_stored_on_as_it_was_looked_at(run):
    inside = _while_stored_on("nonlocal").replace("\n", "\n    ")
    for source in (_while_stored_on("global"), f"def work():{inside}pass\nwork()"):
        run(f"import json{_LOOKED_AT}{source}")
        assert not hasattr(json.JSONEncoder, "freed")
