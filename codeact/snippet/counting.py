"""Functions of modules that charge for what they are given and for what they give, by whatever name they are called."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import endless
from codeact.snippet.charges import Charges
from codeact.snippet.consumed import COUNTABLE, IN_C, consumed_how, taken
from codeact.snippet.elements import FREE_WIDTH, Elements
from codeact.snippet.meter import Meter
from codeact.snippet.modules.consuming import AMOUNTS, CONSUMING, GOING_THROUGH, LOOKED_UP, WRITTEN_IN_C
from codeact.snippet.rules import COUNTED
from codeact.snippet.whole import settled, whole

_TEXT = frozenset({str})
_LETTERS = (str, bytes, bytearray)
_NOT_GONE_THROUGH = IN_C | {range}


class Counting(Elements):
    """Puts counting functions, and classes that count what they give, into the facades of one session."""

    def __init__(self, meter: Meter, charges: Charges) -> None:
        super().__init__(meter)
        self._endless = endless.kinds(meter.elements.stream)
        self._charges = charges

    def into(self, module: str, contents: dict[str, Any]) -> None:
        """Replace those of a module's functions that consume, among the contents of its facade."""
        if module == "itertools":
            contents.update(self._endless)
        for name in WRITTEN_IN_C.get(module, ()):
            if name in contents:
                contents[name] = self._charges.by_any_name(contents[name])
        for name in CONSUMING.get(module, ()):
            found = contents.get(name)
            if isinstance(found, types.FunctionType | types.BuiltinFunctionType):
                contents[name] = self._counting(found, module)
            elif type(found) is types.MethodType:
                contents[name] = types.MethodType(self._counting(found.__func__, module), found.__self__)
        if module == "statistics" and "kde" in contents:  # from Python 3.13 on
            contents["kde"] = self._estimating(contents["kde"])

    def _estimating(self, kde: Callable[..., Any]) -> Callable[..., Any]:
        """`kde` gives a function that goes through all its data each time it is called."""

        def calling(*given: Any, **named: Any) -> Any:
            estimate = kde(*given, **named)
            data = given[0] if given else named["data"]

            def counted(x: Any) -> Any:
                self.each(data)
                return estimate(x)

            return _like(counted, estimate)

        return _like(calling, kde)

    def _counting(self, function: types.FunctionType | Callable[..., Any], module: str) -> types.FunctionType:
        amount, looked_up = AMOUNTS.get(function.__name__, 0), LOOKED_UP.get(function.__name__, ())
        goes_through = function.__name__ in GOING_THROUGH.get(module, ())
        # statistics asks an iterator for its length, which it has not, and goes through a range
        untouched = IN_C if module == "statistics" else _NOT_GONE_THROUGH
        weighed = self._weighed if goes_through else functools.partial(self._weighed_whole, untouched)

        def calling(*arguments: Any, **keywords: Any) -> Any:
            if amount:
                arguments, keywords = (
                    tuple(map(settled, arguments)),
                    {name: settled(keywords[name]) for name in keywords},
                )
                self._charge(max(map(whole, (*arguments, *keywords.values())), default=0) // amount)
            if "indent" in keywords and arguments:  # of json and pprint: it stands before each item
                lines = len(arguments[0]) if type(arguments[0]) in COUNTABLE else 1
                self._wide(whole(keywords["indent"]) * lines)
            if not keywords and _TEXT.issuperset(map(type, arguments)) and sum(map(len, arguments)) <= FREE_WIDTH:
                found = function(*arguments)
            elif len(arguments) == 1 and not keywords:
                found = function(weighed(arguments[0]))
            else:
                named = {name: value if name in looked_up else weighed(value) for name, value in keywords.items()}
                given = [value if at in looked_up else weighed(value) for at, value in enumerate(arguments)]
                found = function(*given, **named)
            if type(found) in COUNTABLE:
                self._weighed(found)
            return found

        return _like(calling, function)

    def _weighed_whole(self, untouched: frozenset[type], subject: Any) -> Any:
        """The same of a function that does not go through some: it sees the object, to copy, show or index."""
        return subject if type(subject) in untouched else self._weighed(subject)

    def _weighed(self, subject: Any) -> Any:
        kind: Any = type(subject)
        if kind in _LETTERS:
            if len(subject) > FREE_WIDTH:
                self._wide(len(subject))
        elif kind in COUNTABLE:
            self._charge(len(subject))
        elif kind in IN_C or consumed_how(kind) is not taken:  # an open file is given to be written to
            return self.each(subject)
        return subject


def _like(counting: Callable[..., Any], function: Any) -> types.FunctionType:
    functools.update_wrapper(counting, function, updated=())
    del counting.__wrapped__  # type: ignore[attr-defined]  # what update_wrapper leaves, and nobody may ask for
    setattr(counting, COUNTED, getattr(function, COUNTED, function))
    return counting  # type: ignore[return-value]  # a function is one
