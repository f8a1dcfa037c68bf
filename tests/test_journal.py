"""The record of a run: what is written can be read, and nothing secret is written."""

import base64
import datetime
import errno
import json
import math
import os
import sys
import threading
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.errors import JournalError
from codeact.journal import Journal, read
from codeact.journal.values import as_read, decode, encode
from codeact.records import Described
from tests.full_disk import room_for

DESCRIBED = st.builds(Described, st.text(), st.text())
HASHABLE = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.dates() | st.uuids() | DESCRIBED
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.times()
    | st.decimals(allow_nan=False) | st.fractions() | st.dates() | st.ip_addresses() | st.datetimes() | st.complex_numbers(allow_nan=False)
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.frozensets(HASHABLE) | st.dictionaries(HASHABLE, inner)
    ),
    max_leaves=10,
)


@given(VALUES)
@settings(deadline=None)
def test_what_is_encoded_is_decoded_to_the_same_value(value):
    assert as_read(value) == value


@pytest.mark.parametrize("value", [10**6000, -(10**6000), Fraction(10**6000, 7)], ids=["int", "negative", "fraction"])
def test_a_number_longer_than_python_writes_is_kept(tmp_path, value):
    with Journal.create(tmp_path / "run.jsonl", inputs={"big": value}):
        pass
    assert read(tmp_path / "run.jsonl").header["inputs"] == {"big": value}


def test_a_text_with_lone_surrogates_is_kept(tmp_path):
    value = {"\ud800": ["a\udfff"]}
    assert as_read(value) == value


def test_a_journal_gives_back_its_header_and_its_entries(tmp_path):
    with Journal.create(tmp_path / "run.jsonl", task="count", replies="written by hand") as journal:
        journal.append(
            "reply", text="two", when=datetime.date(2026, 1, 2), share=Decimal("0.1"), parts={Fraction(1, 3)}
        )
    recording = read(tmp_path / "run.jsonl")
    assert (recording.header["task"], recording.header["replies"]) == ("count", "written by hand")
    assert not recording.torn
    assert recording.entries[0].fields == {
        "text": "two", "when": datetime.date(2026, 1, 2), "share": Decimal("0.1"), "parts": {Fraction(1, 3)},
    }  # fmt: skip


def test_a_line_is_in_the_file_before_append_returns(tmp_path):
    journal = Journal.create(tmp_path / "run.jsonl")
    journal.append("step", index=1)
    assert [entry.kind for entry in read(tmp_path / "run.jsonl").entries] == ["step"]
    journal.close()


def test_a_torn_last_line_is_left_out_and_said_so(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path) as journal:
        journal.append("step", index=1)
    path.write_bytes(path.read_bytes() + '{"kind": "step", "index": "ü'.encode()[:-1])
    recording = read(path)
    assert (len(recording.entries), recording.torn) == (1, True)


def test_a_journal_goes_on_after_its_torn_line_was_cut_off(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path) as journal:
        journal.append("step", index=1)
    path.write_bytes(path.read_bytes() + b'{"kind": "st')
    with Journal.reopen(path) as journal:
        journal.append("step", index=2)
    assert [entry["index"] for entry in read(path).entries] == [1, 2]


def test_a_journal_goes_on_after_a_last_line_that_lacks_nothing_but_its_end(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path) as journal:
        journal.append("step", index=1)
    path.write_bytes(path.read_bytes()[:-1])
    with Journal.reopen(path) as journal:
        journal.append("step", index=2)
    assert [entry["index"] for entry in read(path).entries] == [1, 2]


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    (tmp_path / "run.jsonl").write_text("mine")
    with pytest.raises(JournalError, match="is there already"):
        Journal.create(tmp_path / "run.jsonl")


@pytest.mark.parametrize("content", ["", "hello\n", "[1]\n", '{"kind": "step"}\n', "\x00\xff\n"])
def test_a_file_that_is_no_recording_is_named(tmp_path, content):
    (tmp_path / "notes.txt").write_text(content)
    with pytest.raises(JournalError, match=r"notes\.txt is not a recording of codeact: its first line is no header"):
        read(tmp_path / "notes.txt")


def test_what_has_no_end_is_no_recording_and_is_not_read_to_the_end():
    with pytest.raises(JournalError, match="/dev/zero is not a recording of codeact"):
        read("/dev/zero")


def test_a_recording_is_read_from_a_pipe(tmp_path):
    os.mkfifo(pipe := tmp_path / "run.jsonl")
    line = '{"kind": "header", "format": "codeact-journal", "version": 1}\n'
    writer = threading.Thread(target=pipe.write_text, args=(line,))
    writer.start()
    assert read(pipe).header["version"] == 1
    writer.join()


def test_a_recording_of_another_version_says_which_one_and_what_to_do(tmp_path):
    (tmp_path / "run.jsonl").write_text('{"kind": "header", "format": "codeact-journal", "version": 99}\n')
    with pytest.raises(JournalError, match=r"version 99.*reads version 1.*record it again"):
        read(tmp_path / "run.jsonl")


def test_a_broken_line_in_the_middle_is_named(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path) as journal:
        journal.append("step", index=1)
    path.write_bytes(path.read_bytes() + b'oops\n{"kind": "step"}\n')
    with pytest.raises(JournalError, match="line 3"):
        read(path)


CROWD = [(2**61 - 1) * number for number in range(1, 20_000)]
LEVELS = 600 if sys.version_info < (3, 12) else 5_000  # JSON is read, and the value in it is not: by frames of Python
DEEP = b"\x91" * 3_000 + b"\xc0"


@pytest.mark.parametrize(
    "value",
    [
        "[" * 100_000 + "]" * 100_000, "[" * LEVELS + "]" * LEVELS, '{"$fraction": "1e99999"}', '{"$fraction": 5}',
        json.dumps({"$set": CROWD}), json.dumps({"$frozenset": CROWD}), json.dumps({"$dict": [[key, 1] for key in CROWD]}),
        json.dumps({"$packed": base64.b64encode(DEEP).decode()}), '{"$packed": "wQ=="}', '{"$packed": "gQDC"}',
        '{"$written": ["Nobody", "x"]}', '{"$nothing": 1}', '1, "not_recorded": 5', '1, "after_seconds": 1' + "0" * 400,
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_a_line_with_a_value_that_cannot_be_read_is_named(value, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(
        f'{{"kind": "header", "format": "codeact-journal", "version": 1}}\n{{"kind": "x", "value": {value}}}\n'
    )
    with pytest.raises(JournalError, match=r"run.jsonl, line 2: .*; the recording was changed or is damaged"):
        read(path)


def test_arrays_and_tables_are_recorded_as_they_cross_the_wall(tmp_path):
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": [1, 2], "b": ["x", None]})
    with Journal.create(tmp_path / "run.jsonl") as journal:
        journal.append("call", result={"table": table, "array": numpy.arange(3)})
    result = read(tmp_path / "run.jsonl").entries[0]["result"]
    assert result["table"].equals(table)
    assert result["array"].tolist() == [0, 1, 2]


def test_a_value_of_a_foreign_type_becomes_a_bounded_description(tmp_path):
    class Wide:
        def __repr__(self):
            return "w" * 100_000

    with Journal.create(tmp_path / "run.jsonl") as journal:
        journal.append("answer", value=Wide())
    assert read(tmp_path / "run.jsonl").entries[0]["value"].endswith("… (100,000 characters)")


def test_dataclasses_are_recorded_as_they_cross_the_wall_and_odd_floats_survive(tmp_path):
    @dataclass
    class Point:
        x: float
        y: float

    with Journal.create(tmp_path / "run.jsonl") as journal:
        journal.append("answer", value=[Point(math.inf, -0.0)])
    read_again = read(tmp_path / "run.jsonl").entries[0]["value"]
    assert repr(read_again) == "[Point(x=inf, y=-0.0)]"


TIMES = {
    "in a zone": datetime.datetime(2026, 3, 28, 12, tzinfo=ZoneInfo("Europe/Berlin")),
    "the second of two alike": datetime.datetime(2026, 10, 25, 2, 30, fold=1),
    "of the day, in a zone": datetime.time(12, tzinfo=ZoneInfo("Europe/Berlin")),
    "long and exact": datetime.timedelta(days=400_000, microseconds=1),
    "the longest": datetime.timedelta.max,
    "the shortest": datetime.timedelta.min,
}


@pytest.mark.parametrize("time", TIMES.values(), ids=TIMES)
def test_times_are_recorded_whole(time):
    again = as_read([time])[0]
    assert (again, repr(again)) == (time, repr(time))


def test_an_array_without_dimensions_is_recorded_as_one(tmp_path):
    numpy = pytest.importorskip("numpy")
    for value in (numpy.array(5), numpy.array("2020-01-01", dtype="M8[D]")):
        again = as_read(value)
        assert (again.shape, again.dtype, again) == ((), value.dtype, value)


def test_plain_values_can_be_read_in_the_file():
    value = {
        "when": datetime.datetime(2026, 3, 28, tzinfo=datetime.UTC),
        "took": datetime.timedelta(seconds=2),
        "n": [1],
    }
    told = {"when": {"$datetime": "2026-03-28T00:00:00+00:00"}, "took": {"$microseconds": "2000000"}, "n": [1]}
    assert encode(value) == told
    assert decode({"$microseconds": "2000000.0"}) == datetime.timedelta(seconds=2)  # as earlier versions wrote it


def test_a_line_there_was_no_room_for_is_written_before_the_next(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path, task="t") as journal:
        with room_for(path.stat().st_size + 50):
            with pytest.raises(JournalError, match=r"cannot be written to .*make room there"):
                journal.append("noted", text="x" * 1000)
            assert not read(path).torn
            with pytest.raises(JournalError):
                journal.append("dropped")
            with pytest.raises(JournalError):
                journal.settle()
        journal.append("ready")

    assert [(entry.kind, dict(entry.fields)) for entry in read(path).entries] == [
        ("noted", {"text": "x" * 1000}),
        ("ready", {}),
    ]


def test_what_a_disk_that_is_gone_took_of_a_line_is_cut_off_before_the_next(tmp_path, monkeypatch):
    def gone(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    path = tmp_path / "run.jsonl"
    with Journal.create(path, task="t") as journal:
        with room_for(path.stat().st_size + 50), monkeypatch.context() as disk:
            disk.setattr(os, "ftruncate", gone)
            with pytest.raises(JournalError, match="cannot be written to"):
                journal.append("noted", text="x" * 1000)
            with pytest.raises(JournalError, match="cannot be written to"):
                journal.settle()
        journal.append("ready")

    assert [entry.kind for entry in read(path).entries] == ["noted", "ready"]


def test_what_is_owed_is_written_when_the_journal_is_closed(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path, task="t") as journal, room_for(path.stat().st_size), pytest.raises(JournalError):
        journal.append("noted")

    assert [entry.kind for entry in read(path).entries] == ["noted"]


def test_a_journal_that_cannot_be_begun_leaves_no_file(tmp_path):
    with room_for(10), pytest.raises(JournalError, match="cannot be written to"):
        Journal.create(tmp_path / "run.jsonl", task="t")

    assert list(tmp_path.iterdir()) == []
