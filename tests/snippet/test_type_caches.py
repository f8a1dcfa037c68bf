"""What typing remembers for the whole process, a snippet's objects are not compared with."""
# ruff: noqa: UP006, UP007, UP045  # what these names remember is what is asked for

from __future__ import annotations

import typing

import pytest

from tests.snippet.running import Step, value_of

_SEEN = (
    "import types, typing\nseen = []\nclass F:\n    def __hash__(self): return hashed\n    def __call__(self): pass\n"
    "    def __eq__(self, other):\n        seen.append(other)\n        return False\nf = F()\n"
)


class Hidden:
    """A class of the host's, which no snippet has met."""


@pytest.mark.parametrize(
    ("known", "hashed", "asked"),
    [
        (typing.Optional[Hidden], Hidden, "typing.Optional[f]"),
        (typing.Union[Hidden, int], Hidden, "typing.Union[f, int]"),
        (typing.List[Hidden], Hidden, "typing.List[f]"),
        (typing.Literal["hidden"], "hidden", "typing.Literal[f]"),
        (typing.Optional[list[Hidden]], Hidden, "typing.Optional[list[f]]"),
        (typing.Dict[str, typing.List[Hidden]], Hidden, "typing.Dict[str, typing.List[f]]"),
    ],
)
def test_a_cache_of_typing_hands_out_nothing_by_comparison(known: object, hashed: object, asked: str) -> None:
    step = Step(check_first=False)
    step.namespace.assign({"hashed": hash(hashed)})
    step.run(_SEEN + asked)
    seen = step.run("seen").value
    assert known is not None
    assert not [one for one in seen if one is hashed or one == "hidden"]  # type: ignore[attr-defined]  # a list


def test_types_that_are_asked_for_twice_are_one() -> None:
    source = (
        "from typing import *\nclass A: pass\nT = TypeVar('T')\nclass G(Generic[T]): pass\n"
        "[List[A] is List[A], Optional[int] is Optional[int], Literal[1, 'a'] is Literal[1, 'a'], G[A] is G[A],"
        " Callable[[int], A] == Callable[[int], A], Annotated[int, A()] != Annotated[int, A()],"
        " Dict[str, List[A]] is Dict[str, List[A]], Optional[list[A]] == Optional[list[A]]]"
    )
    assert value_of(source) == [True] * 8
