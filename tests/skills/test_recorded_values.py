"""A skill's recorded use is tried as it will be read again; what cannot be is no skill, and no failure of the promotion."""

from __future__ import annotations

import collections
import enum
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import numpy
import pandas
import pytest

from codeact.skills import secrets
from codeact.skills.encoding import decode, encode, same
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Declined, Promoted
from codeact.skills.recording import variants
from tests.skills.playing import Played, play

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

Place = collections.namedtuple("Place", "x y")


class Colour(enum.IntEnum):
    """A number with a name."""

    RED = 1


def outcome(tmp_path: Path, code: str, value: object, *, task: str = "Tell the thing", imports: tuple[str, ...] = ()):
    run = play(Played("test", "test", task, (code,), {"thing": value}, imports=imports))
    library = SkillLibrary(tmp_path, isolation="inline")
    found = library.promote(run)
    assert [checked.reason for checked in library.verify()] == ([""] if isinstance(found, Promoted) else [])
    return found


@pytest.mark.parametrize(
    "value",
    [
        Place(1, 2),
        Colour.RED,
        collections.OrderedDict(a=1),
        collections.defaultdict(int, a=1),
        collections.Counter("aab"),
        collections.deque([1]),
        date.max,
        datetime.max,
        pandas.Timestamp.max,
        "two\u2028lines",
        "two\x85lines",
    ],
    ids=repr,
)
def test_an_input_of_any_kind_that_crosses_is_recorded_as_the_snippet_had_it(tmp_path: Path, value: object) -> None:
    found = outcome(tmp_path, "final_answer(str(thing) + ' or ' + repr(thing))", value)
    assert isinstance(found, Promoted), found


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("final_answer(str(thing))", pandas.Index([1, 2])),
        ("final_answer(str(thing))", numpy.array([1, "a"], dtype=object)),
        ("final_answer(len(thing))", "half \ud83d"),
        ("final_answer(len(thing))", {"half \ud83d": 1}),
    ],
    ids=["index", "objects", "text", "key"],
)
def test_an_input_that_cannot_be_written_down_is_no_reason_to_fail(tmp_path: Path, code: str, value: object) -> None:
    found = outcome(tmp_path, code, value, imports=("numpy", "pandas"))
    assert isinstance(found, Declined)


@pytest.mark.parametrize(
    "code",
    [
        "import pandas as pd\nfinal_answer(pd.to_datetime(thing, errors='coerce').values)",
        "import pandas as pd\nfinal_answer(pd.Series(pd.to_datetime(thing, errors='coerce')))",
        "import pandas as pd\nfinal_answer(pd.Series([*map(len, thing), None], dtype='Int64'))",
        "import pandas as pd\nfinal_answer(pd.Series([*thing, None], dtype='string'))",
    ],
)
def test_answers_with_times_and_with_missing_values_pass_again(tmp_path: Path, code: str) -> None:
    found = outcome(tmp_path, code, ["2020-01-01", "none"], imports=("numpy", "pandas"))
    assert isinstance(found, Promoted), found


@pytest.mark.parametrize(
    "value",
    [
        10**6000,
        Fraction(-(10**6000), 3),
        pandas.NaT,
        pandas.NA,
        numpy.array(["2020-01-01", "NaT"], dtype="datetime64[ns]"),
    ],
    ids=["int", "fraction", "NaT", "NA", "times"],
)
def test_numbers_times_and_missing_values_are_read_as_they_were_written(value: object) -> None:
    read = decode(encode(value))
    assert type(read) is type(value)
    assert same(read, value)


def test_a_task_with_control_characters_makes_a_sentence_without_them(tmp_path: Path) -> None:
    found = outcome(tmp_path, "final_answer(len(thing))", [1, 2], task="Count\x00 the\x07 things\u202e")
    assert isinstance(found, Promoted), found
    assert found.skill.description == "Count the things."


@pytest.mark.parametrize("last", [date.max, datetime.max])
def test_the_last_day_there_is_can_be_changed(last: date) -> None:
    assert last not in variants(last)


def test_a_secret_behind_another_end_of_a_line_is_found() -> None:
    assert secrets.find_in_recording('{"arguments": "\u2028AKIAIOSFODNN7EXAMPLE"}\n') is not None


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, True), (1, 1.0), ({1}, {1.0}), ({1}, {True}), ({1: "a"}, {True: "a"}), ([{0}], [{False}]), ((1,), [1])],
    ids=repr,
)
def test_values_of_other_types_are_not_the_same(left: object, right: object) -> None:
    assert not same(left, right)
    assert same(left, left)


def test_the_order_of_a_dict_does_not_count() -> None:
    assert same({"a": 1, "b": [{"c": 2.0, "d": float("nan")}]}, {"b": [{"d": float("nan"), "c": 2.0}], "a": 1})
