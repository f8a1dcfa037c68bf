"""Modules for doing things side by side: coroutines, and calls of tools; no threads and no processes."""

from __future__ import annotations

from typing import Any

from codeact.snippet.modules.pools import executors
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.modules.side_by_side import coroutines
from codeact.snippet.modules.threads import threads
from codeact.snippet.words import words

_NETWORK = "it reaches the network; ask for a tool that does what is needed"
_PROCESS = "it starts a process; ask for a tool that does what is needed"
_FOR_ALL = "it would change the threads of the whole process"

_NO_WAIT = "a wait that nothing could end is refused"

_ASYNCIO = """
ALL_COMPLETED Barrier BoundedSemaphore BrokenBarrierError CancelledError Condition Event FIRST_COMPLETED FIRST_EXCEPTION
Future InvalidStateError LifoQueue Lock PriorityQueue Queue QueueEmpty QueueFull QueueShutDown Semaphore Task TaskGroup
Timeout TimeoutError all_tasks create_task current_task ensure_future gather iscoroutine
iscoroutinefunction isfuture shield sleep timeout timeout_at wait wait_for
"""

_FUTURES = """
ALL_COMPLETED BrokenExecutor CancelledError Executor FIRST_COMPLETED FIRST_EXCEPTION InvalidStateError TimeoutError
"""


def _pool(room: Room) -> dict[str, Any]:
    """The executor, by where it is from."""
    return {"ThreadPoolExecutor": vars(room.facades.import_module("concurrent.futures"))["ThreadPoolExecutor"]}


ROWS = (
    Module(
        "asyncio",
        "coroutines inside one step",
        names=_ASYNCIO,
        withheld={
            **dict.fromkeys(
                ("open_connection", "start_server", "open_unix_connection", "start_unix_server", "StreamReader"),
                _NETWORK,
            ),
            **dict.fromkeys(("create_subprocess_exec", "create_subprocess_shell"), _PROCESS),
        },
        replaced={
            "run": "an exception that no task waits for is lost, not written to the standard error of the host",
            **dict.fromkeys(("to_thread", "run_coroutine_threadsafe"), "with threads that take turns"),
            **dict.fromkeys(("Future", "Task"), "belongs to the running loop"),
            "as_completed": "begins them in the order in which they are given",
            **dict.fromkeys(("current_task", "all_tasks"), "of the running loop, whichever is given"),
            "Runner": "of such loops",
            **dict.fromkeys(words("get_running_loop get_event_loop new_event_loop"), "no network, no processes"),
            "set_event_loop": "for this session alone",
        },
        build=coroutines,
    ),
    Module(
        "threading",
        "threads that take turns: one goes on where another waits, sleeps, or calls a tool",
        names="BrokenBarrierError TIMEOUT_MAX ThreadError",
        withheld={
            **dict.fromkeys(words("settrace setprofile stack_size excepthook"), _FOR_ALL),
        },
        replaced={
            "Thread": "works until it waits; a step ends when all but daemons are done, or wait for ever",
            "Timer": "the same",
            "local": "of the thread that runs",
            **dict.fromkeys(words("Lock RLock Condition Event Semaphore BoundedSemaphore Barrier"), _NO_WAIT),
            **dict.fromkeys(words("current_thread main_thread active_count enumerate get_ident"), "of these threads"),
        },
        build=threads,
    ),
    Module("concurrent", "the package of concurrent.futures", source=None, parts=("futures",)),
    Module(
        "concurrent.futures",
        "pools of threads that take turns; what calls tools does so side by side",
        names=_FUTURES,
        withheld={"ProcessPoolExecutor": "it starts processes; use ThreadPoolExecutor, or f.map(items) of a tool"},
        replaced={
            "ThreadPoolExecutor": "of 32 threads where a snippet names no number",
            **dict.fromkeys(("Future", "wait", "as_completed"), _NO_WAIT),
        },
        build=executors,
        parts=("thread",),
    ),
    Module("concurrent.futures.thread", "the same executor", source=None, build=_pool),
)
