"""What Python 3.12 and 3.13 brought is checked and counted like the rest."""

from __future__ import annotations

import ast
import sys

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
        "names for exec by keyword": "d = {'a': 3}\nexec('b = a', globals=d)\nprint(d['b'], eval('a', globals=d), eval('c', globals=d, locals={'c': 4}))",
    }

    @pytest.mark.parametrize("source", TOLD.values(), ids=TOLD)
    def test_what_newer_pythons_tell_is_told(source: str) -> None:
        assert in_ours(source)[0] == in_cpython(source)

    def test_the_default_of_a_type_parameter_leads_to_no_class_that_is_withheld() -> None:
        assert value_of("def f[T = type](): return T.__default__\nf() is type") is True
