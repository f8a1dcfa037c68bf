"""What a run changed, taken back: the last change first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeact.agent.effects import changes
from codeact.errors import JournalError
from codeact.journal import Entry, Journal, Recording
from codeact.paths import as_path
from codeact.records import ToolCall
from codeact.toolbox import Tool, Toolbox, Tools


@dataclass(frozen=True, slots=True)
class Undone:
    """A call that changed something: `problem` says why it could not be taken back, empty where it was."""

    call: ToolCall
    problem: str = ""


def undo(path: str | Path, tools: Tools) -> tuple[Undone, ...]:
    """Take back what a recorded run changed, in reverse order and each change once; says what stays as it is."""
    known, done = Toolbox(tools).tools, []
    with Journal.reopen(as_path("undo({})", path)) as journal:
        refuse_session(journal.recording)
        for entry in reversed(_changes(journal.recording, known)):
            call = ToolCall(entry["tool"], entry["arguments"], entry["result"], None, entry["seconds"])
            problem = _take_back(call, known.get(call.tool), entry.fields.get("inner", ()))
            journal.append("undone", step=entry["step"], number=entry["number"], tool=call.tool, problem=problem)
            done.append(Undone(call, problem))
    return tuple(done)


def refuse_session(recording: Recording) -> None:
    """Raise JournalError where a file holds a session and no run."""
    if recording.holds_session:
        raise JournalError(f"{recording.path} is a session; `codeact resume {recording.path}` goes on with it")


def refuse_undone(path: Path, recording: Recording) -> None:
    """Raise JournalError where what the run changed was taken back: nothing goes on from there."""
    if next(recording.of("undone"), None) is not None:
        raise JournalError(f"what the run in {path} changed was taken back: start it anew")


def _changes(recording: Recording, known: Mapping[str, Tool]) -> list[Entry]:
    """Give the calls that happened, changed something, and were not taken back before."""
    if recording.header.get("dry_run"):
        return []
    back = {(entry["step"], entry["number"]) for entry in recording.of("undone") if not entry["problem"]}
    return [
        entry
        for entry in recording.of("call")
        if (entry["error"] is None or entry.fields.get("happened"))
        and (entry["step"], entry["number"]) not in back
        and (entry["tool"] not in known or _may_be_taken_back(known[entry["tool"]]))
    ]


def _may_be_taken_back(tool: Tool) -> bool:
    return changes(tool) or tool.undo is not None


def _take_back(call: ToolCall, tool: Tool | None, inner: Sequence[str]) -> str:
    """Call the tool's `undo`, of an agent that of its runs; gives what is in the way."""
    if tool is None:
        return "its tool is not there any more"
    if undo_run := getattr(tool.function, "undo_run", None):
        try:
            undone = [done for path in reversed(inner) for done in undo_run(path)]
        except JournalError as error:
            return str(error)
        return "; ".join(f"{done.call.tool}(): {done.problem}" for done in undone if done.problem)
    if tool.undo is None:
        return "it is irreversible" if tool.spec.effect == "irreversible" else "its tool does not say how: no undo="
    try:
        tool.undo(call)
    except Exception as error:  # the changes before it are still taken back, and this one is named
        return f"{type(error).__name__}: {error}"
    return ""
