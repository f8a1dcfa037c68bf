"""Which skills a run is offered: a few as stubs, more within reach, and two tools to find them with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from codeact.agent.own_tools import SKILL_TOOLS
from codeact.errors import SkillError
from codeact.records import SkillSource, ToolSpec
from codeact.toolbox import Tool, make_tool, tool

if TYPE_CHECKING:
    from codeact.skills.library import SkillLibrary

WITHIN_REACH = 20  # skills that are functions in the session, the offered ones among them
_SHOWN = 8


class How(TypedDict):
    """How skills are looked for: whether the answer will be checked, and who hears of a search that half failed."""

    checked: bool
    warn: Callable[[str], object]


def choose(
    library: SkillLibrary,
    task: str,
    count: int,
    specs: Mapping[str, ToolSpec],
    inputs: Collection[str],
    **how: Unpack[How],
) -> tuple[tuple[SkillSource, ...], tuple[str, ...]]:
    """The skills a session defines, and the names of the at most `count` that the prompt shows.

    None has, or calls a skill that has, the name of a tool or of one of the inputs: it would be one or the other.
    """
    taken, fitting, sources = {*specs, *inputs, *SKILL_TOOLS}, list[str](), dict[str, SkillSource]()
    for card in library.search(task, max(count, WITHIN_REACH), tools=specs, **how):
        needed = {source.name: source for source in library.sources([card.name])}
        if taken.isdisjoint(needed):
            fitting.append(card.name)
            sources |= needed
    return tuple(sources.values()), tuple(sorted(fitting[:count]))


def skill_tools(
    library: SkillLibrary, specs: Mapping[str, ToolSpec], within_reach: Sequence[SkillSource], **how: Unpack[How]
) -> list[Tool]:
    """Give `search_skills` and `show_skill`."""
    defined = {source.name for source in within_reach}

    @tool(effect="read")
    def search_skills(what: str) -> str:
        """Signatures of the tested skills that fit `what`, best first."""
        cards = library.search(what, _SHOWN, tools=specs, **how)
        lines = [card.stub + ("" if card.name in defined else _elsewhere(card.name)) for card in cards]
        return "\n\n".join(lines) or f"No skill fits {what!r}: try other words, or write it yourself."

    @tool(effect="read")
    def show_skill(name: str) -> str:
        """The code of a skill, what it calls, and a task it has served."""
        try:
            skill = library.get(name)
        except SkillError as error:
            raise LookupError(f"{error}; search_skills(…) tells which there are") from None
        if skill.state != "active":
            raise LookupError(f"{name} is {skill.state}: {skill.reason}")
        calls = ", ".join([*(spec.name for spec in skill.tools), *skill.skills]) or "nothing"
        head = f"# calls {calls}; imports {', '.join(skill.imports) or 'nothing'}"
        served = "".join(f"# served: {task}\n" for task in skill.tasks[:2])
        note = "" if skill.name in defined else "# not a function here: copy what follows to use it\n"
        return f"{head}\n{served}{note}{skill.code}"

    return [make_tool(search_skills), make_tool(show_skill)]


def _elsewhere(name: str) -> str:
    return f"\n    # not a function here yet: print(show_skill({name!r})) gives its code to copy"
