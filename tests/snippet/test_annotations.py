"""Annotations that are text mean what they mean in CPython, under the rules of the language."""

from __future__ import annotations

import json
import sys
import typing

import pytest

from tests.snippet.running import failure_of, value_of

_BEFORE = "import functools, typing\nfrom typing import *\n"
_LATER = "from __future__ import annotations\n" + _BEFORE

HINTS = {
    "a class in itself": (
        _BEFORE + "class A: y: 'A'; z: Optional['A']; w: None\nhints = get_type_hints(A)\n"
        "hints == {'y': A, 'z': Optional[A], 'w': type(None)}"
    ),
    "all later": (
        _LATER
        + "class N:\n    def of(self, o: Other, *more: int | None) -> dict[str, list[Other]]: ...\nclass Other: pass\n"
        "get_type_hints(N.of) == get_type_hints(N().of) == {'o': Other, 'more': int | None, 'return': dict[str, list[Other]]}"
    ),
    "texts that stay": _BEFORE + "def f(x: Literal['A'], y: Annotated['int', 'note']): ...\n"
    "get_type_hints(f, include_extras=True) == {'x': Literal['A'], 'y': Annotated[int, 'note']}",
    "a class variable": _LATER
    + "class A:\n    T = int\n    x: ClassVar[list[T]]\nget_type_hints(A) == {'x': ClassVar[list[int]]}",
    "inherited": _LATER + "class A: x: B\nclass B(A): y: A\nget_type_hints(B) == {'x': B, 'y': A}",
    "names that are given": _BEFORE + "def f(x: 'T'): ...\n"
    "[get_type_hints(f, {'T': int}), get_type_hints(f, None, {'T': str})] == [{'x': int}, {'x': str}]",
    "a wrapped function": _BEFORE
    + "def f(x: 'list[int]'): ...\nget_type_hints(functools.wraps(f)(lambda x: x)) == {'x': list[int]}",
    "a type that stands in itself": _BEFORE + "L = Optional['L']\ndef f(x: list[L]): ...\n"
    "str(get_type_hints(f)) == str({'x': list[L]})",
    "what is unpacked": _BEFORE
    + "def f(*more: *tuple[int, str]): ...\nget_type_hints(f) == {'more': Unpack[tuple[int, str]]}",
    "a builtin's": _BEFORE + "get_type_hints(print) == {}",
    "dispatch": _LATER
    + "@functools.singledispatch\ndef f(x): return 'other'\n@f.register\ndef _(x: int | float) -> str: return 'number'\n"
    "class A: pass\n@f.register\ndef _(x: A): return 'A'\n[f(1), f(2.5), f(A()), f([])] == ['number', 'number', 'A', 'other']",
    "dispatch of a method": _LATER
    + "class A:\n    @functools.singledispatchmethod\n    def f(self, x): return 'other'\n"
    "    @f.register\n    def _(self, x: int): return 'int'\n[A().f(1), A().f('')] == ['int', 'other']",
}


@pytest.mark.parametrize("source", HINTS.values(), ids=HINTS)
def test_a_text_is_the_type_it_says(source: str) -> None:
    assert value_of(source) is True


@pytest.mark.parametrize(
    ("text", "error"),
    [
        *[
            ("Missing", "NameError"),
            ("(int, str)", "TypeError"),
            ("a b", "SyntaxError"),
            ("len.__self__", "AttributeError"),
        ],
        *[("len.__globals__", "Refused"), ("__builtins__", "Refused"), ("[x for x in iter(int, 1)]", "LimitReached")],
    ],
)
@pytest.mark.parametrize(
    "asked", ["get_type_hints(f)", "functools.singledispatch(len).register(f)", "get_type_hints(A)"]
)
def test_a_text_that_is_no_type_fails_as_if_it_were_said(asked: str, text: str, error: str) -> None:
    source = f"{_BEFORE}def f(x: {text!r}): ...\nclass A: x: {text!r}\n{asked}"
    assert failure_of(source, operations=1000)[1] == error


def test_what_a_text_binds_is_forgotten() -> None:
    assert failure_of(f"{_BEFORE}def f(x: '(y := int)'): ...\nget_type_hints(f)\ny") == ("raised", "NameError")


def test_a_text_sees_the_hooks_by_no_name() -> None:
    source = f"{_BEFORE}def f(x: '[y for y in iter(int, 1)]'): ...\nget_type_hints(f, {{' loops': [1], '__builtins__': {{}}}})"
    assert failure_of(source, operations=1000) == ("limit", "LimitReached")


def test_no_text_finds_what_a_class_hides() -> None:
    assert failure_of(f"{_BEFORE}class A: x: '__dict__'\nget_type_hints(A)") == ("raised", "NameError")


@pytest.mark.parametrize(
    "annotation", ["A._b", "2 ** n", "[*n]", "list(n)", "A.__class__", "f'{n:>{w}}'", "lambda: n", "a if b * c else d"]
)
def test_an_annotation_that_is_not_evaluated_is_told_as_it_was_written(annotation: str) -> None:
    function = f"def f(x: {annotation}, *y: {annotation}) -> {annotation}: ...\nclass C: x: {annotation}\n"
    asked = "[*f.__annotations__.values(), *C.__annotations__.values()]"
    assert value_of(_LATER + function + asked) == [annotation] * 4


def test_an_annotation_that_is_not_evaluated_is_checked_all_the_same() -> None:
    assert failure_of(_LATER + "def f(x: ().__subclasses__): ...")[0] == "refused"


_SORTS = (
    "@dataclass\nclass D:\n    c: {typing}ClassVar[int] = 1\n    i: {own}InitVar[int] = 2\n    x: int = 3\n"
    "    _: {own}KW_ONLY\n    y: int = 4\n[repr(D(7, 8, y=9)), D.c]"
)


@pytest.mark.parametrize("later", ["from __future__ import annotations\n", ""])
def test_a_dataclass_tells_the_sorts_of_its_fields_by_their_text(later: str) -> None:
    named = "from dataclasses import *\nfrom typing import *\n" + _SORTS.format(typing="", own="")
    dotted = "import typing as t, dataclasses as d\nfrom dataclasses import dataclass\n" + _SORTS.format(
        typing="t.", own="d."
    )
    assert value_of(later + named) == value_of(later + dotted) == ["D(x=8, y=9)", 1]


def test_the_text_of_a_field_is_none_of_the_hosts_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "Fixed", typing.ClassVar, raising=False)
    source = "from dataclasses import dataclass\n@dataclass\nclass D: x: 'Fixed[int]' = 1\nrepr(D(2))"
    assert value_of(source) == "D(x=2)"


def test_what_is_not_to_be_checked_has_no_hints_and_marks_nothing_of_a_librarys() -> None:
    source = (
        f"{_BEFORE}import json\n@no_type_check\nclass A:\n    x: int\n    def f(self, x: int): ...\n    @classmethod\n"
        "    def g(cls, x: int): ...\n    class B:\n        y: int\n        def h(self, x: int): ...\n"
        "class C: pass\nC.__module__, C.__qualname__ = 'json.encoder', 'JSONEncoder'\n"
        "C.default = json.JSONEncoder.default\nno_type_check(C)\n"
        "[get_type_hints(one) for one in (A, A.f, A.g, A.B, A.B.h, no_type_check(lambda x: 1))]"
    )
    assert value_of(source) == [{}] * 6
    assert not hasattr(json.JSONEncoder.default, "__no_type_check__")
