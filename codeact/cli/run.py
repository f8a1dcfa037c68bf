"""`codeact run "TASK"`: a model, a task, and the tools to do it with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from codeact.cli import options
from codeact.cli.asking import asked
from codeact.cli.endings import ANSWERED, FAILED, INTERRUPTED, Ended, plain, print_json, say
from codeact.errors import CodeactError

if TYPE_CHECKING:
    from codeact.agent import Agent
    from codeact.cli.screen import Screen
    from codeact.events import Event
    from codeact.records import Run

    Emit = Callable[[Event], None]

CODES = {"answered": ANSWERED, "interrupted": INTERRUPTED, "paused": INTERRUPTED}


@click.command()
@click.argument("task")
@options.models
@click.option(
    "--record", metavar="PATH", callback=options.named,
    help="Where to write the recording. Default: a new file in .codeact/runs/.",
)  # fmt: skip
@click.option("--promote", is_flag=True, help="Keep what worked as a skill, once it has passed verification.")
@options.plan
@options.candidates
@options.dry_run
@options.approve
@options.pictures
@options.budget_options
@options.session_options
def run(task: str, as_json: bool, **chosen: Any) -> None:
    """Give a model TASK: the text itself, @FILE for the text of a file, or - for standard input."""
    from codeact.cli.recording import given_recording, new_recording

    task = options.task_of(task)
    inputs, files = options.inputs_of(chosen["input_pairs"]), options.files_of(chosen["file_paths"])
    agent = make_agent(chosen)
    model = agent.open_model()  # that none is named, or that the recording is none, is said before anything is written
    record = given_recording(chosen["record"]) if chosen["record"] else new_recording(task)
    provenance = str(getattr(model, "provenance", ""))
    again, asks = options.to_go_on(chosen), chosen["approve"] == "ask"
    show = Show(record, chosen["pictures"], as_json, provenance=provenance, options=again, asks=asks)
    show.play(lambda tell: agent.run(task, inputs=inputs, files=files, record=record, on_event=tell))


def make_agent(chosen: dict[str, Any]) -> Agent:
    """The agent these options describe."""
    from codeact.agent import Agent

    library = None
    folder = options.skills_folder_of(chosen["skills_folder"])
    if folder is not None or chosen["promote"]:
        from codeact.cli.skills import open_library

        library = open_library(folder, to_fill=chosen["promote"])
        for broken in library.broken():
            say(f"codeact: the skill in {library.root / broken.folder} is left out: {broken.reason}", err=True)
    return Agent(
        list(chosen["models"]) if len(chosen["models"]) > 1 else next(iter(chosen["models"]), None),
        tools=options.tools_of(chosen["tool_paths"]),
        skills=library,
        budget=options.budget_of(chosen),
        policy=options.policy_of(chosen["import_names"]),
        limits=options.limits_of(chosen),
        without=chosen["without"],
        approve=asked if chosen.get("approve") == "ask" else chosen.get("approve"),
        dry_run=bool(chosen.get("dry_run")),
        candidates=chosen.get("candidates") or 1,
        plan=bool(chosen.get("plan")),
        promote="verified" if chosen["promote"] else None,
    )


@dataclass(frozen=True, slots=True)
class Show:
    """How a run is shown: where it is recorded, where its pictures go, and whether a machine reads the end."""

    record: Path
    pictures: str | None
    as_json: bool
    provenance: str = ""  # how the replies came about, where no model gives them
    kept: bool = False  # the recording is only read, so there is nothing new in it to go on with
    options: str = ""  # what has to be said again to go on
    asks: bool = False  # calls are asked about at the terminal, which nothing may overwrite meanwhile

    def play(self, drive: Callable[[Emit], Run]) -> NoReturn:
        """Show a run to its end and leave with its exit code; where it did not come to one, say how to go on."""
        from codeact.cli.follow import follow, pictures_beside
        from codeact.cli.screen import open_screen

        screen = open_screen(sys.stderr if self.as_json else sys.stdout)
        pictures = Path(self.pictures) if self.pictures else pictures_beside(self.record)
        there = self.record.absolute()  # tools may change the current folder
        if self.provenance:
            screen.note(f"the model's replies are a recording ({self.provenance}); all else is executed now, for real")
        try:
            ended = drive(follow(screen, pictures, live=not self.asks))
        except CodeactError as error:
            screen.close()
            if hasattr(error, "__notes__"):  # that the run so far is saved; with which options it began is known here
                error.__notes__ = [self._to_go_on()]
            raise
        except BaseException:
            screen.close()
            self._say_how_to_go_on(there)
            raise
        self._close(ended, screen)
        raise Ended(CODES.get(ended.ended, FAILED))

    def _close(self, ended: Run, screen: Screen) -> None:
        from codeact.cli.follow import closing
        from codeact.cli.screen import call_line

        if ended.ok:
            screen.answer(_shown(ended.answer), closing(ended))
        else:
            screen.failed(ended.reason or ended.ended, closing(ended))
        if not self.kept:
            screen.note(f"recorded in {self.record}")
        screen.close()
        for call in ended.withheld:
            screen.note(f"would call {call_line(call)}")
        if ended.ended in ("interrupted", "budget"):
            self._say_how_to_go_on(ended.journal)
        if ended.ended == "paused":
            said = "(or --no, or --change '{\"argument\": …}')"
            print(f"The run waits for your decision. To go on:  {self._resume(' --yes')}    {said}", file=sys.stderr)
        if self.as_json:
            fields = {name: plain(getattr(ended, name)) for name in ended.__slots__ if name != "tools"}
            print_json({"ok": ended.ok} | fields)

    def _say_how_to_go_on(self, recording: Path | None) -> None:
        if recording is not None and recording.is_file() and not self.kept:
            print(self._to_go_on(), file=sys.stderr)

    def _to_go_on(self) -> str:
        return f"What was done so far is saved. To go on:  {self._resume()}"

    def _resume(self, decision: str = "") -> str:
        return f"codeact resume {options.as_typed(str(self.record))}{decision}{self.options}"


def _shown(answer: object) -> str:
    from codeact.snippet.describe import describe

    return answer if isinstance(answer, str) else describe(answer, 2_000)
