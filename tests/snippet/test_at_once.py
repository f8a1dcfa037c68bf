"""Several threads of one process compile at the same time, as inline sessions and readers of replies do."""

from __future__ import annotations

import ast
import gc
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator

import pytest

from codeact import alone
from codeact.reply.repair import parse
from codeact.snippet.program import Program, compile_snippet

LINES = "\n".join(f"def f{n}(a, b=({n}, 1)):\n    return [x + (y * {n}) for x in a if x for y in b]" for n in range(20))


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as they can, and garbage is looked for all the time."""
    seconds, often = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(20)
    try:
        yield
    finally:
        sys.setswitchinterval(seconds)
        gc.set_threshold(*often)


def at_once(*works: Callable[[int], object]) -> list[object]:
    """What each has come to, each time it was done, in a thread of its own; what was raised stands for a result."""
    found: list[object] = []

    def go(work: Callable[[int], object]) -> None:
        for number in range(15):
            try:
                found.append(work(number))
            except BaseException as error:
                found.append(error)

    threads = [threading.Thread(target=go, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def settings() -> tuple[object, ...]:
    return list(warnings.filters), warnings.showwarning, gc.isenabled(), sys.getrecursionlimit()


def compiling(who: int) -> Callable[[int], object]:
    return lambda number: type(
        compile_snippet(f"{LINES}\nseen = ({who}, {number}) is 1", protected=frozenset())  # CPython warns of it
    )


@pytest.mark.usefixtures("hurried")
def test_threads_that_compile_leave_the_process_as_it_was() -> None:
    before = settings()
    assert set(at_once(*map(compiling, range(3)), lambda _: type(parse(LINES)))) == {Program, ast.Module}
    assert settings() == before


def test_a_process_forked_while_a_thread_compiles_may_compile() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def compile_on() -> None:
        with alone.compiling():
            begun.set()
            may_end.wait()

    thread = threading.Thread(target=compile_on)
    thread.start()
    begun.wait()
    os.register_at_fork(before=may_end.set)  # the hook that comes last is called first
    child = os.fork()
    if not child:
        os._exit(int(not (gc.isenabled() and parse("x = 1") is not None)))
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
