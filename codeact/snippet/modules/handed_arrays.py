"""Arrays that compiled code makes of its own memory for what it calls: a function of a snippet's is handed copies.

Nothing holds on to that memory. A function that kept what it was handed read and wrote what lay there later on.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.defects import INIT, put
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet

#: Solver of scipy → how many functions it calls: the first that it is given.
_SOLVERS = {"_lmdif": 1, "_hybrd": 1, "_lmder": 2, "_hybrj": 2}


def guard() -> None:
    """Put the guards in place for what is loaded by now; more calls do nothing."""
    if (distances := sys.modules.get("sklearn.metrics._dist_metrics")) is not None:
        for cls in (distances.PyFuncDistance32, distances.PyFuncDistance64):
            if type(real := ownership.class_dict(cls)["__init__"]) is types.WrapperDescriptorType:
                put(cls, {"__init__": _set_up(real)}, INIT)
    if (solvers := sys.modules.get("scipy.optimize._minpack")) is not None:
        for name in _SOLVERS.keys() & vars(solvers).keys():  # other versions have others
            patch(solvers, name, functools.partial(_solving, _SOLVERS[name]))


def _set_up(real: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(real)
    def __init__(distance: Any, /, func: Any, **named: Any) -> None:
        real(distance, _with_copies(func) if in_a_snippet() else func, **named)

    return __init__


def _solving(many: int, real: Callable[..., Any]) -> Callable[..., Any]:
    def solve(*given: Any) -> Any:
        return real(*map(_with_copies, given[:many]), *given[many:]) if in_a_snippet() else real(*given)

    return solve


def _with_copies(function: Any) -> Any:
    if not callable(function):
        return function
    array = sys.modules["numpy"].ndarray
    copied = vars(array)["copy"]

    def call(*given: Any, **named: Any) -> Any:
        return function(*[copied(each) if type(each) is array else each for each in given], **named)

    return call
