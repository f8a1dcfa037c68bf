"""The namespace all sessions of a zygote begin with: made and tried out once, so that every fork finds it at hand.

A process pays for each page it is the first to write to, in time and in memory: making a namespace writes to hundreds.
"""

from __future__ import annotations

from collections.abc import Callable

from codeact.limits import Policy
from codeact.snippet.modules import stores
from codeact.wire.frames import workers_decoder
from codeact.worker.namespace import Namespace

_ROUNDS = 6  # until the interpreter has settled how it runs them: doing so writes to the code, in each process anew
_OPERATIONS = 100_000
_TEXT_CHARS = 1_000
# What nearly every session does: values, output, a function, an error. None of it binds a name.
_FIRST_USES = ("1 + 1", "[str(n) for n in range(3)]", "print('', end='')", "(lambda: 1 / 0)()")
# What nearly every session does with a library it is given for.
_USES_OF_LIBRARIES = {
    "numpy": "import numpy as _\n_ = str(_.arange(3).sum())\ndel _",
    "pandas": "import pandas as _\n_ = str(_.DataFrame({'n': [1, 2], 't': ['x', 'y']}).groupby('t').n.sum())\ndel _",
}


class Prepared:
    """A namespace with nothing in it yet, for the one session that will take it over."""

    def __init__(self, policy: Policy, *, checked: bool) -> None:
        workers_decoder()  # each session's channel needs it
        if checked:
            stores.guard_loaded()
        self._output: Callable[[str], object] = len
        self._namespace = Namespace(policy, folder=".", checked=checked, output=self._write)
        own = [_USES_OF_LIBRARIES.get(name, f"import {name} as _\ndel _") for name in policy.imports]
        for number in range(_ROUNDS):
            for source in (*own, *_FIRST_USES):
                written = f"{source}  # {number}"  # the same again would not be compiled
                self._namespace.run(written, operations=_OPERATIONS, text_chars=_TEXT_CHARS)

    def _write(self, text: str) -> object:
        return self._output(text)

    def __call__(self, *, output: Callable[[str], object]) -> Namespace:
        """Hand it over; from now on its output goes there."""
        self._output = output
        return self._namespace
