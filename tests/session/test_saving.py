"""A session copied live, and one saved and built again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Limits, Session
from codeact.errors import Diverged, JournalError, UsageError

Tick = Callable[[int], int]


@pytest.fixture
def tick() -> Tick:
    """A tool whose every call counts."""
    made: list[int] = []

    def tick(step: int) -> int:
        """Counts up."""
        made.append(step)
        return len(made)

    tick.made = made  # type: ignore[attr-defined]  # functions take attributes
    return tick


def made(tick: Tick) -> int:
    """How often it was really called."""
    return len(tick.made)  # type: ignore[attr-defined]  # functions take attributes


def test_a_copy_goes_its_own_way() -> None:
    with Session() as session:
        session.run("rows = [1]\nopen('note', 'w').write('both')")
        with session.fork() as copy:
            copy.run("rows.append(2)\nopen('note', 'w').write('copy')")
            assert copy.run("rows, open('note').read()").value == ([1, 2], "copy")
        assert session.run("rows, open('note').read()").value == ([1], "both")


def test_an_inline_session_cannot_be_copied() -> None:
    with Session(isolation="inline") as session, pytest.raises(UsageError, match="caged"):
        session.fork()


def lived(session: Session) -> None:
    """A short life with calls, an error, chance, a binding, and a step that was undone."""
    session.run("import random\nluck = random.random()\nfirst = [tick(n) for n in range(2)]")
    session.run("both = tick.map([5, 6])\n1 / 0")
    session.assign({"book": {"when": (1, 2)}})
    session.run("undone = tick(9)\nwhile True: pass")


ALL = "(luck, first, both, book)"


def test_a_saved_session_is_built_again_without_calling_a_tool_twice(tmp_path: Path, tick: Tick) -> None:
    path = tmp_path / "orders.session"
    with Session(tools=[tick], limits=Limits(operations=100_000), files={"in.txt": b"x"}) as session:
        lived(session)
        before = session.run(ALL).value
        session.save(path)
    calls = made(tick)
    with Session.resume(path, tools=[tick]) as again:
        assert again.run(ALL).value == before
        assert again.run("open('in.txt').read()").value == "x"
        assert made(tick) == calls
        assert again.run("tick(0)").value == calls + 1


def test_a_session_that_was_cut_off_goes_on_from_its_journal(tmp_path: Path, tick: Tick) -> None:
    path = tmp_path / "live.jsonl"
    step = "one = tick(1)\ntwo = tick(2)\n(one, two)"
    with Session(tools=[tick], journal=path) as session:
        session.run("kept = 1")
        session.run(step)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2]) + lines[-2][:-9])  # died while the second call's answer was being written
    with Session.resume(path, tools=[tick]) as again:
        assert again.run(step).value == (1, 3)  # the first answer is known, the second has to be asked for
        assert again.run("kept").value == 1


def test_a_step_that_comes_to_something_else_is_named(tmp_path: Path, tick: Tick) -> None:
    path = tmp_path / "orders.session"
    with Session(tools=[tick]) as session:
        session.run("a = 1")
        session.run("a + 1")
        session.save(path)
    path.write_text(path.read_text().replace('"a = 1"', '"a = 5"'))
    with pytest.raises(Diverged, match="step 2"):
        Session.resume(path, tools=[tick])


def test_another_call_than_the_recorded_one_is_named_and_not_made(tmp_path: Path, tick: Tick) -> None:
    path = tmp_path / "orders.session"
    with Session(tools=[tick]) as session:
        session.run("tick(7)")
        session.save(path)
    path.write_text(path.read_text().replace('"arguments": {"step": 7}', '"arguments": {"step": 8}'))
    with pytest.raises(Diverged, match=r"tick\(step=7\) where it called tick\(step=8\)"):
        Session.resume(path, tools=[tick])
    assert made(tick) == 1


def test_steps_that_were_taken_back_are_not_lived_again(tmp_path: Path) -> None:
    path = tmp_path / "orders.session"
    with Session() as session:
        session.run("a = 1")
        session.run("a = 2")
        session.rewind()
        session.save(path)
    with Session.resume(path) as again:
        assert again.run("a").value == 1


def test_a_tool_that_is_missing_is_named(tmp_path: Path, tick: Tick) -> None:
    with Session(tools=[tick]) as session:
        session.save(tmp_path / "orders.session")
    with pytest.raises(UsageError, match="tick"):
        Session.resume(tmp_path / "orders.session")


def test_a_file_that_holds_no_session_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("hello\n")
    with pytest.raises(JournalError):
        Session.resume(tmp_path / "notes")


def test_saving_where_nothing_can_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with Session() as session, pytest.raises(JournalError):
        session.save(tmp_path / "file" / "orders.session")
