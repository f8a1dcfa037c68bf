"""The kind of a class is `type` itself, which makes classes that nobody checks: no library makes anything of it."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

_START = """
import collections, fractions, weakref
class Says:
    def __init__(self, value): self.value = value
    def copy(self): return self.value
    lower = __add__ = lambda self, *other: self.value
class C:
    maps = [Says("Made"), (), {}]
    data = Says(int)
"""

#: Each would give `type`, or a class that it has made of a name, bases and whatever else.
WAYS = {
    "a copy": "collections.Counter.copy(int)",
    "a copy of a set": "weakref.WeakSet.copy(int)",
    "another chain": "collections.ChainMap.copy(C)",
    "a child of a chain": "C.maps = [(), {}]\ncollections.ChainMap.new_child(C, 'Made')",
    "what stands above in a chain": "C.maps = [1, 'Made', (), {}]\ncollections.ChainMap.parents.fget(C)",
    "the same, bound": "C.maps = [1, 'Made', (), {}]\ncollections.ChainMap.parents.__get__(C)",
    "a sum": "collections.UserList.__add__(C, [])",
    "a sum of what stands for the class": "collections.UserList.__add__(weakref.proxy(C), [])",
    "a text": "collections.UserString.lower(C)",
    "a text, bound": "collections.UserString.lower.__get__(C)()",
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_no_method_of_a_library_makes_another_of_the_kind_of_a_class(source):
    failure = Step(check_first=False).run(_START + source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "AttributeError")
    assert "instance" in failure.message


def test_methods_make_another_of_the_kind_of_an_instance():
    source = _START + (
        "class U(collections.UserList): pass\n"
        "class Named(property):\n    def __get__(self, subject, owner): return super().__get__(owner)\n"
        "class N:\n    @Named\n    def name(cls): return cls.__name__\n    other = property(lambda cls: cls.__name__)\n"
        "chain = collections.ChainMap({'a': 1}, {'b': 2})\n"
        "[type(collections.UserList.__add__(U([1]), [2])) is U, collections.UserString.lower(collections.UserString('A')) == 'a',"
        " collections.Counter.copy(collections.Counter('aab'))['a'], dict(chain.new_child({'c': 3}).parents.parents),"
        " U([1]) * 2 == [1, 1], N.name, N.other.fget(N), N.other.__get__(N), fractions.Fraction.__copy__(fractions.Fraction(1, 2)) * 2]"
    )
    outcome = Step(check_first=False).run(source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == [True, True, 2, {"b": 2}, True, "N", "N", "N", 1]


#: Library → functions that make another of the kind of what they are given or keep; each tells `found`.
FUNCTIONS = {
    "sympy": "import sympy\nclass X: is_Atom, args = False, (1,)\nclass G:\n    def _sympy_(self): return X\n"
    "found.append(sympy.use(G(), lambda part: int, 1))",
    "networkx": "import networkx as nx\nclass X: pass\nclass S(str):\n    test, core_1, G1, G2, state = 'graph', {}, [1], [1], X\n"
    "    def candidate_pairs_iter(self): yield (), {'restore': classmethod(found.append)}\n"
    "    def syntactic_feasibility(self, *nodes): return True\n    semantic_feasibility = syntactic_feasibility\n"
    "    def match(self): return iter(())\nlist(nx.isomorphism.GraphMatcher.match(S('Made')))",
}


@pytest.mark.parametrize(("library", "source"), FUNCTIONS.items())
def test_no_function_of_a_library_is_told_of_type_itself(library, source):
    pytest.importorskip(library)
    step = Step(check_first=False, imports=(library,))
    outcome = step.run(f"found = []\n{source}")
    assert outcome.failure is None, outcome.failure
    kinds = step.run("found[0] is type or vars(found[0])['__module__']")
    assert kinds.failure is None, kinds.failure
    assert kinds.value in (True, "__main__")


def test_the_host_is_told_of_a_class_what_it_is():
    class A:
        pass

    Step().run("1")
    assert A.__class__ is type
    assert isinstance(A, type)
    with pytest.raises(TypeError):
        A.__class__ = int  # type: ignore[assignment]  # it is no kind of class
