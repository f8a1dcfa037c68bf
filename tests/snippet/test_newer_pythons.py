"""What Python 3.12 and 3.13 brought is checked and counted like the rest."""

from __future__ import annotations

import ast
import sys

import pytest

from codeact.snippet.precheck import precheck

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
