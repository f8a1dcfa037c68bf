"""`codeact run "TASK"`: a model, a task, and the tools to do it with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, INTERRUPTED, Ended, plain, print_json

if TYPE_CHECKING:
    from codeact.cli.screen import Screen
    from codeact.records import Run

CODES = {"answered": ANSWERED, "interrupted": INTERRUPTED}


@click.command()
@click.argument("task")
@click.option(
    "--model", metavar="M", help="provider/name as litellm knows it, or recorded:FILE. Default: CODEACT_MODEL."
)
@click.option("--record", metavar="PATH", help="Where to write the recording. Default: a new file in .codeact/runs/.")
@click.option("--promote", is_flag=True, help="Keep what worked as a skill, once it has passed verification.")
@click.option("--pictures", metavar="DIR", help="Where pictures a step makes are saved. Default: beside the recording.")
@click.option("--steps", type=int, metavar="N", help="Steps the run may take.")
@click.option("--tokens", type=int, metavar="N", help="Tokens the run may use.")
@click.option("--cost-usd", type=float, metavar="USD", help="Dollars the run may cost.")
@options.session_options
def run(task: str, as_json: bool, **chosen: Any) -> None:
    """Give a model TASK: the text itself, @FILE for the text of a file, or - for standard input."""
    from codeact.cli.recording import new_recording
    from codeact.cli.screen import open_screen

    task = options.task_of(task)
    agent = _agent(chosen)
    record = Path(chosen["record"]) if chosen["record"] else new_recording(task)
    asked = {"inputs": options.inputs_of(chosen["input_pairs"]), "files": options.files_of(chosen["file_paths"])}
    screen = open_screen(sys.stderr if as_json else sys.stdout)
    stream = agent.stream(task, record=record, **asked)
    pictures = Path(chosen["pictures"]) if chosen["pictures"] else record.with_suffix("")
    finish(play(stream, screen, record=record, pictures=pictures), as_json=as_json)


def _agent(chosen: dict[str, Any]) -> Any:
    from codeact.agent import Agent

    return Agent(
        model=chosen["model"],
        tools=options.tools_of(chosen["tool_paths"]),
        skills=None,
    )


def play(stream: Any, screen: Screen, *, record: Path, pictures: Path) -> Run:
    """Show a run to its end; interrupted, say how to go on."""
    from codeact.cli.follow import follow

    try:
        ended = follow(stream, screen, pictures=pictures)
    except KeyboardInterrupt:
        screen.close()
        raise
    return ended


def finish(ended: Run, *, as_json: bool) -> None:
    """Leave with the exit code of a run."""
    if as_json:
        print_json(plain(ended))
    raise Ended(CODES.get(ended.ended, FAILED))
