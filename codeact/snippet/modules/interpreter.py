"""The replaced parts of sys, platform, gc, io and locale."""

from __future__ import annotations

import gc
import io
import operator
import sys
from typing import Any

from codeact import alone
from codeact.snippet import collected, types_
from codeact.snippet.data_objects import SimpleNamespace
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.printing import Output
from codeact.snippet.modules.row import Room, named
from codeact.snippet.modules.streams import STREAMS

#: Frames a snippet may ask for: where each sorts by the next, they take 24 MiB of stack.
DEEPEST = 10_000

#: What CPython gives a program, and what it takes to tell of a failure.
FRAMES, FEWEST = 1_000, 300


def frames(room: Room) -> int:
    """How deep the calls of this session's snippets may be."""
    return max(FEWEST, min(int(room.settings.get("recursion_limit", FRAMES)), DEEPEST))


def interpreter(room: Room) -> dict[str, Any]:
    """The replaced names of sys."""
    output, errors, empty = Output(room), Output(room), io.StringIO("")
    errors.name = "<stderr>"
    room.settings.setdefault("recursion_limit", FRAMES)

    def setrecursionlimit(limit: int, /) -> None:
        limit = operator.index(limit)  # exactly a number: it is compared again when the next step begins
        if limit < 1:
            raise ValueError("recursion limit must be greater or equal than 1")
        if limit < FEWEST:
            raise CallRefused(f"the recursion limit is at least {FEWEST} here: telling of a failure takes as much")
        with alone.lock:
            ours = sys.getrecursionlimit() - frames(room)  # the frames below the snippet's first
            room.settings["recursion_limit"] = limit
            sys.setrecursionlimit(ours + frames(room))

    def getrecursionlimit() -> int:
        return int(room.settings["recursion_limit"])

    def leave(status: Any = None, /) -> None:
        raise SystemExit(status)

    leave.__name__ = leave.__qualname__ = "exit"
    return {
        "__stdout__": output,
        "__stderr__": errors,
        "stdout": room.streams.get("stdout", output),
        "stderr": room.streams.get("stderr", errors),
        "__stdin__": empty,
        "stdin": room.streams.get("stdin", empty),
        "argv": ["snippet"],
        "exit": leave,
        "setrecursionlimit": setrecursionlimit,
        "getrecursionlimit": getrecursionlimit,
        "implementation": SimpleNamespace(**vars(sys.implementation)),
        "getrefcount": lambda value, /: sys.getrefcount(value) - 1,
    }


def memory_files(room: Room) -> dict[str, Any]:
    """The replaced names of io."""
    return {**STREAMS, "open": room.open, "FileIO": types_.STAND_INS[io.FileIO]}


def machine(room: Room) -> dict[str, Any]:
    """The replaced names of platform."""

    def system() -> str:
        return "Linux"  # what sessions run on; the real one asks the machine, and keeps what it says for the process

    return named(system)


def locales(room: Room) -> dict[str, Any]:
    """The replaced names of locale."""
    import locale

    def setlocale(category: int, locale_name: Any = None) -> str:
        known = locale.setlocale(category)
        if locale_name not in (None, "", "C", "POSIX", known):
            raise locale.Error("the locale cannot be changed inside a snippet; format numbers with f'{x:,}'")
        return known

    return {"setlocale": setlocale}


def collecting(room: Room) -> dict[str, Any]:
    """The names of gc: what nobody reaches is given back at once; when that is done by itself is left to us."""
    by_itself = [True]

    def collect(generation: int = 2) -> int:
        with collected.asked():
            return gc.collect(generation)

    def enable() -> None:
        by_itself[0] = True

    def disable() -> None:
        by_itself[0] = False

    def isenabled() -> bool:
        return by_itself[0]

    thresholds: list[tuple[int, ...]] = [gc.get_threshold()]

    def get_threshold() -> tuple[int, ...]:
        return thresholds[0]

    def set_threshold(*given: Any) -> None:
        if not 1 <= len(given) <= 3:
            raise TypeError("gc.set_threshold requires 1 to 3 arguments")
        thresholds[0] = (*map(operator.index, given), *thresholds[0][len(given) :])

    asking = {name: getattr(gc, name) for name in ("is_tracked", "is_finalized", "get_count", "get_debug")}
    return {**named(collect, enable, disable, isenabled, get_threshold, set_threshold), **asking}
