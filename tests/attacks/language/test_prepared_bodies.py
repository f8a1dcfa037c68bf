"""A metaclass of the snippet's says what a class body binds its names in: it sees no hook, and no rule is passed by."""

from __future__ import annotations

import pytest

_META = "class M(type):\n    def __prepare__(*given, **named): return names\n"

REFUSED = {
    "a finalizer among prepared names": f"names = {{'__del__': lambda self: 1}}\n{_META}class A(metaclass=M): pass",
    "a finalizer that comes later": "names = {}\nclass M(type):\n    def __prepare__(*given): return names\n"
    "    def __new__(m, n, b, ns):\n        names['__del__'] = lambda self: 1\n        return type.__new__(m, n, b, names)\n"
    "class A(metaclass=M): pass",
    "a finalizer that only the keys tell of": "class Names(dict):\n    def keys(self): return ['__del__']\n"
    "    def __iter__(self): return iter(['__del__'])\n    def __getitem__(self, key): return lambda *given: 1\n"
    f"names = Names()\n{_META}class A(metaclass=M): pass",
    "prepared by a function of a library": "import copy\nclass M(type):\n    __prepare__ = copy.copy",
    "prepared by a builtin": "class M(type):\n    __prepare__ = staticmethod(print)",
    "prepared afterwards": "class M(type): pass\nM.__prepare__ = lambda *given: {}",
    "prepared afterwards, by name": "class M(type): pass\nsetattr(M, '__prepare__', lambda *given: {})",
    "the names of an enum": "import enum\nclass M(enum.EnumMeta):\n    def __prepare__(*given): return {}\n",
    "the names of an enum, below": "import enum\nclass N(type):\n    def __prepare__(*given): return {}\n"
    "class M(N, enum.EnumMeta): pass\n",
    "what an enum gathers names in": "import enum\nenum.EnumMeta.__prepare__('E', ())",
    "what an enum gathers names in, by super": "import enum\nclass M(enum.EnumMeta):\n"
    "    def __new__(m, *given): return super().__prepare__('E', ())\nM('E', (), {})",
    "what an enum gathers names in, by types": "import enum, types\ntypes.prepare_class('E', (enum.Enum,))",
    "what an enum gathers names in, by name": "import enum\ngetattr(enum.EnumMeta, '__prepare__')('E', ())",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_it_is_refused(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "Refused", "AttributeError")


_ASKED = """
asked = []
class Names(dict):
    def __getitem__(self, key):
        asked.append(key)
        return dict.__getitem__(self, key)
    def __setitem__(self, key, value):
        asked.append(key)
        dict.__setitem__(self, key, value)
    def __delitem__(self, key):
        asked.append(key)
        dict.__delitem__(self, key)
names = Names()
"""

_BODY = """
class A(metaclass=M):
    class Own: pass
    own = Own()
    own.x = 1
    own.x += sum(n for n in [1, 2])
    own._y = [2 ** 3, own.__class__, own._z if False else 0]
    while own.x > 3: own.x -= 1
    match own:
        case Own(x=3): pass
    try: 1 / 0
    except ZeroDivisionError: pass
    within = locals(), vars(), globals()
"""


def test_the_mapping_is_asked_for_no_name_of_ours(run):
    source = f"{_ASKED}{_META}{_BODY}[key for key in asked if not key.isidentifier() or key == '__builtins__']"
    assert run(source).value == []


_ABOVE = """
class Above(type):
    def __prepare__(*given, **named): return names if len(given) == 3 else {}
class M(metaclass=Above):
    def __new__(cls, *given): return cls
"""


def test_it_is_asked_for_none_where_the_class_of_what_makes_classes_prepared_it(run):
    source = f"{_ASKED}{_ABOVE}{_BODY}    (a, *b), c = (1, 2), 3\n    own.x *= 3\n[key for key in asked if not key.isidentifier()]"
    assert run(source).value == []


def test_what_a_body_is_told_of_its_names_is_what_was_prepared(run):
    source = f"{_ASKED}{_META}{_BODY}[type(one).__name__ for one in A.within]"
    assert run(source).value == ["Names", "Names", "dict"]


def test_a_metaclass_is_handed_what_the_body_said_alone(run):
    source = (
        "class M(type):\n    def __new__(m, n, b, ns):\n        seen.append(sorted(ns))\n        return type.__new__(m, n, b, ns)\n"
        "seen = []\nclass A(metaclass=M): x = 1\n"
    )
    names = {"__name__": "__main__"}
    exec(source, names)
    assert run(f"{source}seen").value == names["seen"]


def test_a_mapping_that_is_asked_for_nothing_more_when_its_body_has_failed(run, printed):
    source = (
        "class Names(dict):\n    def __getitem__(self, key):\n        print(key)\n        return dict.__getitem__(self, key)\n"
        f"names = Names()\n{_META}class A(metaclass=M):\n    q = 5\n    q + missing"
    )
    failure = run(source).failure
    assert failure is not None
    assert failure.type == "NameError"
    assert "".join(printed).split() == ["__name__", "q", "missing"]


_CHANGED_MEANWHILE = """
import enum, types
class Names(list):
    def append(self, name):
        dict.__setitem__(held[0], '__del__', lambda self: print('ran'))
        list.append(self, name)
held, told = [], []
class Base(enum.Enum):
    def __init_subclass__(cls, **named): told.append(cls)
"""
_BY_METACLASS = """
class M(enum.EnumMeta):
    def __new__(m, n, b, ns):
        held.append(ns)
        dict.__setitem__(ns, '_ignore_', Names())
        return super().__new__(m, n, b, ns)
class E(Base, metaclass=M): pass
"""
_BY_TYPES = """
def body(ns):
    held.append(ns)
    dict.__setitem__(ns, '_ignore_', Names())
types.new_class('E', (Base,), {}, body)
"""


@pytest.mark.parametrize("made", [_BY_METACLASS, _BY_TYPES], ids=["by a metaclass", "by types"])
def test_the_names_of_an_enum_do_not_change_while_it_is_made(run, made):
    assert run(f"{_CHANGED_MEANWHILE}{made}['__del__' in vars(one) for one in told]").value == [False]
