"""What libraries ask and tell of classes: a snippet is told of `type` by what stands for it."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step, value_of

ASKED = (
    "import abc, functools, types, typing\ntold = []\nclass M(type):\n    def __subclasscheck__(cls, sub):\n"
    "        told.append(sub)\n        return False\nclass T(metaclass=M): pass\nclass C(abc.ABC): pass\n"
)
TELLING = {
    "a dispatcher": "f = functools.singledispatch(lambda x: 1)\nf.register(T)(lambda x: 2)\nf(int)",
    "an abstract class with which it is registered": "C.register(T)\nisinstance(int, C)",
    "by a function that says it is told already": "class M(type):\n    def __subclasscheck__(cls, sub): told.append(sub)\n"
    "    __subclasscheck__.__wrapped__ = M.__subclasscheck__\nclass T(metaclass=M): pass\nC.register(T)\nisinstance(int, C)",
    "an alias": "told = typing.Type[int].__mro_entries__((typing.Type[int],))",
    "an alias, by what resolves it": "told = types.resolve_bases((typing.Type[int],))",
}


@pytest.mark.parametrize("source", TELLING.values(), ids=TELLING)
def test_no_library_tells_a_snippet_of_type_itself(source):
    assert value_of(f"{ASKED}{source}\n[type in told, [one for one in told if one == type and one is not type]]") == [
        True,
        [],
    ]


def test_no_library_that_asks_what_an_object_takes_tells_it_of_type():
    pytest.importorskip("sklearn")
    source = (
        "from sklearn.utils.validation import has_fit_parameter\ntold = []\nclass A:\n    def __call__(self, x): pass\n"
        "    def __eq__(self, other): told.append(other)\nclass E: fit = A()\n[has_fit_parameter(E(), 'x'), told]"
    )
    assert Step(check_first=False, imports=("sklearn",)).run(source).value == [True, []]


DUCKS = {
    "a class of its own": "class D:\n    _abc_impl = C._abc_impl\n    def __subclasscheck__(self, sub): told.append(sub)\nd = D()",
    "a name of its own": "class D: pass\nd = D()\nd.__dict__.update({'_abc_impl': C._abc_impl, '__subclasscheck__': told.append})",
}


@pytest.mark.parametrize("source", DUCKS.values(), ids=DUCKS)
def test_what_is_no_class_is_not_asked_as_one(source):
    asking = "try: abc.ABCMeta.__instancecheck__(d, int)\nexcept TypeError: told.append('refused')\ntold"
    assert value_of(f"{ASKED}{source}\n{asking}") == ["refused"]


def test_classes_answer_for_others_as_ever():
    source = """
import abc, types, typing
class Even(type):
    def __instancecheck__(cls, x): return isinstance(x, int) and x % 2 == 0
    def __subclasscheck__(cls, sub):
        "Whether it is."
        return sub is int or super().__subclasscheck__(sub)
class E(metaclass=Even): pass
class Below(E): pass
class Own:
    def __mro_entries__(self, bases): return (dict,)
class Of(Own()): pass
[
    isinstance(4, E), isinstance(3, E), issubclass(int, E), issubclass(str, E), issubclass(Below, E), issubclass(E, E),
    Even.__subclasscheck__.__doc__, type.__instancecheck__(int, 1), int.__subclasscheck__(bool),
    abc.ABCMeta.__instancecheck__(abc.ABC, 1), issubclass(Of, dict), types.resolve_bases((Own(), int)) == (dict, int),
    typing.List[int].__mro_entries__((typing.List[int],)) == (list, typing.Generic), type(Even.__subclasscheck__).__name__,
]
"""
    flags = [True, False, True, False, True, True]
    assert value_of(source) == [*flags, "Whether it is.", True, True, False, True, True, True, "function"]
