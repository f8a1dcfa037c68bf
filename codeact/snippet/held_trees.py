"""Trees of `xml.etree`, whose C code asks a snippet's objects while it holds on to less than it should.

`e.remove(x)` compares each element with `x`, whose `__eq__` may have `e` let go of it; `e[1:9] = x` goes through `x`,
which may have `e` shrink. So what is asked for is asked for before, or by Python over what holds it.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Iterable, Iterator
from typing import Any

from codeact.snippet import ownership, running
from codeact.snippet.defects import INIT, own, put, put_late
from codeact.snippet.ownership import class_of
from codeact.snippet.patches import put_on
from codeact.snippet.running import our_own_work
from codeact.snippet.words import dunders, word_set, words

_ITEM, _STORE = (-7, 1), (-7, 2)  # a table, by how far from the flags of a class it stands, and the place
_ASKED = {"compared": frozenset(dunders("eq hash")), "indexed": frozenset(dunders("index"))}

_begun: set[str] = set()
_done: set[str] = set()


def guard() -> None:
    """Guard the trees, in the whole process."""
    from xml.etree import ElementPath
    from xml.etree import ElementTree as real  # as everyone writes it

    if "trees" in _begun:
        return
    _begun.add("trees")
    for name in words("find findtext findall"):
        put_on(real.Element, name, _finding(vars(real.Element)[name], vars(ElementPath)[name], real.Element))
    for function in (_iter(real.Element), _get(real.Element), _set(real.Element)):
        put_on(real.Element, function.__name__, function)
    for function in (_remove(real.Element), _deepcopy(real.Element)):
        put_on(real.Element, function.__name__, function)
    for kind, names in ((real.TreeBuilder, "start end data comment pi close"), (real.XMLParser, "feed close")):
        for name in words(names):
            put_on(kind, name, _alone(vars(kind)[name]))
    put(real.TreeBuilder, {"__init__": _making_elements(real.TreeBuilder, real.Element)}, INIT)
    put(real.Element, _with_plain_places(real.Element, "setitem delitem"), _STORE)
    _begin()


def look(names: Iterable[str]) -> None:
    """Begin to compare tags by Python once there is a class whose objects say what they are equal to, and so on."""
    _begun.add("classes")
    for what, asked in _ASKED.items():
        if what not in _begun and not asked.isdisjoint(names):
            _begun.add(what)
            with our_own_work():
                _begin()


def _begin() -> None:
    if "trees" not in _begun:
        return
    from xml.etree import ElementTree as real  # as everyone writes it

    new = _begun - _done
    _done.update(_begun)
    if "indexed" in new:
        put_late(real.Element, _with_plain_places(real.Element, "getitem"), _ITEM)


# ------------------------------------------------------------------------------------------------ places


def _with_plain_places(kind: Any, names: str) -> dict[str, Any]:
    return {name: _with_plain_place(own(kind, name)) for name in dunders(names)}


def _with_plain_place(real: Any) -> Any:
    kind_of, listed = type, (list, tuple)  # by this name it is none that makes another of its kind, for `borrowed`

    @functools.wraps(real)
    def call(self: Any, place: Any, /, *values: Any) -> Any:
        if kind_of(place) is slice:
            parts = (place.start, place.stop, place.step)
            place = slice(*[each if each is None else operator.index(each) for each in parts])
            if values and kind_of(values[0]) not in listed and hasattr(kind_of(values[0]), "__iter__"):
                values = ([*values[0]],)
        elif kind_of(place) is not int and hasattr(kind_of(place), "__index__"):
            place = operator.index(place)
        return real(self, place, *values)

    return call


def _remove(kind: Any) -> Any:
    real, at = kind.remove, kind.__getitem__
    try:
        real(kind("a"), kind("b"))
    except ValueError as error:
        missing = str(error)

    @functools.wraps(real)
    def remove(self: Any, subelement: Any, /) -> None:
        if kind not in ownership.mro_of(class_of(subelement)):
            return real(self, subelement)  # type: ignore[no-any-return]  # it says what it takes
        for place, each in enumerate(at(self, slice(None))):
            if each is subelement or each == subelement:
                if not any(found is each for found in at(self, slice(place, place + 1))):
                    raise RuntimeError("the children of the element changed during remove()")
                return kind.__delitem__(self, place)  # type: ignore[no-any-return]  # None
        raise ValueError(missing)

    return remove


# ------------------------------------------------------------------------------------------------ copies


def _deepcopy(kind: Any) -> Any:
    real, at, kind_of = vars(kind)["__deepcopy__"], vars(kind)["__getitem__"], type

    def part(subject: Any, memo: Any) -> Any:
        return subject if kind_of(subject) in _PLAIN else copy.deepcopy(subject, memo)

    def copied(subject: Any, memo: Any) -> Any:
        attributes = subject.attrib
        if kind_of(attributes) is dict:
            attributes = {part(name, memo): part(value, memo) for name, value in [*attributes.items()]}
        else:
            attributes = copy.deepcopy(attributes, memo)
        made = kind(part(subject.tag, memo), attributes)
        made.text, made.tail = part(subject.text, memo), part(subject.tail, memo)
        for each in at(subject, _ALL):
            is_new = kind_of(each) is kind and id(each) not in memo
            made.append(copied(each, memo) if is_new else copy.deepcopy(each, memo))
        memo[id(subject)] = made
        return made

    @functools.wraps(real)
    def __deepcopy__(self: Any, memo: Any, /) -> Any:
        is_asked = "classes" in _begun and dict in ownership.mro_of(class_of(memo))
        return copied(self, memo) if is_asked else real(self, memo)

    return __deepcopy__


# ------------------------------------------------------------------------------------------------ tags and attributes


def _finding(real: Any, by_path: Any, kind: Any) -> Any:
    kind_of, at = type, vars(kind)["__getitem__"]

    @functools.wraps(real)
    def find(self: Any, /, path: Any, *more: Any, **named: Any) -> Any:
        if "compared" not in _begun or (
            kind_of(path) is str and _PLAIN.issuperset([kind_of(each.tag) for each in at(self, _ALL)])
        ):
            return real(self, path, *more, **named)
        return by_path(self, path, *more, **named)

    return find


_PLAIN = frozenset((str, type(None), type(look)))  # those of comments are functions
_ALL = slice(None)


def _iter(kind: Any) -> Any:
    real = vars(kind)["iter"]

    @functools.wraps(real)
    def iter(self: Any, /, tag: Any = None) -> Iterator[Any]:
        if "compared" not in _begun:
            return real(self, tag)  # type: ignore[no-any-return]  # an iterator
        found: Iterator[Any] = real(self)
        if tag is None or (str in ownership.mro_of(class_of(tag)) and str.__eq__(tag, "*")):
            return found
        return (each for each in found if each.tag is tag or each.tag == tag)

    return iter


def _get(kind: Any) -> Any:
    attributes_of = vars(kind)["attrib"].__get__

    @functools.wraps(vars(kind)["get"])
    def get(self: Any, /, key: Any, default: Any = None) -> Any:
        return dict.get(attributes_of(self), key, default)

    return get


def _set(kind: Any) -> Any:
    attributes_of = vars(kind)["attrib"].__get__

    @functools.wraps(vars(kind)["set"])
    def set(self: Any, key: Any, value: Any, /) -> None:
        dict.__setitem__(attributes_of(self), key, value)

    return set


# ------------------------------------------------------------------------------------------------ builders


_working: set[int] = set()


def _alone(real: Any) -> Any:
    """What builds a tree adds to the text of an element, which may be a snippet's: it is not entered again there."""

    @functools.wraps(real)
    def call(self: Any, /, *given: Any) -> Any:
        if not ownership.classes_made:
            return real(self, *given)
        if (at := id(self)) in _working:
            if running.is_in_a_step():
                raise RuntimeError("the tree is being built already")
            return real(self, *given)
        _working.add(at)
        try:
            return real(self, *given)
        finally:
            _working.discard(at)

    return call


_FACTORIES = word_set("element_factory comment_factory pi_factory")


def _making_elements(builder: Any, kind: Any) -> Any:
    """What builds trees lends what it has open to what it makes: elements of C ask nobody."""
    real = vars(builder)["__init__"]

    def checked(factory: Any) -> Any:
        def make(*arguments: Any) -> Any:
            made = factory(*arguments)
            if ownership.is_own_class(class_of(made)) or kind not in ownership.mro_of(class_of(made)):
                raise TypeError(
                    f"a factory of TreeBuilder makes an Element inside a snippet, not {class_of(made).__name__!r}"
                )
            return made

        return make if running.is_in_a_step() and factory is not kind else factory

    @functools.wraps(real)
    def __init__(self: Any, /, element_factory: Any = None, **named: Any) -> None:
        given = {"element_factory": element_factory, **named}
        factories = {name: checked(each) for name, each in given.items() if each is not None and name in _FACTORIES}
        real(self, **{**given, **factories})

    return __init__
