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
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_with_classes_does_what_it_does_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])
