"""Libraries filled by hand, for what does not depend on how a skill came to be."""

from __future__ import annotations

from collections.abc import Iterable

from codeact.records import ToolSpec
from codeact.skills.library import SkillLibrary
from codeact.skills.meaning import meaning_of
from codeact.skills.record import Example, Skill


def skill(name: str, words: str = "Add one to a number.", *, body: str = "", tools: tuple[ToolSpec, ...] = ()) -> Skill:
    """A small skill; each name has a meaning of its own unless a body is given."""
    body = body or f"return number + len({name!r}) * 0 + 1"
    code = f'def {name}(number: int) -> int:\n    """{words}"""\n    {body}\n'
    return Skill(
        name, code, words, f"{name}(number: int) -> int", tools=tools, meaning=meaning_of(code), tasks=(words,)
    )


def fill(library: SkillLibrary, skills: Iterable[Skill]) -> None:
    """Puts skills on the shelf as if they had been promoted."""
    with library.shelf.store.lock():
        library.shelf.refresh()
        for item in skills:
            library.shelf.put(item, [Example({"number": 1}, (), 2, item.description)])
