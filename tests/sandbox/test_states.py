"""Frozen states: who takes over when, and what it remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.errors import UsageError
from codeact.limits import Limits, Policy
from codeact.sandbox import launch, zygotes
from codeact.wire import messages, orders
from codeact.wire.frames import host_channel
from codeact.worker.family import group_of
from tests.attacks.cage.conftest import PRELUDE, STEAL
from tests.sandbox.conftest import RUNS, SECONDS, STEP, until

pytestmark = pytest.mark.slow


def test_a_killed_step_is_rolled_back_with_all_variables_intact(speak):
    session = speak()
    session.run("x = [1, 2]")
    session.run_on("x.append(3)\nwhile True: pass")

    assert session.worker.kill_step()
    assert type(session.answer()).__name__ == "RolledBack"
    assert session.run("x") == [1, 2]


def test_what_a_killed_step_has_started_does_not_keep_its_backup_waiting(speak):
    session = speak()
    session.run("x = 7")
    session.begin(PRELUDE + STEAL.format(child="time.sleep(60)") + f"os.write(3, {RUNS!r})\ntime.sleep(60)")
    session.channel.receive(SECONDS)

    assert session.worker.kill_step()
    assert type(session.answer()).__name__ == "RolledBack"
    assert session.run("x") == 7


@pytest.mark.parametrize(
    "death",
    ["import ctypes; ctypes.string_at(0)", "import os; os._exit(3)", "import os; os.abort()", "import os; os.close(3)"],
)
def test_a_step_that_dies_of_itself_is_rolled_back(speak, death):
    session = speak()
    session.run("x = 7")

    assert session.run(death) == "RolledBack"
    assert session.run("x") == 7


def test_a_working_folder_that_a_killed_step_has_closed_is_open_again(speak):
    session = speak()
    session.run("open('kept', 'w').write('1')")
    assert session.run("import os\nos.chmod('.', 0)\nos._exit(1)") == "RolledBack"

    assert session.run("open('kept').read() + open('new', 'w').name") == "1new"


def test_a_killed_step_that_would_not_wait_for_messages_leaves_nothing_of_that_to_its_backup(speak):
    session = speak()
    session.run("x = 7")
    assert session.run("import os\nos.set_blocking(3, False)\nos._exit(1)") == "RolledBack"

    assert [session.run("x") for _ in range(20)] == [7] * 20


NAMES_ITS_BACKUP_IN_ITS_PLACE = """
import gc, os
page = next(it for it in gc.get_objects() if type(it).__name__ == '_Server').checkpoints._page
page.write([*page.read()[:0:-1], os.getpid()])
while True: pass
"""


@pytest.mark.parametrize("checkpoints", [1, 2])
def test_a_step_that_says_its_backup_runs_it_is_killed_and_not_its_backup(speak, checkpoints):
    session = speak(checkpoints=checkpoints)
    session.run("x = 7")
    for _ in range(2):  # the second is run by one that was a backup
        session.run_on(NAMES_ITS_BACKUP_IN_ITS_PLACE)
        assert session.worker.kill_step()
        assert type(session.answer()).__name__ == "RolledBack"
        session.worker.note_takeover()
        assert session.run("x") == 7


def test_a_kill_that_comes_after_a_step_has_died_of_itself_leaves_its_backup_alone(speak):
    session = speak()
    session.run("x = 7")
    assert session.run("import os; os._exit(1)") == "RolledBack"

    assert session.worker.kill_step()
    assert session.run("x") == 7


def test_two_hundred_deaths_in_a_row_lose_nothing(speak):
    session = speak()
    session.run("x = 7")

    assert {session.run("import os; os._exit(1)") for _ in range(200)} == {"RolledBack"}
    assert session.run("x") == 7


def test_rewinding_goes_back_step_by_step_as_far_as_states_are_kept(speak):
    session = speak(checkpoints=3)
    for number in range(6):
        session.run(f"x = {number}")

    assert session.rewind(2).problem == ""
    assert session.run("x") == 3
    assert "2 is the most" in session.rewind(4).problem
    assert session.run("x") == 3


def test_after_rewinding_a_step_is_protected_again(speak):
    session = speak(checkpoints=2)
    for number in range(4):
        session.run(f"x = {number}")
    session.rewind(1)

    assert session.run("import os; os._exit(1)") == "RolledBack"
    assert session.run("x") == 2


def test_a_session_freezes_its_state_from_the_second_step_on_unless_files_were_handed_in(speak, zygote_pid, below):
    session = speak(fresh=True)
    counted = [len(below(zygote_pid()))]
    for _ in range(3):
        session.run("None")
        counted.append(len(below(zygote_pid())))

    assert [now - counted[0] for now in counted] == [0, 0, 1, 1]
    with launch.start(policy=Policy(), limits=Limits(), files={"a.txt": b"x"}) as worker:
        counted = len(below(zygote_pid()))
        worker.before_step()
        channel = host_channel(worker.socket)
        channel.send(messages.Define([], []))
        channel.send(messages.Step("None", STEP, backup=True))
        channel.receive(SECONDS)
        assert len(below(zygote_pid())) == counted + 1


def test_an_order_that_has_no_answer_leaves_the_next_one_its_own(speak):
    zygote = zygotes.for_policy(Policy(), frozenset())
    zygote.tell(orders.MakeRoom(1 << 20))

    assert speak().run("1") == 1


def test_nothing_is_kept_before_the_first_step(speak):
    assert "0 is the most" in speak(checkpoints=2).rewind(1).problem


def test_a_rolled_back_step_draws_the_random_numbers_it_would_have_drawn(speak):
    session = speak()
    session.run("import random; random.seed(4)")
    session.run("import os; os._exit(1)")
    drawn = session.run("random.random()")
    other = speak()
    other.run("import random; random.seed(4)")

    assert drawn == other.run("random.random()")


def test_a_copy_has_the_state_and_a_folder_of_its_own(speak):
    session = speak()
    session.run("x = 1; open('a.txt', 'w').write('both')")
    copy = session.fork()
    copy.run("x = 2; open('b.txt', 'w').write('copy')")
    session.run("open('c.txt', 'w').write('original')")

    assert copy.run("import os; [x, sorted(os.listdir('.')), open('a.txt').read()]") == [2, ["a.txt", "b.txt"], "both"]
    assert session.run("import os; [x, sorted(os.listdir('.'))]") == [1, ["a.txt", "c.txt"]]


def test_a_copy_has_the_devices_its_original_has(speak):
    use = "open('/dev/null', 'w').write('x') + len(open('/dev/urandom', 'rb').read(4))"
    session = speak()

    assert session.run(use) == 5
    assert session.fork().run(use) == 5


def test_a_copy_and_its_original_reach_no_file_of_each_other(speak):
    session = speak()
    session.run("import os; open('a.txt', 'w').write('x')")
    copy = session.fork()
    tried = "try:\n    said = open({path!r}, 'a')\nexcept OSError as error:\n    said = type(error).__name__\nsaid"

    assert copy.run(tried.format(path=f"{session.worker.folder}/a.txt")) == "PermissionError"
    assert session.run("try:\n    said = os.listdir('/forks')\nexcept OSError:\n    said = None\nsaid") is None


def test_a_copy_and_its_original_are_protected_each_for_itself(speak):
    session = speak()
    session.run("x = 1")
    copy = session.fork()
    copy.run("x = 2")
    copy.run_on("while True: pass")

    assert copy.worker.kill_step()
    assert type(copy.answer()).__name__ == "RolledBack"
    assert session.run("import os; os._exit(1)") == "RolledBack"
    assert [copy.run("x"), session.run("x")] == [2, 1]


def test_neither_a_copy_nor_its_original_finds_a_place_to_fork_into(speak):
    session = speak()
    copy = session.fork()
    copy.run("1"), session.run("1")
    tried = "import os\ntry:\n    found = os.fork()\nexcept OSError:\n    found = None\nfound"

    assert [copy.run(tried), session.run(tried)] == [None, None]


def test_a_copy_outlives_its_original(speak):
    session = speak()
    session.run("x = 1")
    copy = session.fork()
    session.worker.close()

    assert copy.run("x") == 1
    assert copy.run("import os; os._exit(1)") == "RolledBack"
    assert copy.run("x") == 1


@pytest.mark.parametrize(("seed", "same"), [(None, True), (5, False)])
def test_a_copy_goes_on_with_the_same_numbers_or_with_those_of_a_seed(speak, seed, same):
    session = speak()
    session.run("import random; random.seed(4)")
    copy = session.fork(seed)

    assert (copy.run("random.random()") == session.run("random.random()")) is same


def test_no_process_of_a_session_is_about_to_vanish_when_a_step_has_answered(speak, zygote_pid, below):
    others = set(all_below(zygote_pid()))
    session = speak()
    (running, *_) = (pid for pid in below(zygote_pid()) if pid not in others)
    for number in range(30):
        session.run(f"x = {number}")
        own = {pid for pid in all_below(zygote_pid()) if group_of(pid) == running}
        assert own <= set(below(zygote_pid())), "one was dead and not buried"


def test_copies_that_are_closed_leave_no_dead_process_behind_their_idle_original(speak, zygote_pid, below):
    session = speak()
    session.run("x = 1")
    alone = below(zygote_pid())
    for _ in range(3):
        session.fork().worker.close()
    until(lambda: all_below(zygote_pid()) == alone)  # none stays dead and not buried
    assert session.run("x") == 1


def test_a_state_that_takes_over_knows_of_the_copies_made_after_it_was_frozen(speak, zygote_pid, below):
    session = speak()
    session.run("x = 1")
    session.fork()
    assert session.run("import os; os._exit(1)") == "RolledBack"
    session.run("x")

    assert session.run("x") == 1
    # The dead process keeps its place.
    until(lambda: len(all_below(zygote_pid())) == len(below(zygote_pid())) + 1)


def all_below(pid: int) -> list[int]:
    """Every process below this one, the dead that are not buried included."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:  # it was buried meanwhile
        return []
    return [each for child in children for each in (child, *all_below(child))]


def test_more_states_than_a_machine_should_hold_are_refused():
    with pytest.raises(UsageError, match="each is a process"):
        launch.start(policy=Policy(), limits=Limits(checkpoints=100_000))
