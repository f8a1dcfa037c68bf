"""`codeact exec SNIPPET.py`: one snippet in a session, without a model."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, Ended, plain, print_json
from codeact.errors import SkillError
from codeact.loading import ToolFunction
from codeact.records import Observation, SkillSource
from codeact.snippet.describe import describe
from codeact.snippet.places import printable

if TYPE_CHECKING:
    from codeact.cli.screen import Screen
    from codeact.skills.library import SkillLibrary

_ANSWER_CHARS = 2_000  # of what is shown of an answer


@click.command()
@click.argument("snippet")
@click.option(
    "--pictures", metavar="DIR", callback=options.named,
    help="Where pictures the snippet makes are saved. Default: nowhere.",
)  # fmt: skip
@options.session_options
def execute(snippet: str, pictures: str | None, as_json: bool, **chosen: Any) -> None:
    """Run the Python file SNIPPET (- for standard input) as a model's snippet would run: checked, metered, caged."""
    from codeact.cli.follow import saver
    from codeact.cli.screen import open_screen

    source = options.read_text(snippet, "snippet")
    screen, saved = open_screen(sys.stderr if as_json else sys.stdout), saver(Path(pictures)) if pictures else None
    try:
        seen = _run(source, chosen, screen)
        screen.observed(replace(seen, text=describe(seen.answer, _ANSWER_CHARS)) if seen.answered else seen)
        if saved is not None:
            for image in seen.images:
                screen.note(saved(image, 1))
    finally:
        screen.close()
    if as_json:
        print_json(observation_as_json(seen))
    raise Ended(ANSWERED if seen.ok else FAILED)


def _run(source: str, chosen: dict[str, Any], screen: Screen) -> Observation:
    inputs = options.inputs_of(chosen["input_pairs"])
    from codeact.cli.screen import CallsOfStep
    from codeact.session import Listener, Session

    calls, tools = CallsOfStep(screen), options.tools_of(chosen["tool_paths"])
    heard: list[str] = []
    with Session(
        tools=tools,
        policy=options.policy_of(chosen["import_names"]),
        limits=options.limits_of(chosen),
        files=options.files_of(chosen["file_paths"]),
        skills=_skill_sources(chosen["skills_folder"], tools, source),
        without=chosen["without"],
        listener=Listener(heard.append, lambda tool, _: calls.started(tool), calls.ended),
    ) as session:
        session.assign(inputs)
        try:
            seen = session.run(source)
        except KeyboardInterrupt:
            screen.printed("".join(heard))  # it tells how far it came
            raise
        calls.over()
        return seen


def _skill_sources(folder: str | None, tools: Iterable[ToolFunction], snippet: str) -> list[SkillSource]:
    """The skills on offer in the library named, or in skills/ here; one that cannot be had is left out with a note.

    Of one that is not on offer, or broken, there is a note where the snippet speaks of it.
    """
    if options.skills_folder_of(folder) is None:
        return []
    from codeact.cli.skills import open_library
    from codeact.toolbox import Toolbox

    library, there = open_library(folder), Toolbox(tools).tools
    found: dict[str, SkillSource] = {}
    for name, reason in _not_on_offer(library):
        if re.search(rf"\b{re.escape(name)}\b", snippet):
            _left_out(name, reason)
    for card in library.list():
        if card.state != "active":
            continue
        try:
            sources = library.sources([card.name])  # those it calls before itself
            missing = sorted({tool for source in sources for tool in source.tools if tool not in there})
            hindered = f"it calls {', '.join(missing)}, which is no tool here" if missing else ""
        except SkillError as error:
            hindered = str(error)
        if hindered:
            _left_out(card.name, hindered)
        else:
            found |= {source.name: source for source in sources}
    return [*found.values()]


def _not_on_offer(library: SkillLibrary) -> Iterator[tuple[str, str]]:
    """The names of skills that may not be used, and why."""
    for card in library.list():
        if card.state != "active":
            yield card.name, f"it is {card.state}: {card.reason}"
    from codeact.skills.record import name_of

    for one in library.broken():
        yield name_of(one.folder), one.reason


def _left_out(name: str, why: str) -> None:
    print(printable(f"codeact: the skill {name} is left out: {why}"), file=sys.stderr)


def observation_as_json(seen: Observation) -> dict[str, Any]:
    """One observation as the object of `--json`."""
    return {name: plain(getattr(seen, name)) for name in Observation.__slots__ if name != "images"} | {
        "images": [image.name for image in seen.images]
    }
