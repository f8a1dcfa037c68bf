"""The namespace all sessions of a zygote begin with: made and tried out once, so that every fork finds it at hand.

A process pays for each page it is the first to write to, in time and in memory: making a namespace writes to hundreds.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable

from codeact.limits import Policy
from codeact.snippet.modules import stores
from codeact.wire import messages as say
from codeact.wire.frames import host_channel
from codeact.wire.pairs import socket_pair
from codeact.worker.namespace import Namespace
from codeact.worker.place import Place
from codeact.worker.serve import serve

# Until the interpreter has settled how it runs a session: doing so writes to its code, in each process anew. A function
# is rewritten with its eighth call, and what it does then with the next ones.
_ROUNDS = 10
_LIMITS = say.StepLimits(operations=100_000, output_chars=1_000, tool_calls=0, text_chars=1_000, value_bytes=1_000)
_NOWHERE = Place(folder=os.devnull)  # nothing lies in it: the folders are the sessions' own
# What nearly every session does: values, output, a function, an error. None of it binds a name.
_FIRST_USES = ("1 + 1", "[str(n) for n in range(3)]", "print('', end='')", "(lambda: 1 / 0)()")
# What nearly every session does with a library it is given for.
_USES_OF_LIBRARIES = {
    "numpy": "import numpy as _\n_ = str(_.arange(3).sum())\ndel _",
    "pandas": "import pandas as _\n_ = str(_.DataFrame({'n': [1, 2], 't': ['x', 'y']}).groupby('t').n.sum())\ndel _",
}


class Prepared:
    """A namespace with nothing in it yet, for the one session that will take it over."""

    def __init__(self, policy: Policy, *, checked: bool, also: Iterable[str] = ()) -> None:
        if checked:
            stores.guard_loaded()
        self._output: Callable[[str], object] = len
        self._namespace = Namespace(policy, folder=".", checked=checked, output=self._write)
        own = [_USES_OF_LIBRARIES.get(name, f"import {name} as _\ndel _") for name in policy.imports]
        self._uses = (*own, *also, *_FIRST_USES)
        self._rounds = 0
        self.try_out()

    def try_out(self) -> None:
        """Serve once as a session does, in this process."""
        self._rounds += 1
        ours, theirs = socket_pair()
        with ours, theirs:
            host = host_channel(ours)
            host.send(say.Define([], [], seed=0))
            for source in self._uses:
                written = f"{source}  # {self._rounds}"  # the same again would not be compiled
                host.send(say.Step(written, _LIMITS, backup=False))
            ours.shutdown(socket.SHUT_WR)
            serve(theirs, self, None, _NOWHERE)

    @property
    def is_settled(self) -> bool:
        """Whether it was tried out as often as makes a difference."""
        return self._rounds >= _ROUNDS

    def _write(self, text: str) -> object:
        return self._output(text)

    def __call__(self, *, output: Callable[[str], object]) -> Namespace:
        """Hand it over; from now on its output goes there."""
        self._output = output
        return self._namespace
