"""What a run changed, taken back: the last change first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeact.agent.effects import changes, is_agent
from codeact.errors import JournalError
from codeact.journal import Entry, Journal, Recording
from codeact.paths import as_path
from codeact.records import ToolCall
from codeact.toolbox import Tool, Toolbox, Tools
from codeact.toolbox.handed import NOT_AWAITED, is_begun

_UNKNOWN = "it had begun when the run was cut off, and whether it happened is not known: look, and take it back by hand"
_UNKNOWN_AGENT = "it had begun when the run was cut off, and nothing says where what it changed is recorded"
_BEGUN = "taking it back was cut off, and whether that happened is not known: look, and do it by hand"


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
        begun = {key for key, line in _taken_back(journal.recording).items() if line.kind == "undoing"}
        for entry in reversed(_changes(journal.recording, known)):
            call = _call_of(entry)
            problem = _BEGUN if _key(entry) in begun else _take_back(entry, call, known.get(call.tool), journal)
            done.append(Undone(call, problem))
    return tuple(done)


def refuse_session(recording: Recording) -> None:
    """Raise JournalError where a file holds a session and no run."""
    if recording.holds_session:
        raise JournalError(f"{recording.path} is a session; `codeact resume {recording.path}` goes on with it")


def refuse_undone(path: Path, recording: Recording) -> None:
    """Raise JournalError where what the run changed was taken back: nothing goes on from there."""
    if _taken_back(recording):
        raise JournalError(f"what the run in {path} changed was taken back: start it anew")


def _call_of(entry: Entry) -> ToolCall:
    if entry.kind != "call":  # how it ended is not known
        return ToolCall(entry["tool"], entry["arguments"])
    return ToolCall(entry["tool"], entry["arguments"], entry["result"], None, entry["seconds"])


def _key(entry: Entry) -> tuple[int, str]:
    return entry["step"], entry["number"]


def _note(journal: Journal, kind: str, entry: Entry, **fields: str) -> None:
    journal.append(kind, step=entry["step"], number=entry["number"], tool=entry["tool"], **fields)


def _taken_back(recording: Recording) -> dict[tuple[int, str], Entry]:
    """Give the last line about taking a call back, for each call that has one."""
    return {_key(entry): entry for entry in recording.of("undoing", "undone")}


def _changes(recording: Recording, known: Mapping[str, Tool]) -> list[Entry]:
    """Give the calls that changed something, or may have, and were not taken back before."""
    if recording.header.get("dry_run"):
        return []
    back = {key for key, line in _taken_back(recording).items() if line.kind == "undone" and not line["problem"]}
    ended = {_key(entry) for entry in recording.of("call", "waiting")}
    entered = {_key(entry): entry["inside"] for entry in recording.of("entered", "waiting") if _inside(entry)}
    read = {spec["name"] for spec in recording.header.get("tools", ()) if spec["effect"] == "read"}
    last = {path: key for key, path in entered.items()}  # it may have been gone on with

    def changed(entry: Entry) -> bool:
        tool = known.get(entry["tool"])
        reads = entry["tool"] in read and not _inside(entry) and not entry.fields.get("inner")
        if reads if tool is None else not _may_be_taken_back(tool):
            return False
        if entry.kind == "call":  # an agent that gave no answer has changed something all the same
            return entry["error"] is None or bool(entry.fields.get("happened") or entry.fields.get("inner"))
        if _key(entry) in ended and entry.kind != "waiting":
            return False
        if entry.kind in ("waiting", "entered"):
            return last.get(_inside(entry)) == _key(entry)
        if tool is not None and is_agent(tool):  # a run that is gone on with calls it anew
            return _key(entry) not in entered and not any(_is_same(entry, call) for call in recording.of("call"))
        return _key(entry) not in entered and (tool is None or changes(tool))

    entries = recording.of("call_started", "entered", "call", "waiting")
    return [entry for entry in entries if _key(entry) not in back and changed(entry)]


def _inside(entry: Entry) -> str:
    """Give where the run of an agent is recorded that a line is about; empty where it is about none."""
    return str(entry.fields.get("inside", ""))


def _is_same(one: Entry, other: Entry) -> bool:
    return all(one[name] == other[name] for name in ("step", "tool", "arguments"))


def _may_be_taken_back(tool: Tool) -> bool:
    return changes(tool) or tool.undo is not None


def _take_back(entry: Entry, call: ToolCall, tool: Tool | None, journal: Journal) -> str:
    """Call the tool's `undo`, of an agent that of its runs; gives what is in the way."""
    if tool is None:
        return "its tool is not there any more"
    if undo_run := getattr(tool.function, "undo_run", None):
        if entry.kind == "call_started":
            return _UNKNOWN_AGENT
        problem = _take_back_runs(entry, undo_run)
    elif entry.kind in ("call_started", "entered"):
        return _UNKNOWN
    elif tool.undo is None:
        return "it is irreversible" if tool.spec.effect == "irreversible" else "its tool does not say how: no undo="
    else:
        _note(journal, "undoing", entry)  # where this is cut off, it may have happened: it is not done a second time
        problem = _asked(tool.undo, call)
    _note(journal, "undone", entry, problem=problem)  # of what was not tried nothing is noted: the run may go on
    return problem


def _asked(undo: Callable[[ToolCall], object], call: ToolCall) -> str:
    try:
        answer = undo(call)
    except Exception as error:  # the changes before it are still taken back, and this one is named
        return f"{type(error).__name__}: {error}"
    return f"its undo= was begun and not done: {NOT_AWAITED}" if is_begun(answer) else ""


def _take_back_runs(entry: Entry, undo_run: Callable[[str], Sequence[Undone]]) -> str:
    inner = [_inside(entry)] if _inside(entry) else entry.fields.get("inner", ())
    try:
        undone = [done for path in reversed(inner) for done in undo_run(path)]
    except JournalError as error:
        return str(error)
    return "; ".join(f"{done.call.tool}(): {done.problem}" for done in undone if done.problem)
