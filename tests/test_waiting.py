"""A wait that only another thread could end is left for Ctrl-C, also for one that does not wake it."""

import _thread
import concurrent.futures
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from codeact.waiting import next_of, result_of


def _interrupt_once_within(waits: Any) -> None:
    main = threading.main_thread().ident or 0
    while not any(frame.f_code is waits.__code__ for frame, _ in traceback.walk_stack(sys._current_frames()[main])):
        pass
    _thread.interrupt_main()


@pytest.mark.parametrize(
    ("wait", "never"),
    [(result_of, concurrent.futures.Future()), (next_of, queue.SimpleQueue())],
    ids=["future", "queue"],
)
def test_an_interrupt_that_does_not_wake_the_wait_is_heard(wait: Callable[[Any], object], never: Any) -> None:
    thread = threading.Thread(target=_interrupt_once_within, args=(wait,))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        wait(never)
    thread.join()


def test_a_wait_gives_what_was_waited_for_and_raises_what_went_wrong() -> None:
    done: concurrent.futures.Future[int] = concurrent.futures.Future()
    done.set_result(3)
    failed: concurrent.futures.Future[int] = concurrent.futures.Future()
    failed.set_exception(TimeoutError("of its own"))
    assert result_of(done) == 3
    with pytest.raises(TimeoutError, match="of its own"):
        result_of(failed)
