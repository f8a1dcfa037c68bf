"""The agent: ask → extract → check → run → observe → remember, until there is an answer or the budget is spent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from codeact.agent import doors
from codeact.agent.answers import Accept, AnswerCheck
from codeact.agent.course import Course
from codeact.agent.driving import answered, drive, resumed
from codeact.agent.effects import Approve, Decision
from codeact.agent.handed_in import Files
from codeact.agent.nesting import DEEPEST, Caller, TooDeep, answer_of, caller
from codeact.agent.options import refuse_senseless
from codeact.agent.preparing import Asked, Emit, Setting, asked, writable
from codeact.agent.undoing import Undone, undo
from codeact.errors import UsageError
from codeact.events import Event, Nested
from codeact.limits import Budget, Limits, Policy
from codeact.models import AnyModel, Model, Stop, open_model
from codeact.paths import as_path, whole_path
from codeact.records import Run, whole
from codeact.skills.library import SkillLibrary
from codeact.toolbox import Toolbox, Tools
from codeact.toolbox.handed import takes

RUNS = Path(".codeact") / "runs"


class Agent:
    """A model that solves tasks by writing Python, with tools, skills and a budget.

    `model` is a name as litellm knows it, `recorded:FILE`, a model, a function, or a list of these to fall back on;
    without one, CODEACT_MODEL is asked. `model_settings` go to litellm with each call, such as `temperature`.
    `tools`, `policy`, `limits`, `isolation` and `without` are those of the `Session` a run has; `budget` is what a run
    may use in all. `instructions` are added to the system prompt.
    `skills` is the library whose skills are offered, at most `skill_count` of them in the prompt; `promote="verified"`
    keeps what worked in it. `ask_model` lets snippets ask the model; with `plan` it is asked for a plan first.
    `output_type` is any type pydantic can check; `final_answer_checks` are functions of the answer that return a reason
    against it, raise one or say False, or give None or True.
    `approve(tool, arguments)` is asked before each call of a tool that writes: True, False, other arguments, "pause";
    "pause" itself stops the run at each such call, until `resume` brings the decision. The time it takes is not
    counted; where `approval_seconds` pass without an answer, the run pauses at the call.
    With `dry_run`, tools that change something are not called; `run.withheld` lists the calls they would have had.
    Agents called as tools run dry with it, and ask by its `approve` for what they change, unless by one of their own.
    `candidates` replies are asked for at each step and tried on copies of the session; the best is run for real.
    `deterministic` fixes chance and the clock that snippets see. `trace=True`, or a tracer, tells OpenTelemetry of each
    run. Runs are recorded in the folder `runs`; with None they are not. Where what a model is sent comes to more than
    `memory_tokens`, old steps are shortened, and left out at last.
    """

    def __init__(  # noqa: PLR0913 - the names of the public contract, all optional
        self,
        model: AnyModel | Sequence[AnyModel] | None = None,
        *,
        tools: Tools = (),
        skills: SkillLibrary | None = None,
        budget: Budget = Budget(),  # noqa: B008 - frozen
        policy: Policy = Policy(),  # noqa: B008 - frozen
        limits: Limits = Limits(),  # noqa: B008 - frozen
        isolation: Literal["caged", "inline"] = "caged",
        without: Sequence[str] = (),
        promote: Literal["verified"] | None = None,
        instructions: str = "",
        output_type: Any = None,
        final_answer_checks: Sequence[AnswerCheck] = (),
        approve: Approve | Literal["pause"] | None = None,
        approval_seconds: float | None = None,
        dry_run: bool = False,
        candidates: int = 1,
        plan: bool = False,
        ask_model: bool = False,
        trace: Any = None,
        deterministic: bool = False,
        runs: str | Path | None = RUNS,
        memory_tokens: int = 60_000,
        skill_count: int = 5,
        model_settings: Mapping[str, Any] | None = None,
    ) -> None:
        tools = Toolbox(tools).tools  # once: it may be a generator, and is looked at for each run
        refuse_senseless(locals())
        Accept(output_type, final_answer_checks)  # what is wrong is said now, not at the first run
        self.tools, self.skills, self.promote = tools, skills, promote
        self.budget, self.policy, self.limits, self.isolation = budget, policy, limits, isolation
        self.instructions, self.ask_model, self.deterministic = whole(instructions), ask_model, deterministic
        self.approve, self.approval_seconds, self.dry_run = approve, approval_seconds, dry_run
        self.candidates, self.plan, self.trace, self.without = candidates, plan, trace, tuple(without)
        self.output_type, self.final_answer_checks = output_type, tuple(final_answer_checks)
        self.runs = None if runs is None else as_path("runs={}", runs)
        self.memory_tokens, self.skill_count, self._model = memory_tokens, skill_count, model
        self._model_settings = dict(model_settings or {})

    # ── the loop ─────────────────────────────────────────────────────────────────────────────────────────────────

    def step(self, course: Course) -> None:
        """Take one turn: ask, extract, check and run, observe, remember."""
        reply = course.ask()
        understood = course.understand(reply)
        if understood.ask_back:
            course.ask_back(reply, understood)
        elif understood.answer is not None:
            course.offer_text(reply, understood)
        else:
            seen = course.run(understood.code)
            course.remember(reply, understood, seen)
            if seen.answered:
                course.offer(seen.answer)

    # ── the doors ────────────────────────────────────────────────────────────────────────────────────────────────

    def run(
        self,
        task: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        files: Files = (),
        record: str | Path | None = None,
        on_event: Emit | None = None,
    ) -> Run:
        """Work on a task to its end. Ctrl-C ends it early, saved, with `ended == "interrupted"`.

        `inputs` become variables, `files` lie in the working folder, `record` is where the journal goes.
        Raises a `ModelError` where the model cannot be asked; the run so far is in the journal.
        """
        return drive(self, self._asked(task, inputs, files, record), Setting(listener(on_event), Stop()))

    def stream(
        self,
        task: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        files: Files = (),
        record: str | Path | None = None,
    ) -> Generator[Event, None, None]:
        """Give the events of a run as they happen, `RunEnded` last; closing the iterator stops the run."""
        wanted = self._asked(task, inputs, files, record)
        return doors.stream(lambda emit, stop: drive(self, wanted, Setting(emit, stop)))

    async def arun(
        self,
        task: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        files: Files = (),
        record: str | Path | None = None,
    ) -> Run:
        """Work on a task beside other asyncio tasks; async tools run on this loop, cancelling stops the run."""
        wanted, loop = self._asked(task, inputs, files, record), asyncio.get_running_loop()
        return await doors.run(lambda emit, stop: drive(self, wanted, Setting(emit, stop, loop=loop)))

    async def astream(
        self,
        task: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        files: Files = (),
        record: str | Path | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Give the events of a run as they happen, on this loop."""
        wanted, loop = self._asked(task, inputs, files, record), asyncio.get_running_loop()
        events = doors.astream(lambda emit, stop: drive(self, wanted, Setting(emit, stop, loop=loop)))
        async with contextlib.aclosing(events):
            async for event in events:
                yield event

    def resume(self, path: str | Path, *, decision: Decision | None = None, on_event: Emit | None = None) -> Run:
        """Go on with a run that was interrupted, paused, or ran out of budget; no tool call happens twice.

        `decision` is about the call a paused run waits at: True, False, or the arguments it is to be made with. Raises
        JournalError where there is nothing to go on with, Diverged where a step does something else than it did.
        """
        wanted, setting = resumed(as_path("resume({})", path), listener(on_event), Stop(), decision)
        return drive(self, wanted, setting)

    def undo(self, path: str | Path) -> tuple[Undone, ...]:
        """Take back what a recorded run changed, the last change first; says what cannot be taken back."""
        return undo(path, self.tools)

    def stream_resume(self, path: str | Path, *, decision: Decision | None = None) -> Generator[Event, None, None]:
        """Give the events of a resumed run: first those of what was done, then the new ones."""

        def go_on(emit: Emit, stop: Stop) -> Run:
            wanted, setting = resumed(as_path("stream_resume({})", path), emit, stop, decision)
            return drive(self, wanted, setting)

        return doors.stream(go_on)

    def as_tool(self, name: str, description: str) -> Callable[[str], Any]:
        """Give this agent as a tool for another: its budget is part of the caller's, its events are nested there."""
        said = isinstance(name, str) and isinstance(description, str) and description.strip() != ""
        if not (said and name.isidentifier()):
            given = f"{name!r:.80}, {description!r:.80}"
            raise UsageError(f"as_tool({given}): a name snippets can call and a sentence are needed")

        def agent(task: str) -> Any:
            outer = caller()
            if outer is None:
                return answer_of(self.run(task), name)
            if outer.ledger.depth >= DEEPEST:
                raise TooDeep(f"{name}() would be agent number {DEEPEST + 2} below one another: do this without it")
            return answer_of(self._run_inside(task, outer, lambda event: outer.emit(Nested(name, event))), name)

        agent.__name__ = agent.__qualname__ = name
        agent.__doc__ = description
        agent.parallel = True  # type: ignore[attr-defined]  # the tools of the inner run take their own turns
        agent.undo_run = self.undo  # type: ignore[attr-defined]  # what it changed is taken back call by call
        return agent

    def _run_inside(self, task: str, outer: Caller, emit: Emit) -> Run:
        """Run as a tool of another run, or go on with the run that paused there."""
        stop = Stop()
        stop.clock.others.append(outer.stop.clock)
        forget = outer.stop.when_set(stop.set)
        try:
            if outer.paused is not None and (run := answered(outer.paused.journal)) is not None:
                outer.enters(outer.paused.journal)  # what the outer run has not heard of it is its answer
                return run
            if outer.paused is not None:
                paused = outer.paused
                wanted, setting = resumed(paused.journal, emit, stop, paused.decision, at=paused.at)
            else:
                wanted, setting = self._asked(task, None, (), None), Setting(emit, stop)
                wanted = replace(wanted, dry_run=wanted.dry_run or outer.effects.dry_run)
            setting.outer, setting.above = outer.ledger, outer.effects
            if path := setting.journal.path if setting.journal is not None else wanted.record:
                outer.enters(path.resolve())
            run = drive(self, wanted, setting)
        finally:
            forget()
        if run.ended != "paused":  # then it says so when it goes on
            outer.withheld.extend(run.withheld)
        return run

    def open_model(self) -> Model:
        """Give the model this agent asks; NoModel where none is named."""
        return open_model(self._model, **self._model_settings)

    def _asked(self, task: str, inputs: Mapping[str, Any] | None, files: Files, record: str | Path | None) -> Asked:
        wanted = asked(task, inputs, files)
        if record is None and self.runs is not None:
            record = writable(self.runs) / f"{wanted.id}.jsonl"
        named = None if record is None else whole_path("record={}", record)
        wanted = replace(wanted, record=named, dry_run=self.dry_run)
        return replace(wanted, deterministic=True, seed=0) if self.deterministic else wanted


def listener(on_event: Emit | None) -> Emit:
    """Give what hears of a run, nobody where none was given; UsageError where it is no function."""
    if on_event is not None and not takes(on_event, 1):
        raise UsageError(f"on_event={on_event!r:.80}: a function of an event, not async, is needed")
    return on_event or _ignore


def _ignore(event: Event) -> None:
    """Nobody listens."""
