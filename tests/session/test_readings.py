"""What clocks said in a step, they say again where the step is lived again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Limits, Pause, Policy, Session
from codeact.errors import Diverged
from codeact.session.onestep import OneStep
from codeact.snippet.modules.readings import Readings
from codeact.testing import raw_session
from tests.session.parts import lost, resumed
from tests.session.test_endings import FIND, add

READY = """
import asyncio, time, datetime, pandas
from time import perf_counter as watch
class D(datetime.datetime): pass
"""
CLOCKS = {
    "the time": "time.time()",
    "in nanoseconds": "time.time_ns()",
    "a stopwatch": "[time.perf_counter(), time.perf_counter_ns(), time.monotonic()]",
    "processor time": "[time.process_time(), time.thread_time_ns()]",
    "a clock by its number": "[time.clock_gettime(time.CLOCK_REALTIME), time.clock_gettime_ns(time.CLOCK_MONOTONIC)]",
    "a name of its own": "watch()",
    "of an event loop": "asyncio.new_event_loop().time()",
    "a text": "[time.ctime(), time.asctime(), time.strftime('%H:%M:%S')]",
    "a tuple": "[tuple(time.localtime()), tuple(time.gmtime())]",
    "now": "str(datetime.datetime.now())",
    "in a zone": "str(datetime.datetime.now(datetime.timezone.utc))",
    "today": "[str(datetime.date.today()), str(datetime.datetime.today())]",
    "of a class of its own": "str(D.now())",
    "of pandas": "str(pandas.Timestamp.now())",
}


def tell(when: str) -> str:
    """Take a time."""
    return f"{when}!"


@pytest.mark.parametrize("again", [lost, resumed])
def test_all_clocks_say_the_same_again(again: Callable[[Session, Path], Session], tmp_path: Path) -> None:
    first = Session([tell], policy=Policy(["pandas"]))
    source = f"{READY}said = [{', '.join(CLOCKS.values())}]\nrepr(said)"
    said = first.run(source)
    assert said.ok, said
    with again(first, tmp_path / "saved") as session:
        assert session.run("repr(said)").value == said.value


TIMED = {
    "of a queue": "try: queue.Queue().get(timeout=0.001)\nexcept queue.Empty: pass",
    "of a full queue": "q = queue.Queue(1)\nq.put(1)\ntry: q.put(2, timeout=0.001)\nexcept queue.Full: pass",
    "of a semaphore": "threading.Semaphore(0).acquire(timeout=0.001)",
    "of a condition": "c = threading.Condition()\nwith c: c.wait_for(bool, 0.001)",
    "of a timer of a loop": "await asyncio.sleep(0.001)",
}


@pytest.mark.parametrize("source", TIMED.values(), ids=TIMED)
def test_how_long_a_wait_has_is_told_by_a_clock_that_is_recorded(source: str, tmp_path: Path) -> None:
    with Session(journal=tmp_path / "journal") as session:
        seen = session.run(f"import asyncio, queue, threading\n{source}")
        assert seen.ok, seen
    assert '"readings": [' in (tmp_path / "journal").read_text()


CUT_OFF = """
import asyncio, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(asyncio.Event().wait())
except Exception:
    told = loop.time()
told > 0
"""


def test_a_loop_whose_wait_is_refused_still_tells_the_time() -> None:
    with Session() as session:
        assert session.run(CUT_OFF).value is True


@pytest.mark.parametrize("again", [lost, resumed])
def test_a_call_that_says_the_time_is_not_made_again(again: Callable[[Session, Path], Session], tmp_path: Path) -> None:
    first = Session([tell])
    source = (
        "import time\nsaid = []\nfor _ in range(3):\n    time.time()\n    said.append(tell(str(time.time())))\nsaid"
    )
    said = first.run(source)
    assert said.ok, said
    with again(first, tmp_path / "saved") as session:
        assert session.run("said").value == said.value


def test_a_paused_call_that_says_the_time_is_answered(tmp_path: Path) -> None:
    def ask(when: str) -> str:
        """Ask a person."""
        raise Pause("asked")

    with Session([ask]) as first:
        paused = first.run("import time\nbegan = time.time()\nanswer = ask(str(began))\n(began, answer)").paused
        assert paused is not None
        first.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved", [ask]) as session:
        assert session.go_on("yes").value == (float(paused.arguments["when"]), "yes")
        session.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved", [ask]) as session:
        assert session.run("(began, answer)").value == (float(paused.arguments["when"]), "yes")


def test_a_step_that_asks_more_often_than_is_told_ends_the_same(tmp_path: Path) -> None:
    with Session(limits=Limits(operations=10**8)) as first:
        wait = "until = time.monotonic() + 0.01\nwhile time.monotonic() < until: pass\n"
        said = first.run(f"import time\nfirst = time.time()\nfor _ in range(10_000): time.monotonic()\n{wait}first")
        first.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved") as session:
        assert session.run("first").value == said.value


def test_readings_that_a_step_was_given_outlive_its_worker(tmp_path: Path) -> None:
    with Session() as session:
        OneStep(session, "import time\nfirst, later = time.time_ns(), time.time_ns() > 1", readings=[1]).run()
        assert lost(session, tmp_path).run("first, later").value == (1, True)


def test_what_a_copy_reads_is_its_own(tmp_path: Path) -> None:
    with Session() as session:
        session.run("import time\nfirst = time.time_ns()")
        with session.fork() as copy:
            second = copy.run("second = time.time_ns()\n(first, second)").value
            copy.save(tmp_path / "saved")
        assert session.run("'second' in dir()").value is False
    with Session.resume(tmp_path / "saved") as again:
        assert again.run("(first, second)").value == second


def test_an_undone_step_has_read_nothing_and_those_before_it_have_read_the_same(tmp_path: Path) -> None:
    with Session(limits=Limits(operations=10_000)) as session:
        session.run("import time\nfirst = time.time_ns()")
        assert session.run("while True: pass").rolled_back  # from here on a frozen state is gone back to
        session.run("second = time.time_ns()")
        said = session.variables()["second"].text  # no step shows it
        assert session.run("time.time_ns()\nwhile True: pass").rolled_back
        assert session.variables()["second"].text == said
        last = session.run("last = time.time_ns()\n(first, last)").value
        session.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved") as again:
        assert again.run("(first, last)").value == last


def test_a_recording_without_readings_is_read_as_before(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    with Session() as session:
        session.run("import time\ntime.time_ns()")
        session.save(saved)
    lines = [line for line in saved.read_text().splitlines(keepends=True) if '"kind": "clock"' not in line]
    saved.write_text("".join(lines))
    with pytest.raises(Diverged, match="step 1 does something else"):
        Session.resume(saved)


def test_a_clock_goes_on_from_what_it_said_on_a_machine_that_was_started_later() -> None:
    readings = Readings()
    readings.begin([1_000, 2_000], most=3)

    def here() -> int:
        return 50

    assert [readings.read(here) for _ in range(3)] == [1_000, 2_000, 2_000]
    assert readings.taken() == [2_000]
    readings.begin([], most=3)
    assert readings.read(here) == 2_000


def test_the_time_of_day_is_that_of_the_machine_once_nothing_is_known() -> None:
    readings, far = Readings(), time.time_ns() + 10**18
    readings.begin([far], most=2)
    assert readings.read(time.time_ns) == far
    assert readings.read(time.time_ns) < far


@pytest.mark.parametrize("most", [10_000, 10_001])
def test_readings_of_clocks_beyond_the_most_end_the_session(most: int) -> None:
    call = f"tell(say.Call((1 << 32) + 1, 'add', [1], {{}}, False, [0] * {most}))"
    with raw_session(tools=[add]) as session:
        seen = session.run(f"{FIND}{call}\nsock.recv(99)")
        assert seen.ok == (most == 10_000)


OF_ITS_OWN = """
import datetime
class Moment(datetime.datetime):
    made = 0
    def __new__(cls, *given, **named):
        cls.made += 1
        self = super().__new__(cls, *given, **named)
        self.note = "new"
        return self
class Day(datetime.date):
    def __new__(cls, *given):
        self = super().__new__(cls, *given)
        self.note = "new"
        return self
zone = datetime.timezone.utc
moments = [Moment.now(), Moment.utcnow(), Moment.today(), Moment.now(zone), Day.today()]
Moment.made = 0
Moment.utcnow()
([(type(one).__name__, one.note) for one in moments], Moment.made, str(moments[3])[-6:])
"""


@pytest.mark.parametrize("deterministic", [False, True])
def test_moments_of_a_class_of_its_own_are_made_by_that_class(deterministic: bool) -> None:
    with Session(deterministic=deterministic) as session:
        seen = session.run(OF_ITS_OWN)
    assert seen.ok, seen
    assert seen.value == ([("Moment", "new")] * 4 + [("Day", "new")], 1, "+00:00")
