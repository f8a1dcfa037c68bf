"""Objects that say of themselves what they are and how they are copied: as in CPython, and on nothing but themselves."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step, failure_of, value_of


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


@pytest.mark.parametrize(
    "use", ["[]", ".items()", ".values()", ".copy()", " | {}", " == {}", "print", "dict", "{**}", "['real']"]
)
def test_the_table_of_a_librarys_class_tells_its_names_alone(use: str) -> None:
    asked = {
        "print": "print(vars(int))",
        "dict": "dict(vars(int))",
        "{**}": "{**vars(int)}",
        "[]": "vars(int).get('real')",
    }
    assert failure_of(asked.get(use, f"vars(int){use}"))[0] == "refused"


@pytest.mark.parametrize("stand_in", ["type", "pathlib.Path", "abc.ABCMeta", "types.FunctionType", "io.FileIO"])
def test_the_table_of_what_stands_for_a_class_is_not_taken_for_that_of_the_class(stand_in: str) -> None:
    assert failure_of(f"import abc, io, pathlib, types\n'x' in vars({stand_in})")[0] == "refused"


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


_FACTS = {
    "numbers of a class": ("(object.__basicsize__ > 0, tuple.__itemsize__ > 0, int.__flags__ > 0)", (True, True, True)),
    "how a float is kept": ("float.__getformat__('double').startswith('IEEE')", True),
    "what a value is made of": (
        "import collections\nP = collections.namedtuple('P', 'a b')\n((1+2j).__getnewargs__(), P(1, 2).__getnewargs__())",
        ((1.0, 2.0), (1, 2)),
    ),
    "names that Python 2 had": (
        "class A:\n    def __bool__(self): return False\n    __nonzero__ = __bool__\n    __div__ = __cmp__ = None\nbool(A())",
        False,
    ),
    "a container set up anew": (
        "import collections\nd, c = collections.deque([1]), collections.Counter('a')\nd.__init__('ab')\nc.__init__('aab')\n[*d, *c.items()]",
        ["a", "b", ("a", 3), ("b", 1)],
    ),
    "an `__init__` that does nothing": ("import fractions\nfractions.Fraction(1, 2).__init__(3, 4)", None),
    "flags of a value": ("import enum\nenum.show_flag_values(5)", [1, 4]),
    "what is collected": ("import gc\n(gc.is_tracked([]), gc.is_tracked(1))", (True, False)),
    "a value that an enum is to find": ("import enum\nmade = enum.auto()\nmade.value = 3\nmade.value", 3),
}


@pytest.mark.parametrize(("source", "value"), _FACTS.values(), ids=_FACTS)
def test_an_object_tells_of_itself_as_in_cpython(source: str, value: object) -> None:
    assert value_of(source) == value


@pytest.mark.parametrize("name", ["__init__(indent=2)", "__getnewargs__()"])
def test_what_sets_up_or_makes_a_librarys_object_is_not_told(name: str) -> None:
    assert failure_of(f"import json\njson.JSONEncoder().{name}")[1] == "AttributeError"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("super(1, int)", "super() argument 1 must be a type, not int"),
        ("super(int, int, int)", "super() expected at most 2 arguments, got 3"),
        ("import math\nmath.factorial(10**100)", "factorial() argument should not exceed"),
    ],
)
def test_what_cannot_be_asked_is_told_in_the_words_of_cpython(asked: str, said: str) -> None:
    failure = Step(check_first=False).run(asked).failure
    assert failure is not None
    assert failure.message.startswith(said)


def test_the_first_day_of_the_week_is_that_of_one_session() -> None:
    one, other = Step(), Step()
    one.run("import calendar\ncalendar.setfirstweekday(calendar.SUNDAY)")
    assert one.run("calendar.weekheader(2)[:2], calendar.firstweekday()").value == ("Su", 6)
    assert other.run("import calendar\ncalendar.weekheader(2)[:2], calendar.firstweekday()").value == ("Mo", 0)
    assert one.run("calendar.setfirstweekday(7)").failure.type == "IllegalWeekdayError"  # type: ignore[union-attr]  # there is one
