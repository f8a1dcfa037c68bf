"""Modules for doing things side by side: coroutines, and calls of tools; no threads and no processes."""

from __future__ import annotations

from typing import Any

from codeact.snippet.modules.row import Module, Room
from codeact.snippet.modules.side_by_side import coroutines, executors
from codeact.snippet.modules.threads import threads
from codeact.snippet.words import words

_NETWORK = "it reaches the network; ask for a tool that does what is needed"
_PROCESS = "it starts a process; ask for a tool that does what is needed"
_THREADS = "a thread would outlive the step; use f.map(items) or f.submit(…) of a tool, or asyncio.gather"

_NO_WAIT = "a wait that nothing could end is refused"

_ASYNCIO = """
ALL_COMPLETED Barrier BoundedSemaphore BrokenBarrierError CancelledError Condition Event FIRST_COMPLETED FIRST_EXCEPTION
Future InvalidStateError LifoQueue Lock PriorityQueue Queue QueueEmpty QueueFull QueueShutDown Semaphore Task TaskGroup
Timeout TimeoutError all_tasks as_completed create_task current_task ensure_future gather iscoroutine
iscoroutinefunction isfuture shield sleep timeout timeout_at wait wait_for
"""

_FUTURES = """
ALL_COMPLETED BrokenExecutor CancelledError FIRST_COMPLETED FIRST_EXCEPTION InvalidStateError TimeoutError
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
            "Runner": "use asyncio.run or await",
            "run_coroutine_threadsafe": _THREADS,
        },
        replaced={
            "run": "an exception that no task waits for is lost, not written to the standard error of the host",
            "to_thread": "runs the function at once, in this thread",
            "get_running_loop": "what a loop does for coroutines; no network, no processes",
            **dict.fromkeys(("Future", "Task"), "belongs to the running loop"),
            **dict.fromkeys(("current_task", "all_tasks"), "of the running loop, whichever is given"),
            "new_event_loop": "what runs coroutines, each time as asyncio.run does; no network, no processes",
            "set_event_loop": "for this session alone",
            "get_event_loop": "what a loop does for coroutines, or what runs them; no network, no processes",
        },
        build=coroutines,
    ),
    Module(
        "threading",
        "threads one after the other: each works when something is waited for, or when the step ends",
        names="BrokenBarrierError TIMEOUT_MAX ThreadError",
        withheld={
            "Timer": "no thread works while others do; call it after time.sleep(seconds), or use asyncio.wait_for",
            **dict.fromkeys(words("settrace setprofile stack_size excepthook"), _THREADS),
        },
        replaced={
            "Thread": "one that would wait for what only those below it could do is left waiting",
            "local": "of the thread whose work is done",
            **dict.fromkeys(words("Lock RLock Condition Event Semaphore BoundedSemaphore Barrier"), _NO_WAIT),
            **dict.fromkeys(words("current_thread main_thread active_count enumerate get_ident"), "of these threads"),
        },
        build=threads,
    ),
    Module("concurrent", "the package of concurrent.futures", source=None, parts=("futures",)),
    Module(
        "concurrent.futures",
        "calls of tools side by side",
        names=_FUTURES,
        withheld={"ProcessPoolExecutor": "it starts processes; use ThreadPoolExecutor, or f.map(items) of a tool"},
        replaced={
            "ThreadPoolExecutor": "tools are called side by side; other functions run one after the other",
            **dict.fromkeys(("Future", "wait", "as_completed"), _NO_WAIT),
        },
        build=executors,
        parts=("thread",),
    ),
    Module("concurrent.futures.thread", "the same executor", source=None, build=_pool),
)
