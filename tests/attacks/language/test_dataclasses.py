"""What dataclasses writes into a class: methods that read and set fields, by whatever names and of whatever objects."""

from __future__ import annotations

import json

import pytest

_BEFORE = (
    "import copy, dataclasses, json, sys\nfrom dataclasses import dataclass\ncaught = []\nclass Catch:\n"
    "    def __eq__(self, other): caught.append(other)\n    __lt__ = __gt__ = __eq__\ndef g(): yield\nx = g()\n"
    "class A:\n    __class__ = property(lambda self: type(target))\n    gi_frame = _write = Catch()\n"
)
_LIES = "    __class__ = property(lambda self: type(x))\n"

#: Each compares a field of an object of the interpreter's or of ours with one of the snippet's.
COMPARED = {
    "of a generator": "target = x\n@dataclass\nclass D: gi_frame: object\nD.__eq__(x, A())",
    "of what is ours": "target = sys.stdout\n@dataclass\nclass D: _write: object\nD.__eq__(target, A())",
    "by an operator": f"@dataclass\nclass D:\n    gi_frame: object\n{_LIES}D(Catch()) == x",
    "by the order": f"@dataclass(order=True)\nclass D:\n    gi_frame: object\n{_LIES}D(Catch()) < x",
    "by the order, from the other side": f"@dataclass(order=True)\nclass D:\n    gi_frame: object\n{_LIES}x < D(Catch())",
    "by a name that Python reads as another": "target = x\nD = dataclasses.make_dataclass('D', ['\\uff47i_frame'], init=False)\n"
    "D.__eq__(x, A())",
    "through a class's dictionary": "target = x\n@dataclass\nclass D: gi_frame: object\nvars(D)['__eq__'](x, A())",
}

#: Each sets an attribute of a class of a library.
SET = {
    "through a class's dictionary": "vars(D)['__init__'](json.JSONEncoder, 1)",
    "through an instance's method that is copied": "copy.deepcopy(D(1).__init__)(1)",
    "through a metaclass": "class M(type):\n    def __new__(m, name, bases, names):\n        global init\n"
    "        init = names.get('__init__')\n        return super().__new__(m, name, bases, names)\n"
    "@dataclass(slots=True)\nclass S(metaclass=M): spoiled: int\ninit(json.JSONEncoder, 1)",
}


@pytest.mark.parametrize("source", COMPARED.values(), ids=COMPARED)
def test_a_field_is_compared_with_no_other_objects(run, source):
    run(_BEFORE + source)
    assert run("caught").value == []


@pytest.mark.parametrize("source", SET.values(), ids=SET)
def test_a_field_is_set_on_no_other_object(run, source):
    made = "@dataclass\nclass D:\n    spoiled: int\n    def __deepcopy__(self, memo): return json.JSONEncoder\n"
    try:
        assert run(_BEFORE + made + source).failure.type == "TypeError"
        assert not hasattr(json.JSONEncoder, "spoiled")
    finally:
        vars(json.JSONEncoder).get("spoiled") and delattr(json.JSONEncoder, "spoiled")


def test_a_field_below_a_class_of_a_library_is_not_set_past_its_rules(run):
    source = "import weakref\nclass W(weakref.WeakValueDictionary): pass\n@dataclass\nclass D: _remove: object\nD.__init__(W(), 1)"
    assert run(_BEFORE + source).failure.type == "TypeError"


def test_the_methods_of_a_dataclass_work_for_heirs_and_for_those_who_borrow_them(run):
    source = (
        "@dataclass(order=True)\nclass P:\n    x: int\n    self: int = 2\nclass Q(P):\n    def __init__(s, *a): P.__init__(s, *a)\n"
        "class B:\n    x = self = 1\n    __repr__ = P.__repr__\n@dataclass(frozen=True, slots=True)\nclass F: x: int\n"
        "class G(F): pass\n"
        "[repr(P(1)), P(1) == P(1), P(1) < P(2), repr(Q(3)), Q(3) == P(3), repr(B()), {F(1), F(1)} == {F(1)}, repr(G(1))]"
    )
    assert run(_BEFORE + source).value == [
        "P(x=1, self=2)",
        True,
        True,
        "Q(x=3, self=2)",
        False,
        "B(x=1, self=1)",
        True,
        "G(x=1)",
    ]


@pytest.mark.parametrize("how", ["@dataclass(unsafe_hash=True, init=False)\n", "@dataclasses.dataclass\n"])
def test_no_class_passes_for_another_in_a_set_of_classes(run, how):
    """By such sets it is told whose private names a snippet may say."""
    source = (
        f"import abc, contextlib, dataclasses\nfrom dataclasses import dataclass\n{how}class M(abc.ABCMeta): x: int = 0\n"
        "class Own(metaclass=M): pass\nclass Lib(contextlib.ExitStack, metaclass=M): pass\n"
        "def f(one): return one._exit_callbacks\nown = Own()\nown._exit_callbacks = 1\nf(own)\nf(Lib())"
    )
    failure = run(source).failure
    assert failure.type == "TypeError"
    assert "metaclass" in failure.message
