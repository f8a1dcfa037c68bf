"""`codeact exec SNIPPET.py`: one snippet in a session, without a model."""

from __future__ import annotations

import sys
from typing import Any

import click

from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, Ended, plain, print_json
from codeact.loading import read_text
from codeact.records import Observation


@click.command()
@click.argument("snippet")
@options.session_options
def execute(snippet: str, as_json: bool, **chosen: Any) -> None:
    """Run the Python file SNIPPET (- for standard input) as a model's snippet would run: checked, metered, caged."""
    from codeact.cli.screen import open_screen

    source = read_text(snippet, "snippet")
    seen = _run(source, chosen)
    screen = open_screen(sys.stderr if as_json else sys.stdout)
    for call in seen.calls:
        screen.called(call)
    screen.observed(seen)
    screen.close()
    if as_json:
        print_json(observation_as_json(seen))
    raise Ended(ANSWERED if seen.ok else FAILED)


def _run(source: str, chosen: dict[str, Any]) -> Observation:
    from codeact.session import Session

    with Session(
        tools=options.tools_of(chosen["tool_paths"]),
        policy=options.policy_of(chosen["import_names"]),
        limits=options.limits_of(chosen["operations"], chosen["wall_seconds"]),
        files=options.files_of(chosen["file_paths"]),
        inputs=options.inputs_of(chosen["input_pairs"]),
        skills=_skill_sources(chosen["skills_folder"]),
        without=list(chosen["without"]),
    ) as session:
        return session.run(source)


def _skill_sources(folder: str | None) -> list[Any]:
    found = options.skills_folder_of(folder)
    if found is None:
        return []
    from codeact.cli.skills import open_library

    return [skill.source for skill in open_library(found).active()]


def observation_as_json(seen: Observation) -> dict[str, Any]:
    """One observation as the object of `--json`."""
    return {name: plain(getattr(seen, name)) for name in Observation.__slots__ if name != "images"} | {
        "images": [image.name for image in seen.images]
    }
