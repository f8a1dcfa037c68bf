"""What a snippet gets when it imports a module: a facade of reviewed names, made for this session alone."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
import types
import warnings
from collections.abc import Callable, Iterable, KeysView, Mapping, Sequence
from typing import Any

from codeact.snippet import attached, data_objects, no_methods, shared
from codeact.snippet.builtin_names import GIVEN
from codeact.snippet.endings import CallRefused, ImportRefused, ModuleMissing
from codeact.snippet.modules import REFUSED, ROWS, array_memory, by_name, clocks, generators, stdlib_points, stores
from codeact.snippet.modules.borrowed import keep_library, keep_stores
from codeact.snippet.modules.own_copies import own_copy
from codeact.snippet.modules.row import Module, Room, named_as_called
from codeact.snippet.running import our_own_work

__all__ = ["Facades", "Room"]


class Facades:
    """The modules of one session. `imports` are the names a policy adds to the default ones."""

    def __init__(self, imports: Sequence[str] = (), room: Room | None = None) -> None:
        self.imports, self.room = imports, room or Room()
        self._made: dict[str, types.ModuleType] = {}
        self.room.facades = self
        stdlib_points.guard()
        if self.imports:
            data_objects.watch()

    @property
    def imported(self) -> KeysView[str]:
        """The modules that have been imported so far."""
        return self._made.keys()

    def allowed(self, name: str) -> bool:
        """True where a snippet may import the module called `name`."""
        row = ROWS.get(name)
        if row is not None:
            asked_for = not row.needs or any(asked.partition(".")[0] == row.needs for asked in self.imports)
            return asked_for and sys.version_info >= row.since
        if name in REFUSED or name.partition(".")[0] in REFUSED or name.rpartition(".")[2].startswith("_"):
            return False
        return any(_covers(asked, name) and asked.partition(".")[0] not in _ROOTS for asked in self.imports)

    def names(self) -> list[str]:
        """The modules a snippet may import, in order."""
        return sorted({name for name in (*ROWS, *self.imports) if self.allowed(name)})

    def alternatives(self, name: str) -> list[str]:
        """The allowed modules that come closest to `name`."""
        return difflib.get_close_matches(name, self.names(), n=3, cutoff=0.7)

    def refusal(self, name: str, wanted: Sequence[str] = ()) -> str:
        """Why `name` cannot be imported, and what to do instead; `wanted` are the names it was to give."""
        root = name.partition(".")[0]
        text = f"the module {name!r} is not among the modules a snippet may import"
        above, _, leaf = name.rpartition(".")
        if (why := REFUSED.get(name) or REFUSED.get(root) or self.withheld(above, leaf)) is not None:
            return f"{text}: {why}"
        if name in ROWS and sys.version_info < ROWS[name].since:
            return f"{text}: Python has it from {'.'.join(map(str, ROWS[name].since))} on"
        there = _exists(name)
        parts = [text if there else f"the module {name!r} is not installed, and a snippet may not import it"]
        if not there and (near := self.alternatives(name)):
            parts.append("close to it: " + ", ".join(near))
        if there and name not in ROWS and root in _ROOTS:
            parts.append(f"it is none of the parts of {root!r} that were reviewed")
            if above := self._above(name, wanted or [name.rpartition(".")[2]]):
                parts.append(above)
        elif there:
            needs = ROWS[name].needs if name in ROWS else root
            parts.append(f'the user can allow it with Policy(imports=["{needs}"]), or --import {needs}')
        return "; ".join(parts)

    def _above(self, name: str, wanted: Sequence[str]) -> str:
        """What to write where an allowed module above `name` has all that is wanted of it, as far as it is loaded."""
        while name := name.rpartition(".")[0]:
            there = vars(sys.modules[name]) if name in sys.modules and self.allowed(name) else {}
            found = [there.get(one) for one in wanted if self.withheld(name, one) is None]
            if len(found) == len(wanted) and not any(one is None or isinstance(one, types.ModuleType) for one in found):
                return f"write from {name} import {', '.join(wanted)}"
        return ""

    def withheld(self, module: str, name: str) -> str | None:
        """Why `module.name` is not there although the real module has it; None where nothing is known."""
        return ROWS[module].withheld.get(name) if module in ROWS else None

    def import_module(self, name: str, wanted: Sequence[str] = ()) -> types.ModuleType:
        """The facade of the module called `name`, parts and parents attached; ImportError where it is not allowed."""
        if name in self._made:
            return self._made[name]
        if not self.allowed(name):
            raise (ImportRefused if _exists(name) else ModuleMissing)(self.refusal(name, wanted), name)
        row = ROWS.get(name) or Module(name, "allowed by the policy", whole=True)
        with our_own_work():
            if row.needs:
                array_memory.guard_below()
            facade = self._made[name] = self._make(row)
            if name not in ROWS and "numpy" in sys.modules:
                array_memory.guard_below()
            data_objects.close()
            clocks.date_what_is_written(self.room)
            generators.close()
            by_name.guard()
        parent, _, leaf = name.rpartition(".")
        if parent and self.allowed(parent):
            vars(self.import_module(parent)).setdefault(leaf, facade)  # as in sympy, where series is a function
        for part in row.parts:
            if self.allowed(f"{name}.{part}"):
                vars(facade)[part] = self.import_module(f"{name}.{part}")
        return facade

    def import_(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # the names `__import__` is called with
        locals: Mapping[str, Any] | None = None,
        fromlist: Iterable[str] | None = (),
        level: int = 0,
    ) -> types.ModuleType:
        """What an import statement calls."""
        if type(name) is not str or level != 0:
            raise ImportRefused("a snippet has no package: relative imports have nothing to start from")
        # C code imports for itself like this (PyImport_Import), on behalf of the frame that runs
        if type(fromlist) is list and globals is not None and globals is sys._getframe(1).f_globals:
            if (there := sys.modules.get(name)) is not None:  # as for each `strftime` of a date
                return there
            with our_own_work():
                return importlib.import_module(name)
        leaf = self.import_module(name, [*(fromlist or ())])
        if not fromlist:
            return self._top(name, leaf)
        for wanted in fromlist:
            self._require(leaf, name, wanted)
        return leaf

    def _top(self, name: str, leaf: types.ModuleType) -> types.ModuleType:
        if (root := name.partition(".")[0]) == name:
            return leaf
        if self.allowed(root):
            return self.import_module(root)
        top = self._made.setdefault(root, types.ModuleType(root))
        target = top
        for part in name.split(".")[1:]:
            below = f"{target.__name__}.{part}"
            vars(target)[part] = target = self._made.setdefault(below, types.ModuleType(below))
        return top

    def _require(self, leaf: types.ModuleType, name: str, wanted: str) -> None:
        if wanted == "*" or wanted in vars(leaf):
            return
        if self.allowed(f"{name}.{wanted}"):
            vars(leaf)[wanted] = self.import_module(f"{name}.{wanted}")
            return
        text, below = f"cannot import name {wanted!r} from {name!r}", f"{name}.{wanted}"
        if (why := self.withheld(name, wanted) or REFUSED.get(below)) is not None:
            raise ImportRefused(f"{text}: {why}", name)
        if near := difflib.get_close_matches(wanted, public_names(leaf), n=1):
            why = f"did you mean {near[0]!r}?"
        raise ImportError(f"{text}: {why}" if why else text, name=name)

    def _make(self, row: Module) -> types.ModuleType:
        real = importlib.import_module(row.source or row.name) if row.source is not None else None
        facade = types.ModuleType(row.name, getattr(real, "__doc__", None))
        contents = vars(facade)
        if real is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of names on their way out, which are looked at and not used
                contents.update(_reviewed(real, row))
            if row.name not in ROWS:
                self._replace_what_is_pythons(contents, row.name)
        for name, why in row.withheld.items():
            if real is not None and callable(getattr(real, name, None)):
                contents[name] = _refuser(f"{row.name}.{name}", why)
            else:
                contents.pop(name, None)
        if row.build is not None:
            contents.update(named_as_called(row.build(self.room)))
            for name, value in contents.items():
                no_methods.note(value, getattr(real, name, None))
        if real is not None and (row.needs or row.name not in ROWS):
            keep_library(row.name.partition(".")[0])
        stores.guard(row.name)
        keep_stores(contents)
        attached.attach(self, facade, real)
        self.room.count(row.name, contents)
        listed = getattr(real, "__all__", None)
        if listed is not None:
            given = contents.keys() | {part for part in row.parts if self.allowed(f"{row.name}.{part}")}
            contents["__all__"] = [name for name in listed if name in given and name not in row.withheld]
        return facade

    def _replace_what_is_pythons(self, contents: dict[str, Any], owner: str) -> None:
        """Let a module nobody reviewed give what it took from Python as the session has it, or not at all."""
        for name, value in list(contents.items()):
            home, own_name = _home(value)
            root = home.partition(".")[0]
            if home in ROWS and root != owner.partition(".")[0]:
                taken = vars(self.import_module(home))
            elif root in REFUSED:
                kept = home == "builtins" and (own_name in GIVEN or isinstance(value, type))
                taken = {own_name: value} if kept else {}
            else:
                continue
            if own_name in taken:
                contents[name] = taken[own_name]
            else:
                del contents[name]


_HOMES = {"posix": "os", "nt": "os", "posixpath": "os.path", "ntpath": "os.path", "genericpath": "os.path"}


def _home(value: Any) -> tuple[str, str]:
    """The module of Python's that a function or a class is from, and its name there; nothing for anything else."""
    if not isinstance(value, type | types.FunctionType | types.BuiltinFunctionType | types.MethodType):
        return "", ""
    module = value.__module__ if type(value.__module__) is str else ""
    found = _HOMES.get(module, module.removeprefix("_"))
    return (found, value.__name__) if found.partition(".")[0] in sys.stdlib_module_names else ("", "")


def _exists(name: str) -> bool:
    """True where this Python has the module; only the package at its root is looked for, which imports nothing."""
    root = name.partition(".")[0]
    return (
        (name in ROWS and not ROWS[name].needs)
        or name in REFUSED
        or root in REFUSED
        or root in sys.modules
        or importlib.util.find_spec(root) is not None
    )


_ROOTS = frozenset(name.partition(".")[0] for name in ROWS)


def _covers(asked: str, name: str) -> bool:
    return name == asked or name.startswith(asked + ".")


def public_names(facade: types.ModuleType) -> list[str]:
    """The names a facade offers."""
    return [name for name in vars(facade) if not name.startswith("_")]


def _reviewed(real: types.ModuleType, row: Module) -> dict[str, Any]:
    words = [name for name in dir(real) if not name.startswith("_")] if row.whole else row.names.split()
    found = {}
    for name in words:
        try:
            value = getattr(real, name)
        except AttributeError:  # not in this version
            continue
        elsewhere = bool(row.needs) and row.needs not in _PYTHONS and _is_from_elsewhere(value)
        if not isinstance(value, types.ModuleType) and not elsewhere and not by_name.is_put_in(value):
            found[name] = own_copy(value)
            if row.needs or row.whole:
                shared.share(value)
    if type(getattr(real, "__version__", None)) is str:
        found["__version__"] = real.__version__
    return found


#: Where libraries keep functions that hand out modules, and what starts processes.
_HANDING_OUT = (
    "joblib",
    "sklearn.utils.parallel",
    "scipy._lib._array_api",
    "scipy._lib.array_api",
    "sklearn.utils._array_api",
    "sympy.core.cache",
)


def _is_from_elsewhere(value: Any) -> bool:
    """True for what a library only imported: functions and classes of Python, and those that hand out modules."""
    if not isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return False
    module = value.__module__ if type(value.__module__) is str else ""
    return module.startswith(_HANDING_OUT) or module.partition(".")[0] in _PYTHONS


_PYTHONS = sys.stdlib_module_names - {"builtins", "datetime", "math"}


def _refuser(name: str, why: str) -> Callable[..., Any]:
    def refused(*arguments: Any, **keywords: Any) -> Any:
        raise CallRefused(f"{name} is not available in a snippet: {why}")

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    vars(refused)["__mro_entries__"] = refused  # a class that is built on it is told the same
    return refused
