"""Programs made from the grammar of Python do in ours what they do in CPython, or are refused with a reason."""

from __future__ import annotations

import ast

import pytest

from codeact import Session
from tests.fidelity.comparing import difference_in_generated, in_cpython
from tests.fidelity.programs import program

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_generated_programs_do_what_they_do_in_cpython(first: int) -> None:
    found = {seed: difference_in_generated(program(seed)) for seed in range(first, first + 40)}
    assert {seed: what for seed, what in found.items() if what is not None} == {}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(40_000, 40_300, 50))
def test_many_generated_programs_do_what_they_do_in_cpython(first: int) -> None:
    found = {seed: difference_in_generated(program(seed, depth=8)) for seed in range(first, first + 50)}
    assert {seed: what for seed, what in found.items() if what is not None} == {}


def test_generated_programs_do_the_same_in_a_cage() -> None:
    compared = 0
    for seed in range(500, 520):
        source = program(seed)
        if difference_in_generated(source) is not None or not _compiles(source):
            continue
        with Session() as session:
            seen = session.run(source)
        plain = in_cpython(source)
        if seen.failure is not None and seen.failure.kind in ("refused", "limit"):
            continue
        assert (seen.failure.type if seen.failure else "") == plain.type, seed
        assert (seen.failure.line if seen.failure else 0) == plain.line, seed
        compared += 1
    assert compared > 10


def _compiles(source: str) -> bool:
    try:
        compile(source, "<plain>", "exec", dont_inherit=True)
    except (SyntaxError, SystemError):  # the compiler of 3.12 breaks down at some classes with type parameters
        return False
    return True


#: Nodes no program contains, and why.
ABSENT = {
    "Module Expression": "the program itself",
    "Interactive FunctionType TypeIgnore": "no snippet is parsed so",
    "AugLoad AugStore Param Suite Index ExtSlice slice Num Str Bytes NameConstant Ellipsis _ast_Ellipsis": "names of older versions",
    "AST mod stmt expr expr_context boolop operator unaryop cmpop excepthandler pattern type_ignore type_param": "kinds",
}


def test_generated_programs_hold_every_node_of_the_grammar() -> None:
    absent = {name for group in ABSENT for name in group.split()}
    wanted = {name for name, cls in vars(ast).items() if isinstance(cls, type) and issubclass(cls, ast.AST)} - absent
    for seed in range(2_000):
        if not wanted:
            break
        source = program(seed)
        if _compiles(source):
            wanted -= {type(node).__name__ for node in ast.walk(ast.parse(source))}
    assert wanted == set()
