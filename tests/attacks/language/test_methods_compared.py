"""Methods that are compared: what a snippet binds is told no function of ours, and of no library's."""

from __future__ import annotations

import types

import pytest

from tests.snippet.running import Step

_ASKED = """
import logging, types
told = []
class Asked:
    def __call__(self, *given): pass
    def __eq__(self, other): told.append(other)
    __ne__ = __eq__
"""

COMPARED = {
    "a method of ours": "types.MethodType(Asked(), 1) == open",
    "the other way round": "open == types.MethodType(Asked(), 1)",
    "not equal": "types.MethodType(Asked(), 1) != open",
    "a method of a library": "types.MethodType(Asked(), 1) == logging.getLogger('x').setLevel",
    "a method of a class": "class A: go = classmethod(Asked())\nA.go == open",
    "in a list": "class A: go = classmethod(Asked())\nA.go in [open]",
}


@pytest.mark.parametrize("source", COMPARED.values(), ids=COMPARED)
def test_no_function_of_a_method_is_told_by_comparing_it(source):
    running = Step(check_first=False)
    assert running.run(_ASKED + source).failure is None
    assert running.run("told").value == []


def test_methods_are_equal_that_were():
    source = """
class A:
    def go(self): pass
    @classmethod
    def make(cls): pass
a, b = A(), A()
heard = [a.go, b.go]
heard.remove(b.go)
[a.go == a.go, a.go != b.go, heard == [a.go], A.make == A.make, a.go != 3, {a.go: 1}[a.go] == 1, open == open]
"""
    assert Step().run(source).value == [True] * 7


def test_the_host_compares_methods_as_ever():
    class Alike:
        def __call__(self) -> None: ...
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Alike)

        __hash__ = None

    Step()
    one, other = types.MethodType(Alike(), 1), types.MethodType(Alike(), 1)
    assert one == other
    assert not one != other  # noqa: SIM202  # it is asked by another name
    assert one != types.MethodType(Alike(), 2)
