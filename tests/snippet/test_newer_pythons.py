"""What Python 3.12, 3.13 and 3.14 brought is checked and counted like the rest."""

from __future__ import annotations

import ast
import sys
import typing

import pytest

from codeact.snippet.precheck import precheck
from tests.fidelity.comparing import in_cpython, in_ours
from tests.snippet.running import Step, value_of

if sys.version_info >= (3, 12):
    FINE = {
        "of a function": "def f[T](): return T\nf()",
        "of several kinds": "def f[T, *Ts, **P](a: T): return T, Ts, P\nf(1)",
        "with a bound that is worked out": "def f[T: (lambda: 3)()](): return T.__bound__\nf()",
        "of a function inside": "def f[T]():\n    def g[U](): return T, U\n    return g()\nf()",
        "of a class inside": "def f[T]():\n    class A[U](list[T]): pass\n    return A\nf()",
        "of a type alias inside": "def f[T]():\n    type A[U] = dict[T, U]\n    return A\nf()",
    }

    @pytest.mark.parametrize("source", FINE.values(), ids=FINE)
    def test_a_type_parameter_is_not_reported_as_undefined(source: str) -> None:
        assert precheck(ast.parse(source), names=(), tools={}) == []

    def test_a_type_parameter_is_unknown_outside_of_what_it_belongs_to() -> None:
        (one,) = precheck(ast.parse("def f[T](): return T\nf()\nprint(T)"), names=(), tools={})
        assert (one.line, one.message) == (3, "name 'T' is not defined")

    @pytest.mark.parametrize(
        "head", ["[T](type(x.__a))", "[T: x.__a]", "[T](**{x.__a: 1})", "[*T](list, metaclass=x.__a)"]
    )
    def test_the_head_of_a_generic_class_says_no_name_that_3_12_reads_as_another(head: str) -> None:
        outcome = Step(check_first=False).run(f"x = 1\nclass A{head}: pass")
        assert outcome.failure.kind == "refused"
        assert "head of a generic class" in outcome.failure.message

    ENDLESS = {
        "a sum of products": "import math\nmath.sumprod(repeat(1), repeat(1))",
        "a sum of products by its name": "from math import sumprod\nsumprod(range(15_000), range(15_000))",
        "one batch without end": "import itertools\nnext(itertools.batched(repeat(1), 1_000))\n" * 30,
        "room for a large batch": "import itertools\nnext(itertools.batched([1], 10**6))",
        "room for a large batch by its name": "import itertools\nnext(itertools.batched([1], n=10**6))",
    }

    @pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
    def test_what_newer_functions_consume_is_counted(source: str) -> None:
        outcome = Step(check_first=False).run(f"from itertools import repeat\n{source}", operations=20_000)
        assert (outcome.failure.kind, outcome.failure.type) == ("limit", "LimitReached")

    def test_batches_of_a_container_cost_what_their_loop_costs() -> None:
        step = Step()
        source = (
            "from itertools import batched\nimport math\nn = 0\nfor batch in batched([1] * 10, 3): n += sum(batch)\n"
        )
        outcome = step.run(source + "n, math.sumprod([1, 2], [3, 4])")
        assert (outcome.value, outcome.operations) == ((10, 11), 4 + 10 + 4)

    LENDING = """
class B:
    def __buffer__(self, flags): return memoryview(b"abc")
    def __release_buffer__(self, view):
        print("back")
"""

    def test_a_class_that_lends_memory_is_told_when_it_is_given_back() -> None:
        step = Step(check_first=False)
        step.run(
            f"{LENDING}with memoryview(B()) as m: print(bytes(m))\nprint(b''.join([B(), b'd']))\nkept = memoryview(B())"
        )
        assert step.printed == "b'abc'\nback\nback\nb'abcd'\n"
        step.run("del kept")
        assert step.printed.count("back") == 3

    def test_a_class_that_lends_memory_is_told_nothing_between_two_steps() -> None:
        step = Step(check_first=False)
        assert step.run(f"{LENDING}kept = memoryview(B())").failure is None
        step.namespace.assign({"kept": None})
        assert step.printed == ""


if sys.version_info >= (3, 13):
    TOLD = {
        "defaults of type parameters": "def f[T = int, *Ts = *tuple[int, str]](): return [one.__default__ for one in (T, Ts)]\nprint(f())",
        "keys of a TypedDict": "from typing import ReadOnly, TypedDict\nclass D(TypedDict):\n    a: ReadOnly[int]\n    b: str\n"
        "print(D.__readonly_keys__, D.__mutable_keys__)",
        "marks": "import typing, warnings\nclass A:\n    @typing.override\n    @warnings.deprecated('use g')\n    def f(self): pass\n"
        "@typing.final\nclass B: pass\nprint(A.f.__override__, A.f.__deprecated__, B.__final__)",
        "the members of a group of exceptions": "import traceback\ng = ExceptionGroup('g', [ValueError('v'), KeyError('k')])\n"
        "print(traceback.format_exception_only(g, show_group=True), traceback.format_exception_only(g))\n"
        "print(list(traceback.TracebackException.from_exception(g).format_exception_only(show_group=True)))",
        "copies with something else": "import copy, dataclasses, datetime\n@dataclasses.dataclass\nclass D: x: int\n"
        "class C:\n    def __replace__(self, **given): return given\n"
        "print(D(1).__replace__(x=2), C().__replace__(a=1), copy.replace(C(), a=2), datetime.date(2020, 1, 1).__replace__(day=5))",
        "where a class begins": "\n@print\nclass A: pass\nclass B[T]: pass\nprint(B.__firstlineno__, B.__type_params__[0].__infer_variance__)",
        "a path of an address": "import pathlib\nprint(pathlib.Path.from_uri('file:///a/b%20c'))\ntry: pathlib.Path.from_uri('a')\n"
        "except ValueError as error: print(error)",
        "what an enum takes": "import enum, inspect\nclass E(enum.Enum): X = 1\nclass N(enum.Enum): pass\n"
        "print(inspect.signature(E), inspect.signature(N))",
        "names for exec by keyword": "d = {'a': 3}\nexec('b = a', globals=d)\nprint(d['b'], eval('a', globals=d), eval('c', globals=d, locals={'c': 4}))",
    }

    @pytest.mark.parametrize("source", TOLD.values(), ids=TOLD)
    def test_what_newer_pythons_tell_is_told(source: str) -> None:
        assert in_ours(source)[0] == in_cpython(source)

    def test_an_estimate_is_counted_by_what_it_goes_through_each_time() -> None:
        source = "from statistics import kde\nf = kde([1.5] * 1_000, h=1.0, cumulative=True)\n"
        assert Step().run(f"{source}for _ in range(9): f(x=2)").operations == 1_000 + 9 * 1_001

    def test_the_default_of_a_type_parameter_leads_to_no_class_that_is_withheld() -> None:
        assert value_of("def f[T = type](): return T.__default__\nf() is type") is True


if sys.version_info >= (3, 14):
    SAME = {
        "annotations of what comes later": "class Node:\n    below: list[Node]\n    def add(self, node: Node) -> Node: ...\n"
        "print(Node.__annotations__, Node.add.__annotations__)",
        "an annotation of what never comes": "class A: x: Missing\ntry: A.__annotations__\nexcept NameError as error: print(error)",
        "fields of what comes later": "from dataclasses import dataclass, fields\n@dataclass\nclass A:\n    x: int\n"
        "    y: list[B] | None = None\n    z: C.d = 3\nprint(A(1), [field.type for field in fields(A)])",
        "fields of names and of typed dicts": "from typing import NamedTuple, TypedDict\nclass P(NamedTuple):\n    x: int\n"
        "    y: P | None = None\nclass D(TypedDict):\n    a: list[D]\nprint(P(1, P(2)), sorted(D.__annotations__))",
        "a reference": "import typing\nprint(typing.ForwardRef('list[int]').evaluate(), typing.ForwardRef('list[B]').evaluate(format=4))\n"
        "print(typing.ForwardRef('B').evaluate(format=3), typing.ForwardRef('B').evaluate(locals={'B': int}))",
        "a reference to what is missing": "import typing\ntry: typing.ForwardRef('B').evaluate()\nexcept NameError as error: print(error)",
        "template strings": "from string.templatelib import Template, convert\nname = 'W'\nt = t'a {name!r:>5} b' t'{1 + 1}'\n"
        "print(t.strings, t.values, [(i.expression, i.conversion, i.format_spec) for i in t.interpolations])\n"
        "print(isinstance(t, Template), [convert(i.value, i.conversion) for i in t.interpolations], t + t'c')",
        "several exceptions without brackets": "try: 1 / 0\nexcept ValueError, ZeroDivisionError: print('caught')",
        "heaps of the largest": "import heapq\nh = [3, 1, 2]\nheapq.heapify_max(h)\nheapq.heappush_max(h, 5)\nprint(heapq.heappop_max(h), h)",
        "a wrapper of what names what never comes": "from functools import wraps\ndef f(x: Missing): return x\n"
        "@wraps(f)\ndef g(*a): return f(*a)\nprint(g.__name__, g(3))\ntry: g.__annotations__\nexcept NameError as e: print(e)",
        "a wrapper that is annotated as what it wraps": "import functools\ndef f(x: int): return x\n"
        "g = functools.wraps(f, assigned=functools.WRAPPER_ASSIGNMENTS)(lambda *a: f(*a))\nprint(g.__annotations__)",
        "copies of what a copy shares": "import copy\ndef f(): pass\nprint(copy.deepcopy([f, len, range(3)])[0] is f, copy.deepcopy({'f': f})['f'] is f)",
        "what is awaited": "import asyncio\nclass A:\n    def __await__(self):\n        yield from asyncio.sleep(0).__await__()\n"
        "        return 3\nprint(asyncio.run(A()))\ntry: asyncio.run(5)\nexcept TypeError as e: print(e)",
        "what newer modules have": "import decimal, inspect, io, uuid\nprint(uuid.NIL, uuid.MAX, uuid.uuid7().version, uuid.uuid8(1, 2, 3))\n"
        "print(decimal.IEEEContext(32).prec, issubclass(io.StringIO, io.Reader), inspect.ispackage(io), inspect.BufferFlags.SIMPLE)",
        "memory of a type": "print(memoryview[int], memoryview(b'aba').count(97))",
        "what an element does not have": "import xml.etree.ElementTree as ET\nclass A:\n    def __eq__(self, other): return False\n"
        "try: ET.Element('a').remove(ET.Element('b'))\nexcept ValueError as error: print(error)",
        "a place held": "from functools import Placeholder as _, partial\nprint(partial(pow, _, 2)(5))",
    }

    @pytest.mark.parametrize("source", SAME.values(), ids=SAME)
    def test_a_snippet_does_what_python_3_14_does(source: str) -> None:
        assert in_ours(source)[0] == in_cpython(source)

    def test_the_hints_of_a_class_are_those_of_its_texts_and_its_values() -> None:
        source = "class A:\n    x: 'list[A] | None'\n    y: Annotated[int, 'm']\n    z: list[A]\n"
        hints = "get_type_hints(A) == {'x': list[A] | None, 'y': int, 'z': list[A]}"
        assert value_of(
            f"from typing import *\n{source}{hints}, get_type_hints(A, include_extras=True)['y'] is not int"
        ) == (True, True)

    COUNTED = {
        "a template string": "t'{[i for i in range(10**9)]}'",
        "an annotation that is worked out": "class A: x: [i for i in range(10**9)]\nA.__annotations__",
        "an annotation beside one that is missing": "from dataclasses import dataclass\n@dataclass\n"
        "class A:\n    x: Missing\n    y: [i for i in range(10**9)]",
        "room in a bytearray": "bytearray().resize(10**8)",
        "a heap of the largest": "import heapq\nheapq.heapify_max([0] * 100_001)",
    }

    @pytest.mark.parametrize("source", COUNTED.values(), ids=COUNTED)
    def test_what_python_3_14_works_through_is_counted(source: str) -> None:
        assert Step(check_first=False).run(source, operations=100_000).failure.kind == "limit"

    def test_what_is_worked_out_of_a_type_variable_or_an_alias_is_what_stands_for_it() -> None:
        step = Step(check_first=False)
        step.namespace.assign(
            {"bounded": typing.TypeVar("bounded", bound=type), "Alias": typing.TypeAliasType("Alias", type)}
        )
        assert step.run("bounded.evaluate_bound(1) is Alias.evaluate_value(1) is type").value is True

    def test_a_name_by_which_an_object_of_ones_own_works_something_out_is_its_own() -> None:
        assert value_of("class A:\n    def evaluate_value(self, *, x): return x\nA().evaluate_value(x=3)") == 3
