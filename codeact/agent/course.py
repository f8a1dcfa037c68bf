"""One run on its course: what `Agent.step` asks, runs, shows and remembers it with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from codeact import events
from codeact.agent.calls import Calls
from codeact.agent.candidates import best_of, side_by_side
from codeact.agent.handed_in import sendable
from codeact.agent.ledger import Ledger, cost_of
from codeact.agent.lines import reply_fields, seen_fields
from codeact.agent.stepping import is_to_stop, run_step
from codeact.agent.tape import REFUSED_THEN, Tape, same
from codeact.agent.uses import Uses
from codeact.errors import ContextTooLong
from codeact.journal import Journal
from codeact.memory import Memory
from codeact.models import Model, Stop, Stopped, ask
from codeact.prompts.notes import NEARLY_SPENT, REPEATED, changed_text
from codeact.prompts.task import GO_BY_PLAN, PLAN
from codeact.records import Ending, Observation, Reply, Step
from codeact.reply.extract import Understood, understand
from codeact.session import Session
from codeact.session.onestep import OneStep

_TOLD_AT, _STOPPED_AT = 3, 4  # times in a row that the same was done and came to the same

Check = Callable[[Any], tuple[Any, str]]


@dataclass(slots=True)
class Course:
    """The state of one run, and the stages of its loop."""

    model: Model
    session: Session
    memory: Memory
    ledger: Ledger
    journal: Journal | None
    calls: Calls
    tape: Tape
    stop: Stop
    emit: Callable[[events.Event], object]
    tool_names: frozenset[str]
    accept: Check
    uses: Uses = field(default_factory=Uses)
    loop: asyncio.AbstractEventLoop | None = None
    candidates: int = 1  # replies asked for at each step
    under_way: set[OneStep] = field(default_factory=set)  # in the session, or on copies of it
    steps: list[Step] = field(default_factory=list)
    ended: Ending | None = None
    reason: str = ""
    answer: Any = None
    _came_last: str = ""  # what the last reply was, and came to
    _times: int = 0  # in a row that it did
    _told_budget: bool = False
    _from_tape: bool = False
    _reply: Reply | None = None

    def plan(self) -> None:
        """Ask for a plan before the first step, or take the tape's; it stays before the model's eyes."""
        self.memory.note(PLAN)
        messages, recorded = self.memory.messages(), self.tape.plan
        reply = recorded or ask(self.model, messages, stop=self.stop)
        if recorded is None:
            self._write("plan", **reply_fields(reply))
        self.ledger.charge_reply(reply, step=False, live=recorded is None)
        self.memory.remember(0, reply.text, GO_BY_PLAN)
        self.emit(events.Planned(reply.text))

    # ── ask ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def ask(self) -> Reply:
        """Give the model's reply to everything so far, or the tape's."""
        self.calls.step, self.calls.changed = len(self.steps) + 1, []
        self.emit(events.StepStarted(self.calls.step))
        self._from_tape = self.tape.playing
        if self._from_tape:
            reply = self.tape.next_reply()
        else:
            self._warn_of_budget()
            if steps := self.memory.fit():
                self._tell_shortened(steps)
            reply = self._ask_model() if self.candidates == 1 else self._ask_for_candidates()
            self.memory.learn(reply.prompt_tokens)
            self._write("reply", step=self.calls.step, **reply_fields(reply))
        self._reply = reply
        self.ledger.charge_reply(reply, step=True, live=not self._from_tape)
        self.emit(events.Replied(self.calls.step, reply))
        return reply

    def _ask_for_candidates(self) -> Reply:
        """Ask several times at once, and give the reply whose code does best when it is tried."""
        replies = side_by_side(self, lambda _: self._ask_model(told=False), range(self.candidates))
        chosen = best_of(self, replies)
        for reply in replies:
            if reply is not chosen:
                self.ledger.charge_besides(cost_of(reply))
                self._write("candidate", step=self.calls.step, **reply_fields(reply))
        return chosen

    def _ask_model(self, *, told: bool = True) -> Reply:
        for last_try in (False, True):
            try:
                return ask(
                    self.model,
                    self.memory.messages(),
                    stop=self.stop,
                    on_token=(lambda text: self.emit(events.Token(text))) if told else None,
                    on_wait=lambda seconds, reason: self.emit(events.Waiting(seconds, reason)),
                )
            except ContextTooLong:
                steps = self.memory.shrink()
                if last_try or not steps:
                    raise
                self._tell_shortened(steps)
        raise AssertionError("the loop returns or raises")

    def _warn_of_budget(self) -> None:
        left = self.ledger.nearly_spent()
        if left and not self._told_budget:
            self._told_budget = True
            self.memory.note(NEARLY_SPENT.format(left=left))
            self._write("noted", step=self.calls.step, what=f"The budget is nearly spent, left: {left}.")
            self.emit(events.BudgetNearlySpent(left))

    def _tell_shortened(self, steps: tuple[int, ...]) -> None:
        which = ", ".join(map(str, steps))
        self._write("noted", step=self.calls.step, what=f"What the model is shown of step {which} was shortened.")
        self.emit(events.Shortened(steps))

    # ── extract ──────────────────────────────────────────────────────────────────────────────────────────────────

    def understand(self, reply: Reply) -> Understood:
        """Tell what the reply means."""
        return understand(reply.text, calls=reply.calls, truncated=reply.truncated, tools=self.tool_names)

    def ask_back(self, reply: Reply, understood: Understood) -> None:
        """Tell the model that its reply cannot be acted on."""
        step = self.calls.step
        self.emit(events.AskedBack(step, understood.ask_back))
        if not self._from_tape:
            self._write("asked_back", step=step, message=understood.ask_back)
        self.steps.append(Step(step, reply.text, "", None))
        self.memory.remember(step, understood.kept, understood.ask_back)
        self._notice_repetition(understood.ask_back)

    # ── run (checking is the session's first act) ────────────────────────────────────────────────────────────────

    def run(self, code: str) -> Observation:
        """Run the code in the session."""
        self.emit(events.CodeReady(self.calls.step, code))
        used = self.uses.called_in(code)
        for name in used:
            self.emit(events.SkillUsed(self.calls.step, name))
        try:
            seen = self._run_in_session(code)
        except Stopped:
            self._raise_unheard()
            raise
        if self.calls.diverged is not None:
            raise self.calls.diverged
        if shown := self.tape.check(self.calls.step, code, seen):
            self.emit(events.Warned(shown))
        if not self.tape.holds_step(self.calls.step):
            self._write("step", index=self.calls.step, code=code, skills=used, **seen_fields(seen))
        self.ledger.charge_step(seen, live=not self._from_tape)
        if not self._from_tape:  # what is played back was counted when it happened
            self.uses.seen(used, seen, self._reply)
        self._raise_unheard()
        self.emit(events.Observed(self.calls.step, seen))
        return seen

    def _raise_unheard(self) -> None:
        """Raise what a listener failed with while calls were made."""
        if self.calls.unheard is not None:
            raise self.calls.unheard

    def _run_in_session(self, code: str) -> Observation:
        self.calls.live = True
        try:
            seen = run_step(self, self.session, code, self.tape.readings(self.calls.step))
        finally:
            self.calls.live = False
        if is_to_stop(self.stop):  # what it did is not the snippet's doing
            raise Stopped("the run ended in the middle of a step")
        return seen

    def call_off_steps(self) -> None:
        """Stop all that snippets do for the run, from any thread."""
        for step in tuple(self.under_way):
            step.call_off()

    # ── observe, remember ────────────────────────────────────────────────────────────────────────────────────────

    def remember(self, reply: Reply, understood: Understood, seen: Observation) -> None:
        """Keep the step, and show the model what it did."""
        shown = "\n\n".join((str(seen), *map(changed_text, self.calls.changed)))
        self.steps.append(Step(self.calls.step, reply.text, understood.code, seen))
        self.memory.remember(self.calls.step, understood.kept, shown, sendable(seen.images))
        came = f"{seen.failure.type}: {seen.failure.message}" if seen.failure else f"{understood.code}\n{shown}"
        if not seen.answered:  # what becomes of an answer is noticed where it is offered
            self._notice_repetition(came)

    def _notice_repetition(self, what: str) -> None:
        self._times = self._times + 1 if what == self._came_last else 1
        self._came_last = what
        if self._times == _TOLD_AT:
            self.memory.note(REPEATED.format(count=_TOLD_AT))
        elif self._times >= _STOPPED_AT:
            self.finish("failed", f"the model did the same {_STOPPED_AT} times in a row and got the same: {what[:300]}")

    # ── end ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def offer(self, raw: Any) -> None:
        """Take an answer, unless a check refuses it, or did when it was recorded; then the model is told why."""
        recorded = self.tape.offered(self.calls.step, raw)
        answer, refused = recorded or self.accept(raw)
        self.uses.answered(taken=not refused)
        if refused:
            if recorded is None:
                self._write("refused", step=self.calls.step, value=raw, message=refused)
            self.memory.note(refused)
            if refused != REFUSED_THEN:
                self._notice_repetition(refused)
            return
        if recorded is None:
            self._write("answer", value=answer, **({} if same(answer, raw) else {"raw": raw}))
        self.finish("answered", answer=answer)
        self.emit(events.Answered(answer))

    def offer_text(self, reply: Reply, understood: Understood) -> None:
        """Take a plain answer."""
        self.steps.append(Step(self.calls.step, reply.text, "", None))
        self.memory.remember(self.calls.step, understood.kept, "(Your answer was received.)")
        self.offer(understood.answer)

    def finish(self, ended: Ending, reason: str = "", *, answer: Any = None) -> None:
        """End the run; the first ending counts."""
        if self.ended is None:
            self.ended, self.reason, self.answer = ended, reason, answer
            self.uses.ended(ended)

    def stop_if_spent(self) -> bool:
        """End the run where its budget is spent, with the best it has; a replay goes on, as the run did."""
        reason = "" if self.tape.only and self.tape.playing else self.ledger.spent()
        if reason and self.ended is None:
            self.finish("budget", reason, answer=self.best_so_far())
        return self.ended is not None

    def tape_is_over(self) -> bool:
        """End the run where all of it was on the tape and that has been played."""
        if self.tape.only and not self.tape.playing:
            self.finish("interrupted", "the recording ends here", answer=self.best_so_far())
        return self.ended is not None

    def best_so_far(self) -> Any:
        """Give the last value a step ended with, else the last thing one printed."""
        for step in reversed(self.steps):
            if step.observation is not None and step.observation.ok:
                if step.observation.value is not None:
                    return step.observation.value
                if step.observation.stdout:
                    return step.observation.stdout
        return None

    def _write(self, kind: str, **fields: Any) -> None:
        if self.journal is not None:
            self.journal.append(kind, **fields)
