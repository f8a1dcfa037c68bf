"""What the rewritten calls do while running: charge for the work, then have the work done as ever."""

from __future__ import annotations

import array
import collections
import decimal
import fractions
import functools
import hashlib
import heapq
import itertools
import math
import operator
import random
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from codeact.snippet import held_iterators
from codeact.snippet.charged import Charged
from codeact.snippet.consumed import COUNTABLE, SIZED, consumes, is_container
from codeact.snippet.digits import BY_PRECISION
from codeact.snippet.elements import BEYOND, BY_THE_SMALLER, FREE_SEPARATOR, FREE_WIDTH, WORD
from codeact.snippet.endings import CallRefused
from codeact.snippet.formatting import formatted, str_format, str_format_map
from codeact.snippet.meter import Meter
from codeact.snippet.operating import Operating
from codeact.snippet.ownership import is_own_function, mro_of
from codeact.snippet.rules import WRITING_METHODS
from codeact.snippet.whole import found, settled, whole
from codeact.snippet.words import words

#: The types of functions and methods written in C: a method may be told the class that defines it.
_IN_C: tuple[type, ...] = (types.BuiltinFunctionType, type(array.array("b").extend))


_FEW = 32  # lists that are added without a look
_LEAST, _MOST = -(1 << 4096), 1 << 4096  # numbers between them are not looked at
_LONGEST_DIGEST = 64  # bytes of a key that take all the rounds once
_JOINED = frozenset((list, tuple, set, frozenset, dict))
_COPIED = 40  # items of a list that are copied at the price of one operation; it is half as long on the way


class Charges(Operating):
    """The hooks of one session that charge its meter."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter)
        self._functions: dict[object, Callable[..., Any]] = self._library()
        self._methods: dict[str, Callable[..., Any]] = self._of_methods()
        self._unbound_names = self._methods.keys() | BY_PRECISION.keys()

    # ------------------------------------------------------------------------------------------------ calls

    def charged(self, function: Any) -> Any:
        """The function itself, or one that charges for its work first where its name only promised it."""
        kind = type(function)
        if kind in _IN_C:
            owner = function.__self__
            if type(owner) is types.ModuleType:
                return self._functions.get(function, function)
            owned: Any = type(owner)
            if owned is decimal.Decimal or owned is decimal.Context:
                meant = self.by_precision if function.__name__ in BY_PRECISION else None
            else:
                known = is_container(owned) or issubclass(owned, int) or owner is dict or owner is itertools.chain
                known = known or function.__name__ in (*WRITING_METHODS, "digest", "hexdigest")
                meant = self._methods.get(function.__name__) if known else None
        elif kind is type or kind is types.FunctionType or function is fractions.Fraction:
            return self._functions.get(function, function)
        elif kind is types.MethodType and function.__func__ is random.Random.sample:  # of a generator of one's own
            meant = self._drawn
        elif kind is types.MethodType and (
            _writes(function)
            or consumes(function.__self__, function.__name__)
            or function.__func__ is held_iterators.from_iterable
        ):
            meant = self._methods.get(function.__name__)
        elif kind is types.MethodDescriptorType and function.__name__ in self._unbound_names:
            meant = self._unbound
        elif kind is functools.partial and function.func in (str_format, str_format_map):
            return functools.partial(formatted, self._wide, function.func, *function.args)
        else:
            return function
        return function if meant is None else functools.partial(meant, function)

    def _of_methods(self) -> dict[str, Callable[..., Any]]:
        consuming = words(
            """extend extendleft update union symmetric_difference symmetric_difference_update fromkeys subtract
            issuperset"""
        )
        # bytearray.resize is there from Python 3.14 on
        padding = words("ljust rjust center zfill resize to_bytes digest hexdigest")
        return {
            **dict.fromkeys((*consuming, *WRITING_METHODS), self._consuming),
            **dict.fromkeys(padding, self._padded),
            "from_iterable": self._dripping,
            "expandtabs": self._expanded,
            "join": self._joined,
            **dict.fromkeys(BY_THE_SMALLER, self._of_a_set),
        }

    def _library(self) -> dict[object, Callable[..., Any]]:
        consuming: list[object] = [math.fsum, operator.countOf, operator.indexOf, array.array]
        consuming += [collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict]
        combining = [
            *(itertools.product, itertools.permutations),
            *(itertools.combinations, itertools.combinations_with_replacement),
        ]
        consuming.append(getattr(math, "sumprod", math.prod))  # from 3.12 on
        dripping: list[object] = [
            *(filter, itertools.islice, itertools.dropwhile, itertools.takewhile),
            *(itertools.filterfalse, itertools.compress, itertools.groupby),
        ]
        batched = getattr(itertools, "batched", None)  # from 3.12 on
        heaps = (heapq.heapify, getattr(heapq, "heapify_max", None))  # the latter from 3.14 on
        meant: dict[Any, Callable[..., Any]] = {
            **({batched: self._batched} if batched else {}),
            **dict.fromkeys(consuming, self._consuming),
            **dict.fromkeys(dripping, self._dripping),
            **dict.fromkeys(combining, self._combined),
            **dict.fromkeys((min, max), self._most),
            **dict.fromkeys((set, frozenset), functools.partial(self._going_through, self.each_item)),
            **dict.fromkeys((any, all), self._until),
            **dict.fromkeys((list, tuple, sorted), functools.partial(self._going_through, self.each_listed)),
            dict: functools.partial(self._going_through, self.each),
            math.dist: self._distance,
            sum: self._summed,
            **dict.fromkeys((bytes, bytearray), self._bytes),
            format: self._formatted,
            operator.contains: self._searched,
            functools.reduce: self._reduced,
            **dict.fromkeys((operator.pow, operator.ipow), self._powered),
            **dict.fromkeys((operator.lshift, operator.ilshift), self._shifted),
            hashlib.pbkdf2_hmac: self._rounds,
            itertools.tee: self._several,
            **dict.fromkeys(heaps, self._of_a_list),
            **self.of_exact_numbers(),
        }
        for function in (str_format, str_format_map):
            meant[function] = functools.partial(formatted, self._wide)
        return {function: functools.partial(charging, function) for function, charging in meant.items()}

    def by_any_name(self, function: Any) -> Charged:
        """What charges as this function of the library does, to be handed on."""
        return Charged(function, self._functions[function])

    def _unbound(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if not arguments or function.__objclass__ not in mro_of(type(arguments[0])):
            return function(*arguments, **keywords)  # which says what is wrong
        return self.charged(function.__get__(arguments[0]))(*arguments[1:], **keywords)

    def _padded(self, method: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        if not keywords and arguments and type(arguments[0]) is int:  # as nearly always, and twice as fast
            self._in_one_piece(arguments[0])
            return method(*arguments)
        arguments = (*map(settled, arguments[:1]), *arguments[1:])
        keywords = {name: settled(value) for name, value in keywords.items()}
        for width in (*arguments[:1], *keywords.values()):
            self._in_one_piece(whole(width))
        return method(*arguments, **keywords)

    def _in_one_piece(self, size: int) -> None:
        self._wide(size if size < BEYOND else 0)

    def _joined(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        separator = method.__self__
        if type(separator) is str and len(separator) > FREE_SEPARATOR and arguments and type(arguments[0]) in SIZED:
            self._wide(len(arguments[0]) * len(separator))
        return self._consuming(method, *arguments, **keywords)

    def _batched(self, kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        arguments, keywords = tuple(map(settled, arguments)), {name: settled(keywords[name]) for name in keywords}
        size = whole(keywords.get("n", arguments[-1] if arguments else 0))
        if size > FREE_WIDTH:
            self._charge(size)  # a batch has its room before its first item is asked for
        return self._dripping(kind, *arguments, **keywords)

    def _searched(self, function: Any, /, *arguments: Any) -> Any:
        return function(*[self.searched(argument) for argument in arguments[:1]], *arguments[1:])

    def _reduced(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """What a function in C gives is charged each time: a list or a number may grow with each, and is made anew."""
        if not arguments or is_own_function(combine := arguments[0]):
            return self._consuming(function, *arguments, **keywords)

        def combined(left: Any, right: Any) -> Any:
            found = combine(left, right)
            kind = type(found)
            if kind is int:
                if not _LEAST < found < _MOST:
                    self._charge(found.bit_length() // WORD // _COPIED)
            elif kind in _JOINED and len(found) > _COPIED:
                self._charge(len(found) // _COPIED)
            return found

        return self._consuming(function, combined, *arguments[1:], **keywords)

    def _powered(self, function: Any, /, *arguments: Any) -> Any:
        if len(arguments) == 2:
            self._power(*arguments)
        return self.made(function(*arguments))

    def _shifted(self, function: Any, /, *arguments: Any) -> Any:
        if len(arguments) == 2:
            self.places(arguments[1], arguments[0])
        return function(*arguments)

    def _formatted(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        for part in arguments[1:]:
            self.width(part)
        return function(*arguments, **keywords)

    def _expanded(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        arguments, keywords = tuple(map(settled, arguments)), {name: settled(keywords[name]) for name in keywords}
        self._wide(whole((*arguments, *keywords.values(), 8)[0]) * len(method.__self__))
        return method(*arguments, **keywords)

    def _bytes(self, kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if not arguments and keywords.keys() == {"source"}:
            arguments, keywords = (keywords["source"],), {}
        if len(arguments) != 1 or keywords:
            return self._consuming(kind, *arguments, **keywords)
        source = arguments[0]
        if kind is bytearray or found(type(source), "__bytes__") is None:
            source = settled(source)
        if issubclass(type(source), int):
            self._in_one_piece(whole(source))
            return kind(source)
        if kind is bytes and type(source) in weakref.ProxyTypes:
            return bytes(source)  # asks the object behind it for its `__bytes__`
        if type(source) in (bytes, bytearray):  # which are copied in one piece
            self._wide(len(source))
            return kind(source)
        return self._consuming(kind, source)

    def _going_through(self, each: Callable[[Any], Any], function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        return function(*map(each, arguments[:1]), *arguments[1:], **keywords)

    def _combined(self, kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """`r` items are taken at once, or the iterables `repeat` times: there is room for them before the first."""
        keywords = {name: settled(value) for name, value in keywords.items()}
        arguments = tuple(map(settled, arguments)) if kind is not itertools.product else arguments
        taken = keywords.get("r", arguments[1] if len(arguments) > 1 else None)
        size = whole(taken) if kind is not itertools.product else whole(keywords.get("repeat")) * len(arguments)
        self._charge(size if size > FREE_WIDTH else 0)
        return self._consuming(kind, *arguments, **keywords)

    def _distance(self, function: Any, /, *arguments: Any) -> Any:
        return function(*map(self.each_item, arguments))

    def _of_a_list(self, function: Any, /, *arguments: Any) -> Any:
        is_one = len(arguments) == 1 and issubclass(type(arguments[0]), list)
        return self._consuming(function, *arguments) if is_one else function(*arguments)

    def _summed(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """Lists are added one after the other, each time to a copy of what there is."""
        start: Any = type(arguments[1] if len(arguments) > 1 else keywords.get("start"))
        items = arguments[0] if arguments else ()
        if start in (list, tuple) and type(items) in COUNTABLE and len(items) > _FEW:
            self._charge(len(items) * sum(len(item) for item in items if type(item) is start) // _COPIED)
        return self._going_through(self.each_item, function, *arguments, **keywords)

    def _drawn(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """There is room for all that are drawn before the first is."""
        arguments, keywords = tuple(map(settled, arguments)), {name: settled(keywords[name]) for name in keywords}
        self._charge(max(map(whole, (*arguments, *keywords.values())), default=0))
        return method(*arguments, **keywords)

    def _several(self, function: Any, /, *arguments: Any) -> Any:
        if len(arguments) > 1:  # else there are two
            arguments = (*arguments[:1], *map(settled, arguments[1:]))
            self._charge(whole(arguments[1]))
        return function(*arguments)

    def _rounds(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        arguments, keywords = tuple(map(settled, arguments)), {name: settled(keywords[name]) for name in keywords}
        rounds, length = (*arguments[3:5], 0, 0)[:2]
        blocks = 1 + whole(keywords.get("dklen", length)) // _LONGEST_DIGEST
        self._charge(whole(keywords.get("iterations", rounds)) * blocks)
        return function(*arguments, **keywords)


def _writes(method: types.MethodType) -> bool:
    return method.__name__ in WRITING_METHODS and not is_own_function(method.__func__)


def same(subject: Any, let_go: None = None) -> Any:
    """The argument itself."""
    return subject


def other_range(*arguments: Any) -> NoReturn:
    """What a loop over `range` calls where that is not the builtin and a product was taken to be one of its numbers."""
    raise CallRefused(
        "range() is a name of your own here, and what the loop gives is multiplied: call your function something else"
    )
