"""A session: Python in, an observation out, state kept between."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.errors import SessionClosed, UsageError
from codeact.records import Described, File, Variable
from codeact.session import Listener


@pytest.fixture(params=["caged", "inline"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Session(isolation=request.param, limits=Limits(wall_seconds=20)) as opened:
        yield opened


def test_the_last_expression_is_the_value(session: Session) -> None:
    seen = session.run("x = 20\nx * 2 + 2")
    assert (seen.ok, seen.value, seen.text, seen.failure) == (True, 42, "42", None)


def test_names_are_kept_between_steps(session: Session) -> None:
    session.run("def double(n):\n    return 2 * n\nrows = [1]")
    session.run("rows.append(double(4))")
    assert session.run("rows").value == [1, 8]


def test_an_exception_is_a_failure_and_keeps_what_was_assigned_before_it(session: Session) -> None:
    seen = session.run("kept = 1\n1 / 0\nnever = 2")
    assert seen.failure is not None
    assert (seen.failure.kind, seen.failure.type, seen.failure.line) == ("raised", "ZeroDivisionError", 2)
    assert session.run("kept").value == 1
    assert not seen.rolled_back


def test_rich_values_come_out_as_they_are(session: Session) -> None:
    seen = session.run(
        "import datetime, decimal\n(datetime.date(2024, 2, 29), decimal.Decimal('1.50'), {1, 2}, b'x', 2**80)"
    )
    assert seen.value == (dt.date(2024, 2, 29), Decimal("1.50"), {1, 2}, b"x", 1 << 80)


def test_what_cannot_come_out_is_described(session: Session) -> None:
    seen = session.run("def f(): pass\n[1, f]")
    assert seen.ok
    assert seen.value[0] == 1
    assert type(seen.value[1]) is Described


def test_printed_text_comes_out(session: Session) -> None:
    assert session.run("print('one', 2)\nprint('three', end='')").stdout == "one 2\nthree"


def test_more_output_than_allowed_is_cut_with_a_note_and_the_step_goes_on() -> None:
    with Session(limits=Limits(output_chars=1000)) as session:
        seen = session.run("for i in range(1000):\n    print('x' * 99)\n'done'")
    assert seen.value == "done"
    assert seen.stdout.startswith("x" * 99)
    assert seen.stdout.endswith("99,000 more characters were cut: a step may print 1,000")


def test_inputs_arrive_as_copies(session: Session) -> None:
    rows = [{"n": 1}]
    session.assign({"rows": rows})
    session.run("rows[0]['n'] = 2")
    assert rows == [{"n": 1}]
    assert session.run("rows").value == [{"n": 2}]


@pytest.mark.parametrize("variables", [{"f": open}, {"not a name": 1}, {"final_answer": 1}])
def test_what_cannot_be_bound_is_a_usage_error(session: Session, variables: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        session.assign(variables)


@pytest.mark.parametrize("settings", [{"policy": "numpy"}, {"limits": 5}, {"skills": ["x"]}, {"skills": [3]}])
def test_settings_of_another_type_are_refused_before_anything_starts(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"a (Policy|Limits|SkillSource) is needed"):
        Session(**settings)


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"memory_bytes": 0.7 * 2**30}, r"memory_bytes=751619276\.8\): a whole number of 0 or more is needed"),
        ({"operations": float("inf")}, r"operations=inf\): a whole number"),
        ({"memory_bytes": 2**63}, r"memory_bytes=a number of 64 bits\): .* 2\*\*62 at most, is needed"),
        ({"wall_seconds": 10**400}, r"wall_seconds=a number of 1329 bits\): a number of 0 or more"),
        ({"wall_seconds": float("nan")}, r"wall_seconds=nan\): a number"),
        ({"checkpoints": True}, r"checkpoints=True\): a whole number"),
        ({"atomic": 1}, r"atomic=1\): True or False"),
        ({"atomic": True, "checkpoints": 0}, "a state to go back to is needed"),
    ],
)
def test_limits_that_are_none_are_refused(limits: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Limits(**limits)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    with Session(limits=Limits(operations=1e6, memory_bytes=1e9)) as session:  # type: ignore[arg-type]  # as people do
        assert session.run("1 + 1").value == 2


@pytest.mark.parametrize("seed", ["a", 1.5, True, 2**63, 10**5000], ids=["text", "half", "true", "large", "huge"])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(UsageError, match="a whole number of at most 63 bits is needed"):
        Session(seed=seed)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"caf\udce9.csv": b""}, r"'caf\\udce9.csv': ….: this name is no text. Hand the file in under another one"),
        ({"a\0": b""}, "this name is no text"),
        ({"a": "/etc/host\0name"}, r"files=.…: '/etc/host.*name'.: a path is needed"),
        ({"a": "\ud800"}, r"'.ud800'.: a path is needed"),
        ({"a": b"", "a/b/c": b""}, "'a' is a file, nothing can lie below it"),
        (
            {f"{number:0200}/" * 3 + "a": b"" for number in range(240)},
            "a session cannot be started: the names of its files",
        ),
    ],
    ids=["surrogate", "nul", "nul in a path", "surrogate in a path", "below a file", "long"],
)
def test_files_that_cannot_be_handed_in_are_refused(files: dict[str, Any], told: str, session: Session) -> None:
    with pytest.raises(UsageError, match=told):
        Session(files=files)
    assert session.run("1 + 1").value == 2


def test_an_inline_session_says_that_it_cannot_go_back() -> None:
    with pytest.raises(UsageError, match="only a caged session can go back"):
        Session(isolation="inline", limits=Limits(atomic=True))


def test_a_snippet_has_the_depth_of_calls_of_a_program() -> None:
    deep = "def r(n):\n    seen[0] = n\n    return r(n + 1)\nseen = [0]\ntry:\n    r(0)\nexcept RecursionError:\n    pass\n"
    program = subprocess.run(
        [sys.executable, "-c", deep + "print(seen[0])"], capture_output=True, text=True, check=True
    )
    with Session() as session:
        assert session.run(deep + "seen[0]").value == int(program.stdout)


def test_variables_are_listed_with_type_and_text(session: Session) -> None:
    session.run("count = 3\nname = 'x'")
    assert session.variables() == {"count": Variable("int", "3"), "name": Variable("str", "'x'")}


def test_a_final_answer_ends_the_step_and_is_the_answer(session: Session) -> None:
    seen = session.run("final_answer({'total': 7})\nx = 1")
    assert (seen.ok, seen.answered, seen.answer) == (True, True, {"total": 7})
    assert "x" not in session.variables()


def test_files_handed_in_can_be_read_and_those_written_are_listed(session: Session, tmp_path: Path) -> None:
    source = tmp_path / "orders.csv"
    source.write_text("a,b\n")
    with Session(isolation=session.isolation, files={"data/orders.csv": source, "note": b"hello"}) as opened:
        seen = opened.run("open('out.txt', 'w').write(open('data/orders.csv').read() + open('note').read())")
        assert seen.failure is None
        assert seen.files == (File("out.txt", 9),)
        names = ("out.txt", Path("out.txt"), "/session/out.txt")  # the last is what the snippet calls it
        assert [opened.read_file(name) for name in names] == [b"a,b\nhello"] * 3


def test_a_file_whose_name_is_not_utf_8_is_listed_shown_and_read_by_that_name(session: Session) -> None:
    seen = session.run(r"with open(b'caf\xe9.txt', 'w') as file: file.write('au lait')")
    assert seen.files == (File("caf\udce9.txt", 7),)
    assert str(seen) == r"Files written: 'caf\udce9.txt' (7 bytes)"
    assert session.read_file(seen.files[0].name) == b"au lait"


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "missing.txt", ""])
def test_only_files_of_the_working_folder_can_be_read_out(session: Session, name: str) -> None:
    with pytest.raises(UsageError):
        session.read_file(name)


def test_asking_for_a_folder_as_a_file_costs_no_descriptor(session: Session) -> None:
    session.run("import os\nos.mkdir('folder')")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        with pytest.raises(UsageError, match="Is a directory"):
            session.read_file("folder")
    assert len(os.listdir("/proc/self/fd")) < before + 50  # sessions that are kept ready have some


@pytest.mark.parametrize("name", ["../up.txt", "/abs.txt", "a//b", ""])
def test_files_are_handed_in_below_the_working_folder_only(session: Session, name: str) -> None:
    with pytest.raises(UsageError):
        Session(isolation=session.isolation, files={name: b""})


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.csv"):
        Session(files={"orders.csv": tmp_path / "gone.csv"})


def test_a_picture_that_was_written_comes_out_with_its_bytes(session: Session) -> None:
    seen = session.run("open('chart.png', 'wb').write(b'\\x89PNG')")
    assert [(image.name, image.media_type, image.data) for image in seen.images] == [
        ("chart.png", "image/png", b"\x89PNG")
    ]


def test_a_listener_hears_output_while_the_step_runs() -> None:
    heard: list[str] = []
    with Session(listener=Listener(output=heard.append)) as session:
        seen = session.run("for i in range(3):\n    print('x' * 9000)")
    assert len(heard) >= 3
    assert "".join(heard) == seen.stdout


def test_a_closed_session_says_so(session: Session) -> None:
    session.close()
    session.close()
    with pytest.raises(SessionClosed):
        session.run("1")


def test_only_text_is_run(session: Session) -> None:
    with pytest.raises(UsageError, match="bytes"):
        session.run(b"1")  # type: ignore[arg-type]  # that is the test


def test_a_source_that_is_no_python_is_a_failure_of_kind_syntax(session: Session) -> None:
    seen = session.run("x = = 1")
    assert seen.failure is not None
    assert seen.failure.kind == "syntax"


def test_a_surrogate_in_the_source_or_the_value_does_not_break_the_session(session: Session) -> None:
    session.run("x = '\ud800'")
    seen = session.run("print('\\ud800')\n{'\\ud800': 1, '\\ud801': ['\\udfff']}")
    assert seen.value == {
        Described("str", r"'\ud800'"): 1,
        Described("str", r"'\ud801'"): [Described("str", r"'\udfff'")],
    }
    assert seen.stdout == "\ufffd\n"
    assert session.run("1").value == 1


def test_inline_says_loudly_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import codeact.session.link as module

    monkeypatch.setattr(module, "_warned", False)
    with pytest.warns(RuntimeWarning, match="run nothing you do not trust"):
        Session(isolation="inline").close()


def test_an_unknown_isolation_is_refused() -> None:
    with pytest.raises(UsageError, match="caged"):
        Session(isolation="none")  # type: ignore[arg-type]  # that is the test


def test_a_value_too_long_for_one_message_is_described_and_the_session_goes_on() -> None:
    with Session(limits=Limits(value_bytes=79 << 20)) as session:
        seen = session.run("['x' * 75_000_000, [1.5, None] * 1_000_000]")
        assert seen.ok
        assert type(seen.value) is Described
        assert session.run("1").value == 1


def test_a_value_as_large_as_any_may_be_crosses_and_a_larger_limit_is_refused() -> None:
    most = 79 << 20
    with Session(limits=Limits(value_bytes=most)) as session:
        session.assign({"text": "x" * most})
        assert session.run("open('text', 'w').write(text)").value == most
        assert len(session.read_file("text")) == most
    with pytest.raises(UsageError, match=r"Limits\(value_bytes=82837505\): 82837504 \(79 MiB\) at most is needed"):
        Limits(value_bytes=most + 1)


def test_a_value_too_large_to_be_handed_in_says_what_would_help() -> None:
    with Session(limits=Limits(value_bytes=1_000)) as session, pytest.raises(UsageError) as told:
        session.assign({"text": "x" * 2_000})
    assert "1,000 bytes are the most; hand it in as a file, with files=" in str(told.value)


def test_a_forgotten_session_ends_its_worker() -> None:
    session = Session()
    worker = session._life._link.worker
    del session
    assert worker.socket.fileno() == -1
