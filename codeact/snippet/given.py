"""The dictionaries a snippet gives to `exec` and `eval` for their names.

The text runs with names of its own: the dictionary itself would let the snippet put its own values in the place of our
hooks. All texts with one dictionary run with the same names, and both tell each other what has changed when a text
begins and ends, when one of its functions is called, and when that binds what it declares `global`. For variables any
mapping will do: it is asked for each by its name.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from codeact.snippet.endings import CallRefused
from codeact.snippet.rules import COMPRESS, GIVEN, TEXTS

_items: Callable[[Any], Any] = dict.items
_MISSING = object()
_BUILTINS = "__builtins__"

#: Charges so many operations.
Charge = Callable[[int], object]

TOLD = 16  # names that are gone through at the price of one operation


class Asked:
    """Stands for a mapping that is asked for the variables of a text: for those a snippet could say, and no others."""

    __slots__ = ("_ours", "mapping")

    def __init__(self, mapping: Any) -> None:
        self.mapping, self._ours = mapping, dict[str, Any]()

    def _holder(self, name: str) -> Any:
        return self._ours if name.startswith(" ") or name == _BUILTINS else self.mapping

    def __getitem__(self, name: str) -> Any:
        return self._holder(name)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._holder(name)[name] = value

    def __delitem__(self, name: str) -> None:
        del self._holder(name)[name]


def said(names: Mapping[Any, Any]) -> dict[str, Any]:
    """The names a snippet could have said: neither our hooks nor the builtins."""
    return {
        name: value
        for name, value in _items(names)
        if type(name) is str and name != _BUILTINS and not name.startswith(" ")
    }


def held(names: Any) -> Any:
    """The variables of a frame, for those who look at them when the step is over: no mapping is asked for any."""
    if type(names) is not Asked:
        return names
    mapping = names.mapping
    return said(mapping) if issubclass(type(mapping), dict) else {}


def copy_back(names: Mapping[str, Any], before: Mapping[str, Any], given: dict[str, Any]) -> None:
    """Bring what a text has bound and deleted into the dictionary it was given."""
    for name, value in said(names).items():
        if name not in before or before[name] is not value:
            dict.__setitem__(given, name, value)
    for name in before:
        if name not in names:
            dict.pop(given, name, None)


class _Shared:
    """A dictionary, the names its texts run with, and what both held when they last told each other."""

    __slots__ = ("_charge", "given", "names", "seen")

    def __init__(self, given: dict[str, Any], names: dict[str, Any], charge: Charge) -> None:
        self.given, self.names, self.seen, self._charge = given, names, dict[str, Any](), charge

    def tell(self) -> None:
        """Bring what has changed on one side to the other; what a text has bound counts for more."""
        self._charge((len(self.names) + dict.__len__(self.given)) // TOLD)
        here, there = said(self.names), said(self.given)
        here.pop("__name__", None)  # no text binds it
        for name, value in here.items():
            if self.seen.get(name, _MISSING) is not value:
                dict.__setitem__(self.given, name, value)
                there[name] = value
        for name in [name for name in self.seen if name not in here and name in there and name != "__name__"]:
            del there[name]
            dict.pop(self.given, name, None)
        for name, value in there.items():
            if self.names.get(name, _MISSING) is not value:
                self.names[name] = value
        for name in here.keys() - there.keys():
            del self.names[name]
        self.seen = there


class BuiltinNames(dict[str, Any]):
    """What a dictionary holds under `__builtins__` once a text ran with it: what it shows is a copy."""

    __slots__ = ("_shared",)

    _shared: _Shared

    def _fixed(self, *given: Any, **named: Any) -> NoReturn:
        raise CallRefused("the builtins of a session cannot be changed", "give exec a `__builtins__` of your own")

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = _fixed

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


BuiltinNames.__name__ = BuiltinNames.__qualname__ = "dict"
BuiltinNames.__module__ = "builtins"

_OF_STATEMENTS = ("__build_class__", "__import__")


class _Builtins(dict[str, Any]):
    """The builtins of a text whose dictionary says itself which there are: our hooks, and what that mapping holds."""

    __slots__ = ("_given", "_session")

    def __init__(self, session: dict[str, Any], given: Any) -> None:
        super().__init__({COMPRESS: session[COMPRESS]})  # by it functions are known to be the snippet's own
        self._session = session
        self._given: Any = vars(given) if type(given) is types.ModuleType else {} if given is None else given

    def __missing__(self, name: str) -> Any:
        if name.startswith(" "):
            return self._session[name]
        found = self._given[name]
        if name in _OF_STATEMENTS and found is not self._session.get(name):
            raise KeyError(name)
        return found


def names_of(given: dict[str, Any], home: dict[str, Any], charge: Charge) -> dict[str, Any]:
    """The names that texts with this dictionary run with; `home` are those of the snippet."""
    kept = dict.get(given, _BUILTINS, _MISSING)
    shared = kept._shared if type(kept) is BuiltinNames else None
    if shared is None or shared.given is not given or shared.names[TEXTS] is not home:
        session = home[_BUILTINS]
        of_its_own = kept is not _MISSING and shared is None
        names = {_BUILTINS: _Builtins(session, kept) if of_its_own else session, TEXTS: home}
        shared = _Shared(given, names, charge)
        shared.names[GIVEN] = shared
        if not of_its_own:
            shown = BuiltinNames({name: value for name, value in session.items() if name[:1] not in " _"})
            shown._shared = shared
            dict.__setitem__(given, _BUILTINS, shown)
    shared.tell()
    shared.names.setdefault("__name__", home["__name__"])
    return shared.names


def tell(names: dict[str, Any]) -> None:
    """Let the names of a text and its dictionary tell each other what has changed, where it has one."""
    shared = names.get(GIVEN)
    if shared is not None:
        shared.tell()


def fresh() -> bool:
    """The same at the entry of a text's function, and where that binds what it declares `global`."""
    tell(sys._getframe(1).f_globals)
    return True
