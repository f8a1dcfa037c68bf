"""A recorded run, run again offline: the snippets for real, the replies and the tool results from the recording."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path
from typing import Any

from codeact.agent.agent import Agent, listener
from codeact.agent.driving import asked_in, drive
from codeact.agent.preparing import Emit, Setting
from codeact.agent.tape import LEFT_OUT, Tape
from codeact.agent.undoing import refuse_session
from codeact.errors import Diverged, JournalError, UsageError
from codeact.journal import Recording, read
from codeact.limits import Budget, Limits, Policy
from codeact.models import ReplayModel, Stop
from codeact.records import Parameter, Run, ToolSpec
from codeact.toolbox import Tool, make_tool

_PARTS = {"limits": Limits, "budget": Budget}


def replay(path: str | Path, *, on_event: Emit | None = None, isolation: Any = "caged") -> Run:
    """Run a recording again; Diverged names the first thing that is not as it was."""
    recording = read(path)
    refuse_session(recording)
    if "tools" not in recording.header:
        raise JournalError(f"{path} holds replies only: use it as a model, --model recorded:{path}")
    agent = Agent(
        None,
        tools=[_as_recorded(spec, recording.path) for spec in recording.header["tools"]],
        policy=Policy(recording.header.get("imports", ())),
        isolation=isolation,
        runs=None,
        **might_use(recording),
    )
    setting = Setting(listener(on_event), Stop(), tape=Tape(recording, only=True))
    run = drive(agent, asked_in(recording), setting, ReplayModel(path))
    _compare(recording, run)
    return run


def might_use(recording: Recording) -> dict[str, Any]:
    """Give the limits and the budget the run had, by their names, as far as they are recorded."""
    try:
        return {name: kind(**recording.header[name]) for name, kind in _PARTS.items() if name in recording.header}
    except (TypeError, UsageError) as error:
        raise JournalError(f"{recording.path}: its header does not say what the run might use: {error}") from error


def _compare(recording: Recording, run: Run) -> None:
    if next(recording.of("answer"), None) is not None and run.ended != "answered":
        raise Diverged(f"the recorded run was answered; now it {run.ended}: {run.reason}")


def _as_recorded(fields: dict[str, Any], path: Path) -> Tool:
    """Give a tool that can be called as the recorded one; its results come from the tape."""
    try:
        parameters = tuple(Parameter(**parameter) for parameter in fields["parameters"])
    except TypeError as error:
        raise JournalError(f"{path}: its header says of a tool what this codeact does not know: {error}") from error
    spec = ToolSpec(fields["name"], parameters, fields["returns"], fields["doc"], fields["effect"])

    def recorded(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("a call that is not on the tape is refused before it gets here")

    recorded.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what inspect.signature reads
        [
            inspect.Parameter(
                parameter.name,
                getattr(inspect.Parameter, parameter.kind),
                default=inspect.Parameter.empty if parameter.required or "VAR" in parameter.kind else LEFT_OUT,
            )
            for parameter in parameters
        ]
    )
    recorded.__name__ = spec.name
    recorded.__doc__ = spec.doc
    return dataclasses.replace(make_tool(recorded, name=spec.name), spec=spec)
