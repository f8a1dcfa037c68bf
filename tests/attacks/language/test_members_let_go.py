"""What a class lets go of is found by nobody while it goes, whatever runs then. Run in a cage.

Each of these gave, in CPython 3.11 and with the cage off, a list or a tuple in memory that is somebody else's by then:
any object by its address, and so the builtins of the interpreter.
"""

from __future__ import annotations

import pytest

from codeact import Session
from tests.fidelity.comparing import printed_in_folders

_START = """
import io, weakref
class A: x = 'new'
a = A()
def note():
    global found
    found = getattr(A, 'x', 'gone')
def ends():
    try: yield
    finally: note()
"""
_THEN = """
kept = [bytearray(b'A' * size) for size in range(15, 300) for _ in range(30)]
found
"""
_BY_A_GENERATOR = "x = ends()\nnext(x)\nA.x = [x, 'mine']\ndel x\nfor _ in range(9): A.x\n"
_METACLASS = """
class Meta(type):
    def __setattr__(cls, name, value): super().__setattr__(name, value)
class A(metaclass=Meta): x = 'new'
"""
_TWICE = """
def put(cls, *values):
    cls.y = 1
    for _ in range(9): cls.x
    cls.x, = values
put(A, [])
"""

#: What is let go of, and how → what is found meanwhile.
FOUND = {
    "the end of a generator": (f"{_BY_A_GENERATOR}A.x = 'other'", "other"),
    "a callback of a weak reference": (
        "class Own: pass\nown = Own()\nr = weakref.ref(own, lambda r: note())\nA.x = [own]\ndel own\nA.x\nA.x = 'other'",
        "other",
    ),
    "a stream that is closed": (
        "class Own(io.BytesIO):\n    def close(self): note()\nA.x = (Own(), 1)\nA.x\nA.x = 'other'",
        "other",
    ),
    "what is deleted": (f"{_BY_A_GENERATOR}del A.x", "gone"),
    "what is set by a name": (f"{_BY_A_GENERATOR}setattr(A, 'x', 'other')", "other"),
    "what is deleted by a name": (f"{_BY_A_GENERATOR}delattr(A, 'x')", "gone"),
    "what is set by a method": (f"{_BY_A_GENERATOR}type.__setattr__(A, 'x', 'other')", "other"),
    "what a metaclass sets": (f"{_METACLASS}{_BY_A_GENERATOR}A.x = 'other'", "other"),
    "what is set after another": (f"{_TWICE}{_BY_A_GENERATOR}put(A, 'other')", "other"),
    "what is found by an instance": (
        "def note():\n    global found\n    found = a.x\n"
        "x = ends()\nnext(x)\nA.x = [x]\ndel x\nfor _ in range(9): a.x\nA.x = 'other'",
        "other",
    ),
}


@pytest.mark.parametrize(("source", "found"), FOUND.values(), ids=FOUND)
def test_what_a_class_lets_go_of_is_not_found_while_it_goes(session, source, found):
    outcome = session.run(f"{_START}{source}{_THEN}")
    assert (outcome.failure, outcome.value) == (None, found)


def test_what_sets_attributes_holds_them_also_where_it_was_picked_up_before_there_was_a_class():
    with Session() as session:
        session.run("put = type.__setattr__")
        assert session.run(f"{_START}{_BY_A_GENERATOR}put(A, 'x', 'other'){_THEN}").value == "other"


AS_EVER = """
import abc, dataclasses, enum
class Meta(type):
    p = property(lambda cls: 1)
    def __setattr__(cls, name, value):
        print('set', name)
        super().__setattr__(name, value)
class Plain(type): pass
class A: x = 1
class B(metaclass=Meta): x = 1
class C(metaclass=Plain): x = 1
class E(enum.Enum): a = 1
@dataclasses.dataclass
class D: x: int = 1
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
for cls in (A, B, C, E, D):
    cls.y = 2
    type.__setattr__(cls, 'z', 3)
    print(cls.y, cls.z, 'y' in vars(cls))
    del cls.y, cls.z
    print(hasattr(cls, 'y'))
A.__doc__, A.__qualname__ = 'said', 'Other'
print(A, A.__doc__, A().x)
tried(lambda: setattr(A, 'x', 2), lambda: delattr(A, 'none'), lambda: type.__setattr__(A, 5, 1), lambda: object.__setattr__(A, 'x', 1),
      lambda: object.__delattr__(C, 'x'), lambda: object.__setattr__(B, 'x', 1), lambda: setattr(B, 'p', 1), lambda: setattr(E, 'a', 2))
"""


def test_classes_take_and_lose_attributes_as_ever(tmp_path):
    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours == plain


def test_no_class_of_pythons_takes_an_attribute_once_a_snippet_has_made_one(run):
    assert run("class A: pass").failure is None
    for put in (setattr, type.__setattr__, object.__setattr__):
        with pytest.raises(TypeError):
            put(int, "own", 1)
