"""A run from its first question to its record, whatever ends it."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from codeact import events
from codeact.agent.course import Course
from codeact.agent.effects import Decision
from codeact.agent.handed_in import read_again
from codeact.agent.ledger import total
from codeact.agent.nesting import PausedInside
from codeact.agent.own_tools import OWN_TOOLS
from codeact.agent.preparing import Asked, Emit, Setting, prepared
from codeact.agent.tape import Tape, waiting_in
from codeact.agent.tracing import Spans, open_tracer
from codeact.agent.undoing import refuse_session, refuse_undone
from codeact.errors import CodeactError, JournalError, SkillError, UsageError
from codeact.journal import AS_IT_WAS, Journal, Recording, read
from codeact.models import Model, Stop, Stopped
from codeact.records import Run, RunCost, SkillSource
from codeact.skills.record import Promoted
from codeact.snippet.describe import describe

if TYPE_CHECKING:
    from codeact.agent.agent import Agent

_SHORTEST_ALARM = 0.01  # seconds


def drive(agent: Agent, asked: Asked, setting: Setting, model: Model | None = None) -> Run:
    """Drive a run to its end and give its record; what is wrong on our side is raised after the run is saved."""
    try:
        return _driven(agent, asked, setting, model or agent.open_model())
    finally:
        if setting.journal is not None:
            setting.journal.close()


def _driven(agent: Agent, asked: Asked, setting: Setting, model: Model) -> Run:
    spans = Spans(open_tracer(agent.trace)) if agent.trace and setting.outer is None else None
    emit = _one_at_a_time(setting.emit if spans is None else _both(spans.take, setting.emit))
    setting.emit = emit
    if callable(go_on_after := getattr(model, "go_on_after", None)):
        go_on_after(setting.tape.given)
    error: BaseException | None = None
    try:
        with prepared(agent, asked, setting, model) as course:
            error = _follow(agent, course)
            run = _record(course, asked)
            unsaved = _close_journal(course, run)
        error = error or unsaved
        if error is None:
            _promote(agent, asked, run, setting)
        if setting.journal is not None:
            setting.journal.close()  # who hears of the end may go on with it
        emit(events.RunEnded(run))
    finally:
        if spans is not None:
            spans.close()
    if error is not None:
        if run.journal is not None:
            place = shlex.quote(str(run.journal))
            error.add_note(f"The run so far is saved; codeact resume {place} goes on from there.")
        raise error
    return run


def _follow(agent: Agent, course: Course) -> BaseException | None:
    """Take steps until the run has ended; gives the error it ended with, where that is ours."""
    alarm = _Alarm(course)
    try:
        if agent.plan and not course.tape.only:
            course.plan()
        while course.ended is None and not course.stop_if_spent() and not course.tape_is_over():
            agent.step(course)
    except KeyboardInterrupt:
        if course.tape.only:  # nothing of it is new, so there is nothing to keep
            raise
        course.finish("interrupted", "stopped by Ctrl-C", answer=course.best_so_far())
    except Stopped:
        if call := course.calls.paused:
            said = course.calls.waits_for or f"{call.tool}({describe(call.arguments, 300)}) waits for a decision"
            course.finish("paused", said, answer=course.best_so_far())
        elif course.stop.is_set or not course.stop_if_spent():
            course.finish("interrupted", "stopped from outside", answer=course.best_so_far())
    except CodeactError as error:
        course.finish("failed", str(error), answer=course.best_so_far())
        return error
    finally:
        alarm.cancel()
    return None


class _Alarm:
    """Calls off the step that runs when the time of the run is over; its clock may stand still in between."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._off = False
        self._set()

    def _set(self) -> None:
        seconds = min(max(_SHORTEST_ALARM, self._course.stop.seconds_left or 0.0), threading.TIMEOUT_MAX)
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        if not self._off:
            self._timer.start()

    def _ring(self) -> None:
        if self._course.stop.seconds_left:
            self._set()
        else:
            self._course.call_off_steps()

    def cancel(self) -> None:
        """Let it not ring any more."""
        self._off = True
        self._timer.cancel()


def _record(course: Course, asked: Asked) -> Run:
    return Run(
        id=asked.id,
        task=asked.task,
        inputs=asked.inputs,
        ended=course.ended or "failed",
        answer=course.answer,
        reason=course.reason,
        steps=tuple(course.steps),
        cost=course.ledger.cost,
        model=course.model.name,
        journal=course.journal.path if course.journal is not None else None,
        tools=course.session.toolbox.specs,
        withheld=tuple(course.calls.effects.withheld),
        checked=course.ended == "answered" and course.uses.checked,
    )


def _close_journal(course: Course, run: Run) -> JournalError | None:
    """Write how the run ended; gives the error where that cannot be written."""
    if course.journal is not None:
        try:
            course.journal.append("end", ended=run.ended, reason=run.reason, cost=run.cost)
        except JournalError as error:
            return error
    return None


def _promote(agent: Agent, asked: Asked, run: Run, setting: Setting) -> None:
    """Keep what worked as a skill, where that is asked for and the library accepts it."""
    if not (agent.promote and agent.skills is not None and run.ok) or asked.dry_run:
        return
    try:
        outcome = agent.skills.promote(run, files=asked.files, warn=lambda text: setting.emit(events.Warned(text)))
    except SkillError as error:  # the run has its answer; what hinders keeping a skill does not take that away
        said: events.SkillPromoted | events.SkillDeclined = events.SkillDeclined(str(error))
    else:
        said = (
            events.SkillPromoted(outcome.skill.name)
            if isinstance(outcome, Promoted)
            else events.SkillDeclined(outcome.reason)
        )
    if setting.journal is not None:
        what = said.name if isinstance(said, events.SkillPromoted) else f"no: {said.reason}"
        setting.journal.append("kept", what=what)
    setting.emit(said)


def _both(first: Emit, second: Emit) -> Emit:
    """Give each event to both."""

    def tell(event: events.Event) -> None:
        first(event)
        second(event)

    return tell


def _one_at_a_time(emit: Emit) -> Emit:
    """Give the listener events one after the other: tools and tokens come from several threads."""
    lock = threading.RLock()

    def tell(event: events.Event) -> None:
        with lock:
            emit(event)

    return tell


def resumed(
    path: Path, emit: Emit, stop: Stop, decision: Decision | None = None, *, at: str = ""
) -> tuple[Asked, Setting]:
    """Give what a recorded run was asked, with its tape and its journal ready to go on.

    `at` is the number of the call that was decided about, where that is known: where another one waits by now, or
    none, the decision was followed before.
    """
    if not (decision is None or isinstance(decision, bool | Mapping)):
        raise UsageError(f"decision={decision!r:.80}: True, False, or other arguments as a mapping is needed")
    journal = Journal.reopen(path, clock=stop.clock)
    try:
        waiting = waiting_in(journal.recording)
        if at and (waiting is None or waiting["number"] != at):
            decision = None
        return _gone_on_with(journal, Setting(emit, stop, journal=journal, decision=decision))
    except BaseException:
        journal.close()
        raise


def answered(path: Path) -> Run | None:
    """Give the run a recording holds, with its answer, where it was answered: nothing is left to go on with."""
    recording = read(path)
    answer = next(recording.of("answer"), None)
    if answer is None or _last_ending(recording) != "answered":
        return None
    refuse_undone(path, recording)
    header = recording.header
    about = str(header.get("id", "")), str(header.get("task", "")), header.get("inputs", {})
    return Run(*about, "answered", answer["value"], journal=path)


def _last_ending(recording: Recording) -> str:
    return next((str(entry["ended"]) for entry in reversed(tuple(recording.of("end")))), "")


def _gone_on_with(journal: Journal, setting: Setting) -> tuple[Asked, Setting]:
    path, recording, decision = journal.path, journal.recording, setting.decision
    refuse_session(recording)
    refuse_undone(path, recording)
    waiting = waiting_in(recording)
    if decision is not None and waiting is None:
        raise UsageError(f"{path} does not wait for a decision: resume it without one")
    if _last_ending(recording) == "answered":
        raise JournalError(f"{path} is a run that was answered: there is nothing to go on with")
    setting.tape, setting.seconds_used, setting.used = Tape(recording), recording.seconds_used, _charged(recording)
    setting.needs = _needed(recording)
    if waiting is not None:
        setting.waiting = waiting["tool"], waiting["arguments"]
        if inside := waiting.fields.get("inside"):
            setting.inside = PausedInside(Path(inside), decision, waiting.fields.get("at", ""))
    return asked_in(recording), setting


def _needed(recording: Recording) -> frozenset[str]:
    """Give the tools a run cannot go on without: all the user gave it, and of codeact's own those that were called."""
    given = frozenset(str(tool["name"]) for tool in recording.header.get("tools", ()))
    called = frozenset(str(entry["tool"]) for entry in recording.of("call", "call_started", "waiting"))
    return given - OWN_TOOLS | called


def _charged(recording: Recording) -> RunCost:
    """Give what was used beside replies and steps: those are counted again when they are given back."""
    used = RunCost()
    for entry in recording.of("charged"):
        try:
            used = total(used, RunCost(**entry["cost"]))
        except TypeError as error:
            raise JournalError(f"{entry.place}: not what a run costs: {error}; {AS_IT_WAS}") from error
    return used


def asked_in(recording: Recording) -> Asked:
    """Give what a recorded run was asked; JournalError where a file it read is gone or changed."""
    header = recording.header
    if "task" not in header:
        raise JournalError(f"{recording.path} does not say what the run was asked: it cannot be run again")
    skills = tuple(
        SkillSource(skill["name"], skill["code"], *(tuple(skill[part]) for part in ("imports", "tools", "skills")))
        for skill in header.get("skills", ())
    )
    return Asked(
        header["task"],
        header.get("inputs", {}),
        read_again(header.get("files", ())),
        None,
        str(header.get("id", "")),
        skills,
        tuple(header.get("offered", [skill.name for skill in skills])),
        dry_run=bool(header.get("dry_run")),
        deterministic=bool(header.get("deterministic")),
        **({"seed": header["seed"]} if "seed" in header else {}),
    )
