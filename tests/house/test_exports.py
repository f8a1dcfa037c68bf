"""One front door: the exported names are pinned, and each of them is there."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeact
from codeact import errors, testing
from codeact.skills.library import SkillModels

NAMES = [
    "Agent",
    "Budget",
    "CodeactError",
    "Limits",
    "Observation",
    "Pause",
    "Policy",
    "Run",
    "Session",
    "SkillLibrary",
    "tool",
]


def test_the_exported_names_are_these() -> None:
    assert codeact.__all__ == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_exported_name_is_loaded_when_it_is_used(name: str) -> None:
    assert getattr(codeact, name).__name__ == name


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(codeact.__file__).read_text())
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    seen = [alias.name for node in ast.walk(blocks[0]) if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(seen) == sorted(NAMES)


@pytest.mark.parametrize("name", ["Agent", "Budget", "Limits", "Pause", "Policy", "Session", "SkillLibrary"])
def test_the_help_of_what_is_made_by_users_says_what_each_parameter_is(name: str) -> None:
    made = getattr(codeact, name)
    told = re.findall(r"`(\w+)", made.__doc__)
    assert [parameter for parameter in inspect.signature(made).parameters if parameter not in told] == []


def test_no_help_shows_an_object_by_its_address() -> None:
    assert "object at 0x" not in pydoc.render_doc(codeact)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Agents'"):
        _ = codeact.Agents


def test_the_tree_of_errors_is_the_one_that_is_drawn() -> None:
    drawn: list[tuple[str, str]] = []
    above: dict[int, str] = {}
    for line in re.findall(r"^ {4}[ │├└─]*\w+", errors.__doc__, re.MULTILINE):
        name = line.strip(" │├└─")
        depth = len(line) - len(name)
        parent = next((above[at] for at in sorted(above, reverse=True) if at < depth), "Exception")
        above = {at: other for at, other in above.items() if at < depth} | {depth: name}
        drawn.append((name, parent))
    made = [(name, made.__base__.__name__) for name, made in vars(errors).items() if isinstance(made, type)]
    assert drawn == made


def _functions(of: object) -> Iterator[object]:
    """A class or function, and the functions of a class that anybody may call."""
    yield of
    for name, held in vars(of).items() if isinstance(of, type) else ():
        function = held.fget if isinstance(held, property) else inspect.unwrap(getattr(held, "__func__", held))
        if inspect.isfunction(function) and (name == "__init__" or not name.startswith("_")):
            yield function


@pytest.mark.parametrize(
    "public",
    [*(getattr(codeact, name) for name in NAMES), *(getattr(testing, name) for name in testing.__all__), SkillModels],
)
def test_programs_can_read_the_types_of_all_that_is_exported(public: object) -> None:
    assert all(isinstance(typing.get_type_hints(function), dict) for function in _functions(public))
