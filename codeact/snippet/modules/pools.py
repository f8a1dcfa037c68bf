"""The replaced parts of concurrent.futures: pools of threads that take turns."""

from __future__ import annotations

import functools
import itertools
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from codeact.snippet import types_
from codeact.snippet.modules import serials, waits
from codeact.snippet.modules.row import Methods, Room, named
from codeact.snippet.modules.traced import lines_of

if TYPE_CHECKING:
    from codeact.snippet.modules.turns import Turns

_WORKERS = 32  # where a snippet says none: the most that Python has, and the same on each machine
_OVER = {"CANCELLED_AND_NOTIFIED", "FINISHED"}  # as those take it who wait
_BROKEN = "A thread initializer failed, the thread pool is not usable anymore"


def _apart(given: Any) -> tuple[list[Any], dict[Any, None]]:
    """The calls of tools among what is waited for, and the futures."""
    from concurrent.futures import Future

    every = dict.fromkeys(given)
    calls = [one for one in every if not isinstance(one, Future)]
    for one in calls:
        one.result  # noqa: B018  # what has none is no call
        del every[one]
    return calls, every


def _answered(call: Any) -> Any:
    with suppress(Exception):  # it is the call's, and raised by result()
        call.result()
    return call


def _is_over(asked: dict[Any, None], until: str) -> bool:
    """Whether what is waited for has come, as `concurrent.futures.wait` names it."""
    over = [one for one in asked if one._state in _OVER]
    if until == "FIRST_EXCEPTION" and any(one._state == "FINISHED" and one._exception for one in over):
        return True
    return len(over) == len(asked) or (until == "FIRST_COMPLETED" and bool(over))


def _waits_for_futures(room: Room) -> Methods:
    from concurrent import futures

    def wait(fs: Any, timeout: float | None = None, return_when: str = futures.ALL_COMPLETED) -> Any:
        calls, asked = _apart(fs)
        calls = [_answered(call) for call in calls]
        waits.wait(room, lambda: _is_over(asked, return_when), timeout)
        over = {one for one in asked if one._state in _OVER}
        return futures._base.DoneAndNotDoneFutures(over.union(calls), asked.keys() - over)

    def as_completed(fs: Any, timeout: float | None = None) -> Iterator[Any]:
        calls, asked = _apart(fs)
        return itertools.chain(map(_answered, calls), _as_they_come(room, asked, timeout))

    return named(wait, as_completed)


class _Arrivals(deque[Any]):
    """Futures as they come to an end: what such a one tells who waits for it."""

    __eq__, __hash__ = object.__eq__, object.__hash__  # type: ignore[assignment]  # it is taken out again from among those of others
    add_result = add_exception = add_cancelled = deque.append


def _as_they_come(room: Room, asked: dict[Any, None], timeout: float | None) -> Iterator[Any]:
    until = None if timeout is None else waits.monotonic(room) + timeout
    come = _Arrivals(one for one in asked if one._state in _OVER)
    left = [one for one in asked if one._state not in _OVER]
    for one in left:
        one._waiters.append(come)
    try:
        for number in range(len(asked)):
            if not waits.wait(room, lambda: bool(come), None if until is None else until - waits.monotonic(room)):
                raise TimeoutError(f"{len(asked) - number} (of {len(asked)}) futures unfinished")
            yield come.popleft()
    finally:
        for one in left:
            one._waiters.remove(come)


class _Pool:
    """What the threads of a pool have in common; they hold on to it, and not to the executor."""

    def __init__(self, most: int, first: Callable[[], object] | None) -> None:
        self.most, self.first = most, first
        self.items: deque[Any] = deque()
        self.idle = self.workers = 0
        self.closed = self.broken = False
        self.gone: object = None  # says when the executor is; of it, it would go with it

    def close(self, *_: object) -> None:
        """Let the threads end once all is done."""
        self.closed = True

    def has_to_do(self) -> bool:
        """Whether a thread has something to do, be it to end."""
        return self.closed or bool(self.items)

    def idle_in(self, room: Room) -> None:
        """Wait until there is something to do."""
        self.idle += 1
        try:
            waits.wait(room, self.has_to_do)
        finally:
            self.idle -= 1

    def dropped(self, turns: Turns) -> list[Any]:
        """The futures of what is not begun, and will not be."""
        futures = [future for future, *_ in self.items]
        self.items.clear()
        turns.owed -= len(futures)
        return futures


def _done(future: Any, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Make a call, and let its future have what came of it."""
    from codeact.snippet.modules.turns import NOT_A_THREADS

    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call(*args, **kwargs)
    except NOT_A_THREADS:
        raise
    except BaseException as error:  # it is the future's, and raised by result()
        future.set_exception(error)
    else:
        future.set_result(result)


def _set_up(room: Room, pool: _Pool, turns: Turns) -> bool:
    """Whether a thread of the pool has done what it is to do first; else nothing is done by the pool."""
    from concurrent.futures.thread import BrokenThreadPool

    from codeact.snippet.modules.turns import NOT_A_THREADS

    try:
        if pool.first is not None:
            pool.first()
    except NOT_A_THREADS:
        raise
    except BaseException as error:
        room.write(f"Exception in initializer:\n{''.join(lines_of(error))}", "stderr")
        pool.broken = True
        for future in pool.dropped(turns):
            future.set_exception(BrokenThreadPool(_BROKEN))
    return not pool.broken


def _worker(room: Room, pool: _Pool) -> Callable[[], None]:
    from codeact.snippet.modules.turns import NOT_A_THREADS

    turns = waits.turns_of(room)

    def work() -> None:
        turns.serve()
        pool.workers += 1
        try:
            if not _set_up(room, pool, turns):
                return
            while True:
                pool.idle_in(room)
                if not pool.items:
                    return
                try:
                    _done(*pool.items.popleft())
                finally:
                    turns.owed -= 1
        except NOT_A_THREADS:  # no other is to go on with what the step was to do
            pool.dropped(turns)
            raise
        finally:
            pool.workers -= 1

    return work


def _made_pool(max_workers: int | None, initializer: Callable[..., Any] | None, initargs: tuple[Any, ...]) -> _Pool:
    if max_workers is not None and max_workers <= 0:
        raise ValueError("max_workers must be greater than 0")
    if initializer is not None and not callable(initializer):
        raise TypeError("initializer must be a callable")
    first = None if initializer is None else functools.partial(initializer, *initargs)
    return _Pool(_WORKERS if max_workers is None else max_workers, first)


def executors(room: Room) -> dict[str, Any]:
    """The replaced names of concurrent.futures."""
    from concurrent import futures
    from concurrent.futures.thread import BrokenThreadPool

    threading = room.facades.import_module("threading")
    Future = serials.in_order(waits.waiting(futures.Future, {"threading": threading}))
    waits.look_where(room, Future, done=False)
    numbers, turns = itertools.count(), waits.turns_of(room)

    class ThreadPoolExecutor(futures.Executor):
        def __init__(
            self,
            max_workers: int | None = None,
            thread_name_prefix: str = "",
            initializer: Callable[..., Any] | None = None,
            initargs: tuple[Any, ...] = (),
        ) -> None:
            self._pool = pool = _made_pool(max_workers, initializer, initargs)
            self._prefix = thread_name_prefix or f"ThreadPoolExecutor-{next(numbers)}"
            pool.gone = weakref.ref(self, pool.close)

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            pool = self._pool
            if pool.broken:
                raise BrokenThreadPool(_BROKEN)
            if pool.closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            future = Future()
            pool.items.append((future, fn, args, kwargs))
            turns.owed += 1
            if len(pool.items) > pool.idle and pool.workers < pool.most:
                name = f"{self._prefix}_{pool.workers}"
                threading.Thread(name=name, target=_worker(room, pool), daemon=False).start()
            return future

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            pool = self._pool
            pool.close()
            for future in pool.dropped(turns) if cancel_futures else ():
                future.cancel()
            if wait:
                waits.wait(room, lambda: not pool.workers)

    for method in ("__init__", "submit", "shutdown"):
        vars(ThreadPoolExecutor)[method].__qualname__ = f"ThreadPoolExecutor.{method}"  # as errors call it
    types_.hide(ThreadPoolExecutor, futures.ThreadPoolExecutor)
    return {**_waits_for_futures(room), "Future": Future, "ThreadPoolExecutor": ThreadPoolExecutor}
