"""The namespace all sessions of a zygote begin with: made and tried out once, so that every fork finds it at hand.

A process pays for each page it is the first to write to: making a namespace writes to hundreds.
"""

from __future__ import annotations

from collections.abc import Callable

from codeact.limits import Policy
from codeact.worker.namespace import Namespace

_OPERATIONS = 100_000
_TEXT_CHARS = 1_000
# What nearly every session does: values, output, a function, an error. None of it binds a name.
_FIRST_USES = ("1 + 1", "[str(n) for n in range(3)]", "print('', end='')", "(lambda: 1 / 0)()")


class Prepared:
    """A namespace with nothing in it yet, for the one session that will take it over."""

    def __init__(self, policy: Policy, *, checked: bool) -> None:
        self._output: Callable[[str], object] = len
        self._namespace = Namespace(policy, folder=".", checked=checked, output=self._write)
        for source in (*(f"import {name} as _\ndel _" for name in policy.imports), *_FIRST_USES):
            self._namespace.run(source, operations=_OPERATIONS, text_chars=_TEXT_CHARS)

    def _write(self, text: str) -> object:
        return self._output(text)

    def __call__(self, *, output: Callable[[str], object]) -> Namespace:
        """Hand it over; from now on its output goes there."""
        self._output = output
        return self._namespace
