"""The other doors to a run: as a stream of events, and from asyncio. Each drives the one loop on a thread."""

from __future__ import annotations

import asyncio
import collections
import contextvars
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass

from codeact.events import Event
from codeact.models import Stop
from codeact.records import Run
from codeact.waiting import next_of

Emit = Callable[[Event], object]
Drive = Callable[[Emit, Stop], Run]


@dataclass(frozen=True, slots=True)
class _Over:
    """The end of a stream: the run, or the error it ended with."""

    run: Run | None = None
    error: BaseException | None = None


def stream(drive: Drive) -> Generator[Event, None, None]:
    """Give the events of a run as they happen; closing the iterator, or Ctrl-C, stops the run and waits for its end."""
    happened: collections.deque[Event | _Over] = collections.deque()
    told: queue.SimpleQueue[None] = queue.SimpleQueue()
    stop = Stop()

    def tell(event: Event | _Over) -> None:
        happened.append(event)
        told.put(None)

    thread = _thread(drive, tell, stop)
    try:
        thread.start()
        while True:
            try:
                while not happened:
                    next_of(told)
                event = happened[0]
            except KeyboardInterrupt:  # the run ends by itself, saved, and its last events still come
                stop.set()
                continue
            happened.popleft()  # only now: what an interrupt met in between would be lost
            if isinstance(event, _Over):
                if event.error is not None:
                    raise event.error
                return
            yield event
    finally:
        stop.set()
        if thread.is_alive():
            thread.join()


async def run(drive: Drive) -> Run:
    """Give the run; cancelling stops it and waits until nothing of it is left."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[Run] = loop.create_future()
    stop = Stop()

    def tell(event: Event | _Over) -> None:
        if isinstance(event, _Over):
            loop.call_soon_threadsafe(_settle, over, event)

    _thread(drive, _heard(tell, stop), stop).start()
    try:
        return await asyncio.shield(over)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([over])
        over.exception()  # seen, so that asyncio does not complain of it
        raise


async def astream(drive: Drive) -> AsyncGenerator[Event, None]:
    """Give the events of a run as they happen, on the caller's loop."""
    loop = asyncio.get_running_loop()
    happened: asyncio.Queue[Event | _Over] = asyncio.Queue()
    stop = Stop()
    over: asyncio.Future[None] = loop.create_future()

    def put(event: Event | _Over) -> None:
        happened.put_nowait(event)
        if isinstance(event, _Over):
            over.set_result(None)

    _thread(drive, _heard(lambda event: loop.call_soon_threadsafe(put, event), stop), stop).start()
    try:
        while not isinstance(event := await happened.get(), _Over):
            yield event
        if event.error is not None:
            raise event.error
    finally:
        stop.set()
        await _ended(over)


async def _ended(over: asyncio.Future[None]) -> None:
    """Wait for the end of a run, also while the loop that waits is told to end: it is needed until then."""
    cancelled: asyncio.CancelledError | None = None
    while not over.done():
        try:
            await asyncio.wait([over])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


def _heard(tell: Callable[[Event | _Over], object], stop: Stop) -> Callable[[Event | _Over], object]:
    """Tell a loop; the run is stopped where that was closed, and nobody listens any more."""

    def listen(event: Event | _Over) -> None:
        try:
            tell(event)
        except RuntimeError:  # all that call_soon_threadsafe raises
            stop.set()

    return listen


def _settle(over: asyncio.Future[Run], ended: _Over) -> None:
    if ended.error is not None:
        over.set_exception(ended.error)
    elif ended.run is not None:
        over.set_result(ended.run)


def _thread(drive: Drive, tell: Callable[[Event | _Over], object], stop: Stop) -> threading.Thread:
    def work() -> None:
        try:
            ended = _Over(drive(tell, stop))
        except BaseException as error:  # carried to whoever waits, whatever it is
            ended = _Over(error=error)
        tell(ended)

    context = contextvars.copy_context()  # tools see the variables of whoever started the run
    return threading.Thread(target=context.run, args=(work,), name="codeact-run", daemon=True)
