"""A session that is saved, and built again."""

from __future__ import annotations

import dataclasses
import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from codeact import Limits, Session
from codeact.errors import Diverged, JournalError, SessionError, UsageError
from codeact.records import Failure, Observation
from codeact.session.log import outcome_of
from tests.session.parts import UNRECORDED

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
    with Session.resume(path, tools=(tool for tool in [tick])) as again:
        assert again.run(ALL).value == before
        assert again.run("open('in.txt').read()").value == "x"
        assert made(tick) == calls
        assert again.run("tick(0)").value == calls + 1


TWO = "one = tick(1)\ntwo = tick(2)\n(one, two)"


def cut_off(path: Path, tick: Tick) -> None:
    """A journal whose end was lost while the answer of a second call was being written."""
    with Session(tools=[tick], journal=path) as session:
        session.run("kept = 1")
        session.run(TWO)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2]) + lines[-2][:-9])


def test_a_step_that_was_cut_off_asks_only_for_the_answers_that_are_not_known(tmp_path: Path, tick: Tick) -> None:
    tick.effect = "read"  # type: ignore[attr-defined]  # functions take attributes
    cut_off(tmp_path / "live.jsonl", tick)
    with Session.resume(tmp_path / "live.jsonl", tools=[tick]) as again:
        assert again.run(TWO).value == (1, 3)
        assert again.run("kept").value == 1


def test_a_call_of_which_nobody_knows_whether_it_happened_is_not_made_again(tmp_path: Path, tick: Tick) -> None:
    cut_off(tmp_path / "live.jsonl", tick)
    with Session.resume(tmp_path / "live.jsonl", tools=[tick]) as again:
        failure = again.run(TWO).failure
        assert failure is not None
        assert "not known" in failure.message
        assert again.run("one").value == 1
    assert made(tick) == 2


def test_a_step_that_was_cut_off_outlives_other_steps_in_what_is_saved(tmp_path: Path, tick: Tick) -> None:
    cut_off(tmp_path / "live.jsonl", tick)
    with Session.resume(tmp_path / "live.jsonl", tools=[tick]) as again:
        again.run("between = kept")
        again.save(tmp_path / "later")
    with Session.resume(tmp_path / "later", tools=[tick]) as later:
        later.finish()
        assert later.run("between, one").value == (1, 1)
    assert made(tick) == 2


def test_a_step_that_was_cut_off_outlives_those_that_cannot_be_built_again(tmp_path: Path, tick: Tick) -> None:
    cut_off(tmp_path / "live.jsonl", tick)
    with Session.resume(tmp_path / "live.jsonl", tools=[tick]) as again:
        again.run(f"{UNRECORDED}between = tick(time.time_ns())")
        again._life._link.close()
        with pytest.raises(SessionError, match="what it was before step 2: "):
            again.run("between")
        again.save(tmp_path / "later")
    with Session.resume(tmp_path / "later", tools=[tick]) as later:
        later.finish()
        assert later.run("kept, one").value == (1, 1)
        assert "between" not in later.variables()
    assert made(tick) == 3


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


@dataclasses.dataclass
class Order:
    """What a tool takes and gives."""

    number: int


def test_what_tools_and_the_host_gave_is_of_its_type_in_a_saved_session(tmp_path: Path) -> None:
    def order(after: object) -> Order:
        """The next order."""
        return Order(2)

    noon = dt.datetime(2026, 3, 28, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    with Session(tools=[order]) as session:
        session.assign({"first": Order(1), "noon": noon})
        session.run("import datetime\nsecond = order(first)\nnext_noon = noon + datetime.timedelta(days=1)")
        before = session.variables()
        session.save(tmp_path / "orders.session")
    with Session.resume(tmp_path / "orders.session", tools=[order]) as again:
        assert again.variables() == before
        assert again.run("first.number + second.number").value == 3


def test_an_error_that_names_an_address_in_memory_is_the_same_at_another(tmp_path: Path) -> None:
    path = tmp_path / "orders.session"
    with Session() as session:
        session.run("class A: pass\nraise ValueError(A())")
        session.save(path)
    path.write_text(path.read_text().replace("0x…", "0x7f72b8b92190"))  # as it was written elsewhere
    with Session.resume(path) as again:
        assert again.run("1").ok


@pytest.mark.parametrize("before", ["", "x" * 980])
def test_what_a_step_came_to_does_not_depend_on_addresses(before: str) -> None:
    came_to = {
        outcome_of(Observation(False, failure=Failure("raised", "ValueError", f"{before} at {address} and on")))
        for address in ("0x7f72b8b92190", "0x55d0c0ffee")
    }
    assert len(came_to) == 1


@pytest.mark.parametrize("length", range(1, 14))
def test_nor_on_those_that_the_end_of_a_bounded_text_cuts(length: int) -> None:
    came_to = {
        outcome_of(Observation(True, text=f"'[<__main__.A object at {address[:length]}'… (15,600 characters)"))
        for address in ("0x7f72b8b92190", "0x7fc4c06e1a90")
    }
    assert len(came_to) == 1


SECRET = "hush-hush-9"


@pytest.mark.parametrize(
    "live",
    [
        lambda session: session.run(f"word = {SECRET!r}"),
        lambda session: session.run("word = tick('hush-hush-' + str(9))"),
        lambda session: session.assign({"word": SECRET}),
    ],
)
def test_a_session_that_was_saved_without_a_secret_it_holds_says_so(
    live: Callable[[Session], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", SECRET)
    with Session(tools={"tick": lambda step: step}) as session:
        live(session)
        session.save(tmp_path / "orders.session")
    assert SECRET not in (tmp_path / "orders.session").read_text()
    with pytest.raises(JournalError, match=r"orders\.session.*SHOP_API_KEY.* is not recorded"):
        Session.resume(tmp_path / "orders.session", tools={"tick": lambda step: step})


def test_a_secret_that_was_only_shown_or_is_gone_does_not_keep_a_session_from_being_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", SECRET)
    with Session() as session:
        session.run("word = 'hush-hush-' + str(3 * 3)\nword")
        session.run(f"other = {SECRET!r}")
        session.rewind()
        session.save(tmp_path / "orders.session")
    with Session.resume(tmp_path / "orders.session") as again:
        assert again.run("word").value == SECRET


def test_a_tool_that_is_missing_is_named(tmp_path: Path, tick: Tick) -> None:
    with Session(tools=[tick]) as session:
        session.save(tmp_path / "orders.session")
    with pytest.raises(UsageError, match="tick"):
        Session.resume(tmp_path / "orders.session")


def test_a_file_that_holds_no_session_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("hello\n")
    with pytest.raises(JournalError):
        Session.resume(tmp_path / "notes")


HOST = """
import sys
from codeact import Session

def note(n: int) -> int:
    "Leaves a mark that cannot be taken back."
    with open(sys.argv[2], "a") as marks:
        marks.write(f"{n}\\n")
    return n

session = Session(tools=[note], journal=sys.argv[1])
for step in range(1000):
    session.run(f"last = note({2 * step}) + note({2 * step + 1})")
    print(step, flush=True)
"""


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_a_killed_host_loses_no_step_and_does_nothing_twice(tmp_path: Path, steps: int) -> None:
    journal, marks = tmp_path / "live.jsonl", tmp_path / "marks"
    with subprocess.Popen([sys.executable, "-c", HOST, journal, marks], stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        for _ in range(steps + 1):
            done = int(host.stdout.readline())
        host.kill()

    def note(n: int) -> int:
        """Leaves a mark that cannot be taken back."""
        with marks.open("a") as file:
            file.write(f"{n}\n")
        return n

    with Session.resume(journal, tools=[note]) as again:
        last = again.run("last").value
        assert last >= 4 * done + 1
        step = (last - 1) // 4 + 1
        again.run(f"last = note({2 * step}) + note({2 * step + 1})")
    made = marks.read_text().split()
    assert len(made) == len(set(made))
