"""Aliases of typing pass on what is asked of them, and what is stored: nothing of it reaches what everybody shares."""

from __future__ import annotations

import re
import shlex
from xml.dom import minidom

import pytest

from tests.snippet.running import Step, value_of

_ASKED = """
import typing
told = []
class Equal:
    def __eq__(self, other):
        told.append(other)
        return True
    def __hash__(self): return 0
    def __mro_entries__(self, bases): return ()
{act}
[each is type for each in told if repr(each) == repr(type)]
"""

#: What has typing compare the class that its `Type` stands for with an object of the snippet's.
COMPARED = {
    "among the bases of a class": "class C(Equal(), typing.Type): pass",
    "among bases, by the name of the method": "typing.Type.__mro_entries__((Equal(),))",
    "with another alias": "typing.Type[int] == typing.Annotated[Equal(), 1]",
}


@pytest.mark.parametrize("act", COMPARED.values(), ids=COMPARED)
def test_an_object_that_is_compared_with_an_alias_is_not_told_of_the_type_of_types(act):
    assert value_of(_ASKED.format(act=act)) == [True]


#: What has an alias, or a proxy, set an attribute of what it gives or stands for: of what everybody has.
SET = {
    "a member of an enum": "typing.Annotated[re.RegexFlag, 1](re.I)",
    "a function": "typing.Annotated[lambda: shlex.quote, 1]()",
    "a class of nodes": "a.ownerDocument.appendChild(typing.Annotated[minidom.DocumentType, 1])",
    "a class of nodes, by a proxy": "a.ownerDocument.appendChild(weakref.proxy(minidom.DocumentType))",
}


@pytest.mark.parametrize("act", SET.values(), ids=SET)
def test_an_alias_sets_nothing_on_what_everybody_shares(act):
    shared = (re.I, shlex.quote, minidom.DocumentType)
    before = [{**vars(each)} for each in shared]
    Step(check_first=False).run(
        "import re, shlex, typing, weakref\nfrom xml.dom import minidom\n"
        f"a = minidom.parseString('<a/>').documentElement\n{act}"
    )
    after = [{**vars(each)} for each in shared]
    for each, kept, found in zip(shared, before, after, strict=True):
        for name in found.keys() - kept.keys():
            delattr(each, name)
    assert [found.keys() - kept.keys() for kept, found in zip(before, after, strict=True)] == [set()] * 3


def test_aliases_mean_what_they_meant():
    source = """
import typing, collections
T = typing.TypeVar("T")
class Box(typing.Generic[T]):
    def __init__(self, held=None): self.held = held
class Flat:
    __slots__ = ()
class Meta(typing.Type): pass
made = typing.Annotated[Box[int], "x"](3)
[made.held, made.__orig_class__ == typing.Annotated[Box[int], "x"], typing.Counter[str]("aa")["a"],
 type(typing.Annotated[Flat, 1]()) is Flat, repr(typing.Type), repr(typing.Type[int]), typing.Type[int].__args__,
 typing.get_origin(typing.Type[int]) is type, isinstance(Meta("C", (), {}), type), isinstance(int, typing.Type),
 typing.Optional[typing.Type[int]] == typing.Union[typing.Type[int], None]]
"""
    assert value_of(source.replace("typing.Type[int].__args__", "typing.Type[int].__args__ == (int,)")) == [
        3, True, 2, True, "typing.Type", "typing.Type[int]", True, True, True, True, True,
    ]  # fmt: skip
