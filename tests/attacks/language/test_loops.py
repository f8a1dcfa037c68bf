"""Event loops, tasks and futures: a snippet's are its own, and the host's stay out of its sight."""

from __future__ import annotations

import asyncio
import gc

import pytest

from tests.attacks.language.test_host import started

TASKS = {
    "a class of its own": "class T(asyncio.Task):\n    def get_loop(self): return None\nt = T(c(), loop=L())",
    "a loop of its own": "t = asyncio.Task(c(), loop=L())",
    "a future that is told when it is collected": "t = asyncio.Future(loop=L())\nt.set_exception(ValueError())",
}


@pytest.mark.parametrize("source", TASKS.values(), ids=TASKS)
def test_no_task_and_no_future_of_a_snippets_is_left_to_the_hosts_loop(source, capfd):
    own = (
        "import asyncio\nclass L:\n    def get_debug(self): return False\n    def call_soon(self, *a, **k): pass\n"
        "    def call_exception_handler(self, told): pass\nasync def c(): pass\n"
    )
    with started() as session:
        assert session.run(own + source).failure.type in ("TypeError", "RuntimeError")
        assert asyncio.run(asyncio.sleep(0, "done")) == "done"
    gc.collect()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("ask", ["current_task", "all_tasks"])
def test_no_object_of_a_snippets_passes_for_the_hosts_loop(run, ask):
    told = "import asyncio\nseen = []\nclass L:\n    def __hash__(self): return hashed\n"
    told += "    def __eq__(self, other):\n        seen.append(other)\n        return True\n"

    async def host() -> object:
        here = hash(asyncio.get_running_loop())
        run(f"hashed = {here}\n{told}try: asyncio.{ask}(L())\nexcept RuntimeError: pass")
        return run("seen").value

    assert asyncio.run(host()) == []


def test_the_tasks_of_a_loop_are_those_of_the_running_one():
    source = (
        "import asyncio\nloop = asyncio.get_running_loop()\ntask = asyncio.current_task(loop)\n"
        "[task is asyncio.current_task(), asyncio.all_tasks(loop) == asyncio.all_tasks() == {task}, await asyncio.sleep(0)]"
    )
    with started() as session:
        assert session.run(source).value == [True, True, None]


def test_tasks_and_futures_are_made_in_the_running_loop():
    source = (
        "import asyncio\nasync def c(): return 1\nt = asyncio.Task(c(), name='t')\n"
        "f = asyncio.Future(loop=asyncio.get_running_loop())\nf.set_result(2)\n"
        "[await t, await f, t.get_name(), type(t) is asyncio.Task, isinstance(t, asyncio.Future)]"
    )
    with started() as session:
        assert session.run(source).value == [1, 2, "t", True, True]
