"""Generated programs mean what they mean in CPython."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fidelity.comparing import difference_in_generated

NAMES = st.sampled_from(["a", "b", "c", "_d"])
ATOMS = st.one_of(
    NAMES,
    st.sampled_from(["0", "1", "-2", "7", "2.5", "'xy'", "[1, 2]", "(3,)", "{'k': 1}", "None", "True", "range(3)"]),
)


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from("+ - * ** << % // / < == in and or is".split())  # noqa: SIM905  # reads best as a line
    functions = st.sampled_from(["sum", "list", "sorted", "max", "min", "len", "str", "set", "tuple", "any", "dict"])
    return st.one_of(
        st.builds("({} {} {})".format, inner, operators, inner),
        st.builds("{}({})".format, functions, inner),
        st.builds("[x for x in {} if x]".format, inner),
        st.builds("(lambda q: {})({})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("[*{}, {}]".format, inner, inner),
        st.builds("f'{{{}!r:>4}}'".format, NAMES),
        st.builds("({} := {})".format, NAMES, inner),
        st.builds("','.join({})".format, inner),
        st.builds("{}[{}]".format, NAMES, inner),
    )


EXPRESSIONS = st.recursive(ATOMS, _combined, max_leaves=4)


def _block(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(inner, min_size=1, max_size=3).map(
        lambda parts: "\n".join(f"    {line}" for part in parts for line in part.split("\n"))
    )


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body, test = _block(inner), EXPRESSIONS
    return st.one_of(
        st.builds("for {} in {}:\n{}\nelse:\n{}".format, NAMES, test, body, body),
        st.builds("for i in range(3):\n{}\n    if {}: break\n    continue".format, body, test),
        st.builds("w = 0\nwhile w < 3:\n    w += 1\n{}\nelse:\n{}".format, body, body),
        st.builds("if {}:\n{}\nelse:\n{}".format, test, body, body),
        st.builds("try:\n{}\nexcept (TypeError, ValueError) as e:\n    print(type(e).__name__)\n{}".format, body, body),
        st.builds("try:\n{}\nexcept Exception:\n{}\nelse:\n{}\nfinally:\n{}".format, body, body, body, body),
        st.builds("def f({}=1, *r):\n{}\n    return {}\nprint(f({}))".format, NAMES, body, test, test),
        st.builds("def g():\n{}\n    yield {}\nprint(list(g()))".format, body, test),
        st.builds("class K:\n{}\n    def m(self): return {}\nprint(K().m())".format, body, test),
        st.builds(
            "class S:\n    def m(self, {}=2):\n        self.a, self._b = {}, 1\n        self.a *= self._b\n"
            "        return self.a, self._b\nprint(S().m())".format,
            NAMES,
            test,
        ),
        st.builds(
            "def p(x, y):\n    z = x * y, x * 70000, x << y\n    x *= y\n    return z, x\nprint(p({}, {}))".format,
            test,
            test,
        ),
        st.builds(
            "match {}:\n    case [x, *y]: print(x, y)\n    case {{'k': z}}: print(z)\n    case _: print('_')".format,
            test,
        ),
    )


SIMPLE = st.one_of(
    st.builds("{} = {}".format, NAMES, EXPRESSIONS),
    st.builds("{}, *{} = {}".format, NAMES, NAMES, EXPRESSIONS),
    st.builds("{} {}= {}".format, NAMES, st.sampled_from(["+", "*", "**", "<<", "%", "|"]), EXPRESSIONS),
    st.builds("print({})".format, EXPRESSIONS),
    st.builds("assert {}, 'no'".format, EXPRESSIONS),
)
PROGRAMS = st.lists(st.recursive(SIMPLE, _compound, max_leaves=5), min_size=1, max_size=4).map(
    lambda parts: "a, b, c, _d = 1, 'two', [3, 4], {'k': 5}\n" + "\n".join(parts)
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(PROGRAMS)
def test_generated_programs_do_what_they_do_in_cpython(source: str) -> None:
    assert difference_in_generated(source) is None, source


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(PROGRAMS)
def test_many_generated_programs_do_what_they_do_in_cpython(source: str) -> None:
    assert difference_in_generated(source) is None, source
