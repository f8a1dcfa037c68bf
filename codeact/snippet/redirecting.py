"""`sys.stdout = file`: the one store on a module there is, which redirects as `contextlib.redirect_stdout` does.

`sys.stdin = file` lets `input` read lines of it, `sys.argv = [...]` is the command line of parsers from then on.
"""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet.endings import AttributeRefused

#: The attributes that may be set.
NAMES = frozenset({"argv", "stdin", "stdout", "stderr"})


class _Streams:
    """Stands for `sys` where one of these is set."""

    __slots__ = ("_room",)

    def __init__(self, room: Any) -> None:
        object.__setattr__(self, "_room", room)

    def __getattr__(self, name: str) -> Any:
        return self._room.current(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "argv":
            self._room.redirect(name, value)
        elif type(value) is list:
            vars(self._room.facades.import_module("sys"))[name] = value
        else:
            raise AttributeRefused("sys.argv is a list of texts", "sys.argv = ['name', '--option', 'value']")

    def __delattr__(self, name: str) -> None:
        back = "['name']" if name == "argv" else f"sys.__{name}__"
        raise AttributeRefused(f"sys.{name} cannot be deleted", f"sys.{name} = {back} sets it back")


def streams(subject: object, name: str) -> Any:
    """What to set `name` on where it is one of these of a session's `sys`; None of anything else."""
    if name not in NAMES or type(subject) is not types.ModuleType:
        return None
    from codeact.snippet.modules.printing import Output  # which needs the attribute rules itself

    first = vars(subject).get("__stdout__")
    return _Streams(first._room) if type(first) is Output else None
