"""Objects that say of themselves what they are and how they are copied: as in CPython, and on nothing but themselves."""

from __future__ import annotations

import pytest

from tests.snippet.running import failure_of, value_of


def test_an_object_may_say_that_it_is_of_another_class() -> None:
    source = """
class Known: pass
class Told:
    @property
    def __class__(self): return Known
(isinstance(Told(), Known), type(Told()) is Known, Told().__class__ is Known, Told().__class__.__name__)
"""
    assert value_of(source) == (True, False, True, "Known")


def test_the_operators_of_the_module_are_not_those_of_a_module() -> None:
    assert value_of("import operator\n(operator.__lt__(1, 2), operator.__eq__(1, 2), operator.__call__(abs, -1))") == (
        True,
        False,
        1,
    )


@pytest.mark.parametrize(
    "hooks",
    [
        "def __getstate__(self): return {'a': self.a}",
        "def __getstate__(self): return self.a\n    def __setstate__(self, state): self.a = state",
        "def __deepcopy__(self, memo): made = Own(); made.a = self.a; return made",
    ],
)
def test_an_object_is_copied_as_its_class_says(hooks: str) -> None:
    source = f"""
import copy
class Own:
    {hooks}
own = Own()
own.a = [1]
made = copy.deepcopy([own])[0]
(made is own, made.a is own.a, made.a)
"""
    assert value_of(source)[0::2] == (False, [1])  # type: ignore[index]  # a tuple


@pytest.mark.parametrize("target", ["json.JSONEncoder", "json", "json.JSONEncoder()"])
def test_a_copy_sets_no_attribute_on_what_is_a_librarys(target: str) -> None:
    source = f"""
import copy, json
class Own: pass
x = Own()
x.__dict__['__reduce_ex__'] = lambda protocol: ((lambda: {target}), (), (None, {{'default': print}}))
copy.copy(x)
"""
    assert failure_of(source)[1] == "TypeError"


_REDUCED = {
    "by what it is made of": ("return Own, (self.a,)", [1]),
    "and what it holds": ("return Own, (), {'a': [*self.a, 2]}", [1, 2]),
    "and how that is set": ("return Own, (), 3\n    def __setstate__(self, state): self.a = state", 3),
    "and its items": ("return Own, ([],), None, iter([5, 6])\n    def append(self, item): self.a.append(item)", [5, 6]),
    "and its keys": (
        "return Own, ({},), {'b': 0}, None, iter([('k', 1)])\n    def __setitem__(self, key, value): self.a[key] = value",
        {"k": 1},
    ),
    "by a name: it is shared": ("return 'own'", [1]),
}


@pytest.mark.parametrize("copier", ["copy", "deepcopy"])
@pytest.mark.parametrize("name", ["__reduce__(self)", "__reduce_ex__(self, protocol)"])
@pytest.mark.parametrize(("said", "held"), _REDUCED.values(), ids=_REDUCED)
def test_an_object_is_put_together_anew_from_the_parts_its_class_tells(
    said: str, held: object, name: str, copier: str
) -> None:
    source = f"import copy\nclass Own:\n    def __init__(self, a=None): self.a = a\n    def {name}: {said}\n"
    assert value_of(f"{source}own = Own([1])\ncopy.{copier}(own).a") == held


def test_a_memo_holds_what_the_snippet_copied_with_it() -> None:
    source = "import copy\nmemo, x = {}, [1]\ny = copy.deepcopy(x, memo)\n"
    told = "(memo[id(x)] is y, memo[id(memo)][0] is x, len(memo), type(memo[id(memo)]) is list, copy.deepcopy(x, memo) is y)"
    assert value_of(source + told) == (True, True, 2, True, True)


def test_more_parts_than_there_are_make_no_copy() -> None:
    source = "import copy\nclass Own:\n    def __reduce__(self): return Own, (), {'a': 1}, None, None, None\n"
    assert failure_of(f"{source}copy.copy(Own())") == ("raised", "TypeError")


def test_an_object_that_tells_no_parts_is_not_copied() -> None:
    hidden = "def __getattribute__(self, name):\n        if name.startswith('__reduce'): raise AttributeError(name)"
    source = f"import copy\nclass Own:\n    {hidden}\n        return object.__getattribute__(self, name)\n"
    for copier in ("copy", "deepcopy"):
        assert failure_of(f"{source}copy.{copier}(Own())") == ("raised", "Error")


@pytest.mark.parametrize("name", ["__reduce__", "__reduce_ex__"])
@pytest.mark.parametrize("said", ["Own.{name} = print", "setattr(Own, '{name}', print)", "Own().{name}"])
def test_what_a_copy_is_made_of_is_told_by_the_class_statement_alone(said: str, name: str) -> None:
    assert failure_of(f"class Own: pass\n{said.format(name=name)}")[1] in ("Refused", "AttributeError", "TypeError")


@pytest.mark.parametrize("target", ["json.JSONEncoder", "json", "json.JSONEncoder()"])
def test_the_parts_of_a_copy_are_set_on_nothing_of_a_librarys(target: str) -> None:
    said = f"def __reduce__(self): return (lambda: {target}), (), {{'default': print}}"
    assert failure_of(f"import copy, json\nclass Own:\n    {said}\ncopy.copy(Own())")[1] == "TypeError"


def test_what_is_built_on_a_library_tells_no_parts() -> None:
    source = "import copy, collections\nclass Own(collections.Counter):\n    def __reduce__(self): return Own, ()\n"
    assert failure_of(f"{source}copy.deepcopy(Own())") == ("raised", "TypeError")


def test_a_class_that_matches_no_position_fails_as_in_cpython() -> None:
    source = "class A: __match_args__ = None\nmatch A():\n    case A(x): pass"
    assert failure_of(source) == ("raised", "TypeError")


def test_a_descriptor_cannot_choose_what_a_pattern_reads() -> None:
    source = "class D:\n    def __get__(self, o, c): return ('gi_frame',)\nclass A: __match_args__ = D()"
    assert failure_of(source)[1] == "TypeError"


@pytest.mark.parametrize("walk", ["().__class__", "getattr((), '__class__')", "A.__mro__", "().__class__.__mro__"])
def test_no_walk_from_an_object_to_the_classes_it_is_built_on(walk: str) -> None:
    assert failure_of(f"class A: pass\nx = {walk}")[0] == "refused"


BINDING = [
    "classmethod(lambda cls: cls).__get__(A)()",
    "classmethod.__get__(classmethod(lambda cls: cls), A)()",
    "functools.partialmethod(classmethod(lambda cls: cls)).__get__(A, None)()",
    "operator.methodcaller('__get__', A)(classmethod(lambda cls: cls))()",
    "CM(lambda cls: cls).__get__(A)()",
]


@pytest.mark.parametrize("bound", BINDING)
def test_a_descriptor_bound_by_hand_does_not_hand_out_the_type_behind_a_stand_in(bound: str) -> None:
    before = "import functools, operator\nclass A: pass\nclass CM(classmethod):\n    def __get__(s, *a): return super().__get__(a[0])\n"
    assert value_of(f"{before}{bound} is type") is True


def test_a_dataclass_as_a_dict_sets_no_attribute_on_what_is_a_librarys() -> None:
    source = """
import dataclasses, json
class Own: pass
x = Own()
x.__dict__['__reduce_ex__'] = lambda protocol: ((lambda: json.JSONEncoder), (), (None, {'default': print}))
@dataclasses.dataclass
class Holder: value: object
assert dataclasses.asdict(Holder([1])) == {'value': [1]}
dataclasses.asdict(Holder(x))
"""
    assert failure_of(source)[1] == "TypeError"


def test_methods_are_abstract_by_all_the_decorators_of_abc() -> None:
    source = (
        "import abc, contextlib, functools\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def a(self): ...\n"
        "    @property\n    @abc.abstractmethod\n    def b(self): ...\n    @abc.abstractclassmethod\n    def c(cls): ...\n"
        "    @abc.abstractstaticmethod\n    def d(): ...\n    @abc.abstractproperty\n    def e(self): ...\n"
        "    @abc.abstractmethod\n    @functools.lru_cache\n    def f(self): ...\n    @abc.abstractmethod\n"
        "    @contextlib.contextmanager\n    def g(self): yield\n    h = abc.abstractmethod(functools.partial(print))\n"
        "class B(A):\n    @classmethod\n    def c(cls): return 'c'\n[sorted(A.__abstractmethods__), B.c(), B.__abstractmethods__ >= {'d'}]"
    )
    assert value_of(source) == [[*"abcdefgh"], "c", True]


def test_an_attribute_whose_name_is_written_out_is_read_as_by_a_dot() -> None:
    source = """
class A: x = 1
def own(getattr): return getattr(A, "x")
try: getattr(A, "y")
except AttributeError as error: told = str(error), error.name
(getattr(A, "x"), getattr(A, "y", 2), hasattr(A, "x"), hasattr(A, "y"), own(lambda *given: given[1]), told)
"""
    assert value_of(source) == (1, 2, True, False, "x", ("type object 'A' has no attribute 'y'", "y"))
    for name in ("__globals__", "gi_frame", "__class__", "_private"):
        assert failure_of(f"import json\ngetattr(json.dumps, {name!r})")[0] == "refused"
