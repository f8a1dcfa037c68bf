"""What class statements and calls take, in plain CPython and in ours: what they do is the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "keywords of a class under the names of what makes classes": """
import abc, enum
class Plugin:
    def __init_subclass__(cls, /, **given):
        super().__init_subclass__()
        print(cls.__name__, given)
class Named(Plugin, name="one", bases=2, names=3, namespace=4, body=5): pass
class Meta(type):
    def __new__(mcs, word, above, defined, /, **given): return super().__new__(mcs, word, above, defined, **given)
    def __init__(cls, word, above, defined, /, **given): super().__init__(word, above, defined)
class AbcMeta(abc.ABCMeta):
    def __new__(mcs, word, above, defined, /, **given): return super().__new__(mcs, word, above, defined, **given)
class Made(Plugin, metaclass=Meta, name="two", bases=2, namespace=3, mcs=4, self=5): pass
class Abstract(Plugin, metaclass=AbcMeta, name="three", bases=2, namespace=3, mcs=4): pass
type("Called", (Plugin,), {}, name="four", bases=2, namespace=3, mcs=4)
globals().update(name="five", self="six")
name, self
""",
    "classes in brackets": """
import abc, enum, typing
class Meta(type): pass
class Own(type):
    def __class_getitem__(cls, item): return cls.__name__, item
class Indexed(type):
    def __getitem__(cls, item): return cls.__name__, item
class A(metaclass=Meta): pass
class B(metaclass=Own): pass
class C(metaclass=Indexed): pass
print(type[int], type[int].__origin__ is type, typing.get_args(type[int]), Own[int], C[3], isinstance(type[int], type))
for wrong in (Meta, A, B, Indexed, abc.ABCMeta, enum.EnumMeta, object):
    try: wrong[int]
    except (TypeError, KeyError) as error: print(error)
hasattr(type, "__class_getitem__")
""",
    "docstrings of the fields of named tuples": """
import collections, inspect, typing
Book = collections.namedtuple("Book", "id title")
class Point(typing.NamedTuple):
    x: int = 0
class Above(Book): pass
Book.id.__doc__ = "13 digits"
Book.title.__doc__ += "!"
Point.x.__doc__ = "across"
for act in ("Book(1, 2).id.__doc__ = ''", "Book.id.name = 1", "Book(1, 2).id = 3"):
    try: exec(act)
    except AttributeError as error: print(error)
Book.id.__doc__, Above.title.__doc__, Point.x
""",
    "metaclasses that are given too little": """
class Meta(type): pass
for make in (Meta, lambda: Meta("A", ()), lambda: type.__new__(Meta), lambda: type.__new__(type, 1, 2), lambda: type(1, 2)):
    try: make()
    except TypeError as error: print(error)
""",
    "names of what a frozen dataclass sets": """
import dataclasses
@dataclasses.dataclass(frozen=True)
class Fixed:
    x: int
Fixed.__setattr__, Fixed.__delattr__.__qualname__, Fixed.__hash__
""",
    "what a view of memory is": """
import collections.abc as kinds
asked = (kinds.Sequence, kinds.Reversible, kinds.Hashable, kinds.MutableSequence, kinds.Set)
[(issubclass(memoryview, kind), isinstance(memoryview(b""), kind)) for kind in asked]
""",
    "errors of two kinds": """
class Missing(AttributeError, KeyError): pass
raise Missing("x")
""",
    "errors of two kinds, the other way round": """
class Missing(KeyError, AttributeError): pass
raise Missing("x")
""",
    "an environment that is changed in place": """
import os
before = os.environ
os.environ |= {"HERE": "1"}
print(os.environ is before, os.environ["HERE"], os.getenv("HERE"))
try: os.environ |= 5
except TypeError as error: print(error)
""",
}


def test_the_fields_of_a_librarys_named_tuple_keep_their_docstrings() -> None:
    source = "import inspect\nclass Taken(tuple): args = inspect.FullArgSpec.args\n"
    for act in ("inspect.FullArgSpec.args.__doc__ = 'mine'", "Taken.args.__doc__ = 'mine'"):
        assert in_ours(source + act)[0].type == "AttributeError"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_with_classes_does_what_it_does_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None or failure.kind == "raised"
    assert ours == in_cpython(PROGRAMS[name])
