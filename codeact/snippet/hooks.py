"""The names a rewritten snippet finds among its builtins, and that no snippet can say."""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Mapping
from typing import Any

from codeact.snippet import attributes, endless, ownership, rules, special, types_
from codeact.snippet.charged import Charged
from codeact.snippet.charges import Charges, other_range, same
from codeact.snippet.consumed import IN_C, SIZED
from codeact.snippet.given import fresh
from codeact.snippet.meter import Meter
from codeact.snippet.named import named


def of_any_name(meter: Meter, charges: Charges) -> dict[str, Any]:
    """The builtins that are charged whatever they are called by."""
    return {
        "iter": Charged(iter, endless.iter_(meter.elements.stream)),
        "pow": Charged(pow, charges.pow),
    }


def hooks(meter: Meter, charges: Charges, builtins: Mapping[str, Any], restore: Callable[[], None]) -> dict[str, Any]:
    """All hooks of one namespace; `builtins` are the snippet's, by which metered calls of them are told."""
    return {
        **_CONSTANT,
        rules.LOOPS: meter.loops.stream,
        rules.POLLS: meter.loops.stream,
        rules.CALLS: meter.calls.stream,
        rules.AGAIN: meter.again,
        rules.EACH: charges.each,
        rules.ITEMS: charges.each_item,
        rules.LISTED: charges.each_listed,
        rules.SEARCHED: charges.searched,
        rules.GIVEN_TO: charges.given_to,
        rules.ADDED: charges.added,
        rules.ANY: charges.until(any),
        rules.ALL: charges.until(all),
        rules.YIELDED: charges.yielded,
        rules.CHARGED: charges.charged,
        rules.RESTORE: restore,
        rules.POWER: charges.power,
        rules.POW: charges.pow,
        rules.SHIFT: charges.shift,
        rules.PLACES: charges.places,
        rules.MADE: charges.made,
        rules.TIMES: charges.times,
        rules.REMAINDER: charges.remainder,
        rules.QUOTIENT: charges.quotient,
        rules.DIVMOD: charges.divmod,
        rules.ROUND: charges.round,
        rules.WIDTH: charges.width,
        rules.IN_PLACE: charges.in_place,
        **{f" {word}": builtins[word] for word in (*rules.ITERATING, *rules.CALLED_AS)},
    }


def _super(*arguments: Any) -> Any:
    """What `super` with arguments is inside a snippet: only from a class of the snippet's own."""
    if 1 <= len(arguments) <= 2 and ownership.is_class(arguments[0]) and not ownership.is_own_class(arguments[0]):
        raise TypeError("super(cls, …) takes a class of your own")
    return super(*arguments)


def _class_of(subject: object) -> Any:
    """What `x.__class__` is where it is compared."""
    return special.class_told(subject) if ownership.is_own_class(type(subject)) else types_.type_of(subject)


_CONSTANT: dict[str, Any] = {
    rules.COMPRESS: itertools.compress,
    rules.NEXT: next,
    rules.PRIVATE: attributes.private,
    rules.STORE: attributes.store,
    rules.STORE_PRIVATE: attributes.store_private,
    rules.LOAD: attributes.load,
    rules.TYPE_NAME: attributes.type_name,
    rules.PLAIN: ownership.plain_classes,
    rules.STORABLE: ownership.storable_classes,
    rules.FACTORS: ownership.plain_factors,
    rules.TYPE: type,
    rules.SUPER: _super,
    rules.IN_C: IN_C | {range},
    rules.SIZED: SIZED,
    rules.SAME: same,
    rules.KIND: types_.type_of,
    rules.CLASS: _class_of,
    rules.ITER: iter,
    rules.SMALL_POW: pow,
    rules.GETATTR: getattr,
    rules.HASATTR: hasattr,
    rules.FRESH: fresh,
    rules.INT: int,
    rules.FLOAT: float,
    rules.RANGE: range,
    rules.GENERATOR: types.GeneratorType,
    rules.OTHER_RANGE: other_range,
    rules.SLICE: slice,
    rules.NAMED: named,
}
