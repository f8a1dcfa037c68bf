"""`sys.stdout = file`: the one store on a module there is, which redirects as `contextlib.redirect_stdout` does.

`sys.stdin = file` lets `input` read lines of it, `sys.argv = [...]` is the command line of parsers from then on. And
`os.environ |= {...}`, which changes the environment, stores what is there already.
"""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet.endings import AttributeRefused

#: The attributes that may be set.
NAMES = frozenset({"argv", "environ", "stdin", "stdout", "stderr"})


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


class _System:
    """Stands for `os` where `environ` is set."""

    __slots__ = ("environ",)

    def __init__(self, environ: Any) -> None:
        object.__setattr__(self, "environ", environ)

    def __setattr__(self, name: str, value: Any) -> None:
        if value is not getattr(self, name):
            raise AttributeRefused("os.environ cannot be replaced", "os.environ.update(...) changes it")

    def __delattr__(self, name: str) -> None:
        raise AttributeRefused("os.environ cannot be deleted", "os.environ.clear() empties it")


def streams(subject: object, name: str) -> Any:
    """What to set `name` on where it is one of these of a session's `sys` or `os`; None of anything else."""
    if name not in NAMES or type(subject) is not types.ModuleType:
        return None
    from codeact.snippet.modules.printing import Output  # which needs the attribute rules itself
    from codeact.snippet.modules.surroundings import Environment

    if name == "environ":
        found = vars(subject).get(name)
        return _System(found) if type(found) is Environment else None

    first = vars(subject).get("__stdout__")
    return _Streams(first._room) if type(first) is Output else None
