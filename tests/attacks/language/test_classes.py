"""Classes that no class statement made, and what their names let a pattern, a copy or a library do."""

from __future__ import annotations

import json

import pytest

from tests.snippet.running import Step

_META = (
    "import json, enum, typing, types, dataclasses, functools, collections, copy, weakref\n"
    "class M(type):\n    def __instancecheck__(cls, x): return True\n"
    "class Leak:\n    def __set_name__(self, owner, name):\n        global A\n        A = owner\n"
    "WORD = '__glo' + 'bals__'\n"
)
_MATCH = "\nmatch json.dumps:\n    case A(found): pass\nfound\n"

#: Each gives `A` a `__match_args__` that a pattern then reads from a function of the library.
PATTERNS = {
    "a functional enum": "class E(enum.EnumMeta):\n    def __instancecheck__(cls, x): return True\n"
    "class B(enum.Enum, metaclass=E): pass\nA = B('A', {'__match_args__': (WORD,), 'X': 1})",
    "an enum by its metaclass": "class E(enum.EnumMeta):\n    def __instancecheck__(cls, x): return True\n"
    "    def __new__(m, name, bases, names):\n        names['__match_args__'] = (WORD,)\n"
    "        return super().__new__(m, name, bases, names)\nclass A(enum.Enum, metaclass=E): X = 1",
    "an enum by a namespace of its own": "class E(enum.EnumMeta):\n    def __instancecheck__(cls, x): return True\n"
    "    def __new__(m, name, bases, names):\n        class N(type(names)):\n            def setdefault(self, *a):\n"
    "                dict.__setitem__(self, '__match_args__', (WORD,))\n                return super().setdefault(*a)\n"
    "        made = N()\n        dict.update(made, names)\n        return super().__new__(m, name, bases, made)\n"
    "class A(enum.Enum, metaclass=E): X = 1",
    "a dataclass's field": "A = dataclasses.dataclass(M('A', (), {'__annotations__': {WORD: object}}))",
    "a made dataclass's field": "A = dataclasses.make_dataclass('A', [(WORD, object)])",
    "a made dataclass's default": "A = dataclasses.make_dataclass('A', [('__match_args__', tuple, (WORD,))])",
    "a made dataclass's namespace": "A = dataclasses.make_dataclass('A', [], namespace={'__match_args__': (WORD,), 'l': Leak()})",
    "a dataclass while it is made": "class R:\n    def __repr__(self):\n        global found\n        match json.dumps:\n"
    "            case A(found): pass\n        return 'R'\nA = M('A', (), {'__annotations__': {WORD: object}, WORD: R()})\n"
    "A = dataclasses.dataclass(A)",
    "an answer that its metaclass inherits": "class G:\n    def __getattr__(cls, n): return (WORD,)\n"
    "class N(G, M): pass\nclass A(metaclass=N): pass",
    "update_wrapper": "class A(metaclass=M): pass\nclass W:\n    def __getattr__(self, n): return (WORD,)\n"
    "functools.update_wrapper(A, W(), assigned=('__match_args__',), updated=())",
    "update_wrapper by a name that equals another": "class A(metaclass=M): pass\nclass S(str):\n    def __eq__(self, o): return True\n"
    "    __hash__ = str.__hash__\nclass W:\n    def __getattr__(self, n): return (WORD,)\n"
    "functools.update_wrapper(A, W(), assigned=(S('__match_args__'),), updated=())",
    "a library's metaclass": "class P(type(typing.Protocol)):\n    def __instancecheck__(cls, x): return True\n"
    "A = P('A', (), {'__match_args__': (WORD,)})",
    "a class that was passed on before it was checked": "try: M('A', (), {'__match_args__': (WORD,), 'l': Leak()})\n"
    "except TypeError: pass",
    "a class statement that was passed on": "try:\n    class B(metaclass=M):\n        __match_args__ = (WORD,)\n        l = Leak()\n"
    "except TypeError: pass",
    "new_class": "try: types.new_class('A', (), {'metaclass': M}, lambda n: n.update({'__match_args__': (WORD,), 'l': Leak()}))\n"
    "except TypeError: pass",
    "an ancestor told of its heir": "class B(metaclass=M):\n    def __init_subclass__(cls):\n        global A\n        A = cls\n"
    "try: M('C', (B,), {'__match_args__': (WORD,)})\nexcept TypeError: pass",
    "the real type, out of a line of classes": "for c in M.__mro__:\n    try: A = c('A', (), {'__match_args__': (WORD,)})\n"
    "    except Exception: pass\nassert type(A) is not type",
    "the real type, out of a line that a metaclass tells": "for c in M.mro(M):\n"
    "    try: A = c('A', (), {'__match_args__': (WORD,)})\n    except Exception: pass\nassert type(A) is not type",
    "out of that of an enum's, by name": "class E(enum.EnumMeta): pass\nfor c in getattr(E, 'mro')(E):\n"
    "    try: A = c('A', (), {'__match_args__': (WORD,)})\n    except Exception: pass\nassert type(A) is not type",
}


@pytest.mark.parametrize("source", PATTERNS.values(), ids=PATTERNS)
def test_no_pattern_reads_what_may_not_be_said(run, source):
    assert run(_META + source + _MATCH).failure is not None
    assert run("found").failure is not None


_FIELD = "N = collections.namedtuple('N', 'gi_frame')\ndef g(): yield\n"

#: Each inherits from a named tuple the name of a field, and says that a generator is one of it.
HEIRS = {
    "by a metaclass": "class A(N, metaclass=M): pass",
    "by a call of a metaclass": "A = M('A', (N,), {})",
    "of an heir": "class B(N): pass\nclass A(B, metaclass=M): pass",
    "through another base": "class B(metaclass=M): pass\nA = type('A', (N, B), {})",
    "through an abstract base": "class B(abc.ABC): pass\nA = type('A', (N, B), {})\nA.register(type(g()))",
    "a typed named tuple": "class N(typing.NamedTuple):\n    gi_frame: int\nclass A(N, metaclass=M): pass",
    "by register": "class A(N, abc.ABC): pass\nA.register(type(g()))",
    "an enum": "class E(enum.EnumMeta):\n    def __instancecheck__(cls, x): return True\n"
    "class A(N, enum.Enum, metaclass=E): X = 1",
    "by new_class": "A = types.new_class('A', (N,), {'metaclass': M})",
}


@pytest.mark.parametrize("source", HEIRS.values(), ids=HEIRS)
def test_the_fields_of_a_named_tuple_are_read_from_no_generator(run, source):
    seen = run(f"import abc\n{_META}{_FIELD}{source}\nmatch g():\n    case A(found): pass\nfound")
    assert (seen.failure.type, "sub-pattern" in seen.failure.message) == ("TypeError", True)


def test_the_fields_of_a_named_tuple_are_read_from_its_own_instances_whatever_they_are_called(run):
    named = "class A(collections.namedtuple('A', 'street zip format')): pass\n"
    assert run(f"{_META}{named}match A(1, 2, 3):\n    case A(s, z, f): pass\n[s, z, f]").value == [1, 2, 3]
    named = "class A(collections.namedtuple('A', 'street zip'), abc.ABC): pass\n"
    assert run(f"import abc\n{_META}{named}match A(1, 2):\n    case A(s): pass\ns").value == 1


@pytest.mark.parametrize("bases", ["(str)", "(C, str)"])
def test_a_text_cannot_pass_for_a_named_tuple_and_show_its_format(run, bases):
    told = "__class__ = property(lambda self: N)"
    body = f"class C: {told if 'C' in bases else 'pass'}\nclass S{bases}: {'pass' if 'C' in bases else told}\n"
    match = "match S('{0.__class__}'):\n    case N(found): pass\nfound(())"
    seen = run(f"{_META}N = collections.namedtuple('N', 'format')\n{body}{match}")
    assert (seen.failure.type, "__class__" in seen.failure.message) == ("TypeError", True)


#: Each makes a class with a finalizer, or another method no class may define.
UNCHECKED = {
    "a functional enum": "enum.Enum('A', {'__del__': lambda self: 1, 'X': 1})",
    "a functional flag": "enum.Flag('A', {'__subclasshook__': lambda self, p: 1, 'X': 1})",
    "a protocol's type": "type(typing.Protocol)('A', (), {'__del__': lambda self: 1})",
    "a heir of a protocol's type": "class P(type(typing.Protocol)): pass\nP('A', (), {'__del__': lambda self: 1})",
    "an abstract class's type": "type(collections.UserDict)('A', (), {'__del__': lambda self: 1})",
    "a typed dictionary's type": "class T(typing.TypedDict): x: int\ntype(T)('A', (dict,), {'__del__': lambda self: 1})",
    "type's own call": "type.__call__(type, 'A', (), {'__del__': lambda self: 1})",
    "new of a metaclass": "M.__new__(M, 'A', (), {'__del__': lambda self: 1})",
    "new of an enum's type": "enum.EnumMeta.__new__(enum.EnumMeta, 'A', (), {'__del__': lambda self: 1})",
}


@pytest.mark.parametrize("source", UNCHECKED.values(), ids=UNCHECKED)
def test_no_class_is_made_unchecked(run, source):
    assert run(_META + source).failure is not None


_TAKES_ALL = (
    "on = False\nclass K:\n    def __new__(cls, *a): return target if on else object.__new__(cls)\n"
    "    def __getstate__(self): return (None, {'spoiled': 1})\ntarget = json.JSONEncoder\nk = K()\n"
)

#: Copies of `k` that a library makes, each of which would set an attribute of a class of the library.
COPIES = {
    "a weak dictionary's": "w = weakref.WeakValueDictionary()\nw[k] = M\non = True\ncopy.deepcopy(w)",
    "a weak dictionary's of keys": "class V: pass\nv = V()\nw = weakref.WeakKeyDictionary()\nw[v] = k\non = True\ncopy.deepcopy(w)",
    "UserDict's": "class U(collections.UserDict, K): pass\nu = U()\non = True\nu.copy()",
    "UserDict's, by what the instance says": "class U(collections.UserDict): pass\nu = U()\n"
    "u.__dict__['__reduce_ex__'] = lambda p: (lambda: target, (), (None, {'spoiled': 1}))\nu.copy()\nassert 0",
    "an element's": "import xml.etree.ElementTree as ET\ne = ET.Element('a', x=1)\ne.append(e)\n"
    "e = ET.Element('a', {'x': k})\non = True\ncopy.deepcopy(e)",
    "a namespace's own word": "n = types.SimpleNamespace(**{'__reduce_ex__': lambda p: (lambda: target, (), (None, {'spoiled': 1}))})\n"
    "copy.copy(n)",
    "a partial's": "copy.deepcopy(functools.partial(k, 1))\non = True\ncopy.deepcopy(functools.partial(abs, k))",
    "asdict's": "@dataclasses.dataclass\nclass D: x: object\nd = D(k)\non = True\ndataclasses.asdict(d)",
    "an exception's": "e = ValueError(k)\non = True\ncopy.deepcopy(e)",
}


@pytest.mark.parametrize("source", COPIES.values(), ids=COPIES)
def test_no_copy_sets_attributes_of_what_is_not_the_snippets_own(run, source):
    run(_META + _TAKES_ALL + source)
    assert not hasattr(json.JSONEncoder, "spoiled")


ORDINARY = {
    "an enum by names": "import enum\nE = enum.Enum('E', 'A B')\n[E.A.value == 1, E.B.name == 'B']",
    "an enum of a metaclass of its own": "import enum\nclass M(enum.EnumMeta):\n    def __contains__(cls, x): return True\n"
    "class E(enum.Enum, metaclass=M): A = 1\n[5 in E, E.A.value == 1]",
    "a dataclass with private fields": "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int\n    _y: int = 2\n"
    "match D(1):\n    case D(a): found = a\n[found == 1, D.__match_args__ == ('x',)]",
    "a dataclass of keywords": "import dataclasses\n@dataclasses.dataclass(kw_only=True, slots=True)\nclass D:\n    x: int\n"
    "[D(x=1).x == 1, D.__match_args__ == ()]",
    "a metaclass from a protocol": "import typing\nclass M(type(typing.Protocol)): pass\nclass A(metaclass=M): x = 1\n"
    "[A.x == 1, isinstance(A, M), type(A) is M]",
    "a metaclass with a prepared body": "class A:\n    def __mro_entries__(self, bases):\n        seen.append(1)\n        return (int,)\n"
    "seen = []\nclass B(A()): pass\n[B(3) + 1 == 4, seen == [1]]",
    "annotations of a wrapped function": "import functools\ndef f(x: int): pass\n@functools.wraps(f)\ndef g(*a): pass\n"
    "[g.__annotations__ == {'x': int}, g.__wrapped__ is f]",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY)
def test_classes_of_these_kinds_work_in_ordinary_use(run, source):
    outcome = run(source)
    assert outcome.failure is None
    assert all(outcome.value)


def test_a_coroutine_nobody_awaited_is_told_in_the_output_of_the_step(run, printed, capfd):
    run("async def forgotten(): pass\nforgotten()\nx = forgotten()")
    assert "coroutine 'forgotten' was never awaited" in "".join(printed)
    run("x = 1")
    assert capfd.readouterr().err == ""


_LIBRARYS = "\nb = B()\nb._wrap_chunks\n"

#: Each has a class with a library's class above it pass for one that has none.
PLAIN = {
    "while its line of classes is made": "class M(type):\n    def mro(cls):\n        cls._seen = 1\n"
    "        return [cls, textwrap.TextWrapper, object]\nclass B(metaclass=M): pass",
    "by a line of classes given later": "class M(type): pass\ndef mro(cls):\n    cls._seen = 1\n"
    "    return [cls, textwrap.TextWrapper, object]\nM.mro = mro\nclass B(metaclass=M): pass",
    "by a line of classes given by name": "class M(type): pass\ndef mro(cls):\n    cls._seen = 1\n"
    "    return [cls, textwrap.TextWrapper, object]\nsetattr(M, 'mro', mro)\nclass B(metaclass=M): pass",
    "by a line of classes that a metaclass inherits": "class Line:\n    def mro(cls):\n        cls._seen = 1\n"
    "        return [cls, textwrap.TextWrapper, object]\nclass M(Line, type): pass\nclass B(metaclass=M): pass",
    "by one given later to what it inherits": "class Line: pass\nclass M(Line, type): pass\ndef mro(cls):\n    cls._seen = 1\n"
    "    return [cls, textwrap.TextWrapper, object]\nLine.mro = mro\nclass B(metaclass=M): pass",
    "as equal to another": "M = dataclasses.make_dataclass('M', [('x', int, 0)], bases=(abc.ABCMeta,), unsafe_hash=True, init=False, repr=False)\n"
    "class A(metaclass=M): pass\nA()._seen = 1\nclass B(textwrap.TextWrapper, metaclass=M): pass",
}


@pytest.mark.parametrize("source", PLAIN.values(), ids=PLAIN)
def test_no_class_passes_for_one_without_a_library_above_it(run, source):
    outcome = run("import textwrap, dataclasses, abc\n" + source + _LIBRARYS)
    assert outcome.failure is not None
    assert "_wrap_chunks" not in outcome.failure.message


def test_mro_is_an_ordinary_name_of_an_object(run):
    assert run("class A: pass\na = A()\na.mro = 3\na.mro += 1\nA.mro = 5\n[a.mro, A.mro]").value == [4, 5]


def test_a_metaclass_tells_the_line_of_a_class_of_ones_own(run):
    source = "class M(type): pass\nclass A(metaclass=M): pass\n"
    assert run(f"{source}[M.mro(A) == [A, object] == A.mro(), M.mro(M) == [M, type, object]]").value == [True, True]
    assert run(f"{source}M.mro(int)").failure.type == "AttributeError"


READING = "import enum, textwrap\nclass Holder: pass\nh = Holder()\nh._value_ = textwrap.dedent\n"
#: `enum.property` reads, from Python 3.12 on, any attribute of any object that what is built on it names.
READERS = {
    "built on it": "class P(enum.property):\n    _attr_type, name = 'desc', '__globals__'\n"
    "    def __set_name__(self, owner, name): pass\nHolder.found = P(lambda x: 1)\nh.found",
    "passing for it": "class D:\n    fget = staticmethod(lambda x: 1)\n    _attr_type, name = 'desc', '__globals__'\n"
    "enum.property.__get__(D(), h)",
}


@pytest.mark.parametrize("source", READERS.values(), ids=READERS)
def test_nothing_but_itself_reads_as_a_property_of_an_enum_does(run, source):
    assert run(READING + source).failure.type == "TypeError"


def test_properties_of_enums_are_read_as_ever(run):
    source = (
        "import enum\nclass E(enum.Enum):\n    A = 1\n    @enum.property\n    def twice(self): return self._value_ * 2\n"
        "[E.A.twice, E.A.name, enum.property.__get__(enum.property(lambda x: x + 1), 4), property(abs).__get__(-1)]"
    )
    assert run(source).value == [2, "A", 5, 1]


#: What a class may define by its statement alone, and what no class may define.
SPECIAL = ("__del__", "__array_interface__", "__class__", "__getattr__", "__match_args__")


@pytest.mark.parametrize("name", SPECIAL)
def test_a_function_of_sympy_is_given_no_special_method(name):
    pytest.importorskip("sympy")
    step = Step(check_first=False, imports=("sympy",))
    failure = step.run(f"import sympy\nsympy.Function('f', **{{{name!r}: lambda self: 1}})").failure
    assert failure is not None
    assert failure.kind == "refused"
    assert step.run("str(sympy.Function('f', real=True)(1))").value == "f(1)"
