"""The life of a session: its steps, one at a time, and what is done between them, written down as it happens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from codeact.clock import Clock
from codeact.errors import CodeactError, Diverged, JournalError, SessionClosed, SessionError, UsageError, WorkerDied
from codeact.records import Observation, ToolCall
from codeact.session.hosting import AnsweredCall, copied
from codeact.session.link import NoAnswer
from codeact.session.observing import STATE_LATER, STATE_LOST, STATE_OTHERWISE, hinted
from codeact.session.past import Lived, Past, joined, taken_up
from codeact.session.state import ATTEMPTS, State
from codeact.session.stretch import Stretch
from codeact.session.turns import Turn
from codeact.warned import warn
from codeact.wire import messages as say
from codeact.wire.values import unpack

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from codeact.session.serving import Serving

_TOLD = 3  # of the steps that came to something else


class Life(State):
    """Runs the steps of one session and writes down what happens."""

    # --- one step ------------------------------------------------------------------------------------------------

    def run(
        self, code: str, loop: asyncio.AbstractEventLoop | None = None, readings: Sequence[int] = ()
    ) -> Observation:
        """Run a step; one that was cut off before is not answered by its tools a second time.

        Its clocks say these `readings` first, which are what they said when it was run elsewhere.
        """
        past, self._at = self.cut_off, "before"
        again, self.cut_off = taken_up(code, past)
        before = again or Lived(code, readings=list(readings))
        try:
            if again is None:
                self._draw_anew()
            return self._told(self._run(before, loop, goes_on=again is not None))
        except BaseException as error:
            self._see_to(before, past, error, goes_on=again is not None)
            raise

    def _see_to(self, step: Lived, past: Sequence[Lived], error: BaseException, *, goes_on: bool) -> None:
        """Have it right what a step has come to that ended with an error of the host; `past` was cut off before it."""
        if self._at in ("before", "begun"):
            self.cut_off = past  # nothing of the step has happened
            if self._at == "begun":
                self._not_begun(step, goes_on=goes_on)
        elif self._at != "after":
            self._ended_here(step, goes_on=goes_on)
            if self._at == "within" and not isinstance(error, CodeactError):
                self._link.close()  # what it is now may not be what the log says

    def _not_begun(self, step: Lived, *, goes_on: bool) -> None:
        """Take back that a step has begun: what was cut off before is as it was."""
        if not goes_on:
            self.log.owe("step", code=step.source, outcome="", rolled_back=True)
        self.log.cut_off(self.cut_off)  # one that is paused was given up

    def _ended_here(self, step: Lived, *, goes_on: bool) -> None:
        """See to a step that ended with an error of the host: one that had gone on stays as it is, others are over."""
        if goes_on:
            self.cut_off = (*self.cut_off, step)
            self._serving_last.give_up_waiting()
            self.cut_off = self.log.past().cut_off
        else:
            self.log.owe("step", code=step.source, outcome="", rolled_back=True)

    def _run(self, before: Lived, loop: asyncio.AbstractEventLoop | None, *, goes_on: bool) -> Observation:
        """Run a step, of which this much is known from before."""
        code, lost, used_seconds = before.source, None, 0.0
        for _ in range(ATTEMPTS):
            self.opened()
            serving = self._serving_last = self._serving_of(before)
            serving.loop, serving.log, serving.listener = loop, self.log, self.listener
            serving.seconds -= used_seconds
            if self._at == "before":
                self._at = "begun"
            self.log.add("begin", code=code)
            if self._at == "begun" and not goes_on:
                self.log.read(before.readings)
            self._at = "within"
            seen = self._served(serving, code)
            self._let_go(serving)
            if not serving.missed or (lost := self._built_again()):
                break  # else the worker died by no doing of the step: what has happened of it does not happen again
            answers = joined(serving.answers, before.answers)
            before = Lived(code, answers, held=before.held, readings=serving.readings)
            used_seconds += seen.cost.wall_seconds  # a worker that lies about its end gains no time by it
        if seen.paused is not None or (goes_on and serving.interrupted and serving.stopped is not None):
            self._leave_off(before, serving)
            return replace(seen, rolled_back=True)
        if serving.left_no_state:
            seen = replace(seen, rolled_back=True)
        readings = serving.finished.readings if serving.finished is not None else []
        self.log.read(readings)
        self.log.finished(code, seen, serving.carried_bytes)
        self._at = "after"
        if readings:
            serving.tell(self.listener.clocks_read, readings)
        if serving.stretch.take(code, serving, seen):
            self._stretch = serving.stretch
        if serving.left_no_state and not serving.interrupted and (lost := lost or self._built_again()):
            if isinstance(lost.__cause__, Diverged) or self._link.broken:
                return replace(hinted(seen, f"{STATE_LOST}: {lost}"), rolled_back=False)
            return hinted(seen, f"{STATE_LATER}: {lost}")
        return seen

    def _leave_off(self, before: Lived, serving: Serving) -> None:
        """Keep what is known of a step that goes on later."""
        serving.give_up_waiting()
        held = {number: call for number, call in before.held.items() if number not in serving.answers}
        answers, held = joined(serving.answers, before.answers), {**held, **serving.held}
        self.cut_off = (*self.cut_off, Lived(before.source, answers, held=held, readings=serving.readings))
        if not serving.rolled_back:
            self._link.close()  # what the step did so far is undone by building the state again

    def _told(self, seen: Observation) -> Observation:
        """Say what shows otherwise than it did, where the state was built again for this step or after it."""
        if not self._otherwise:
            return seen
        more = f"; and {len(self._otherwise) - _TOLD} more" if len(self._otherwise) > _TOLD else ""
        said, self._otherwise = f"{STATE_OTHERWISE}: {'; '.join(self._otherwise[:_TOLD])}{more}", []
        if seen.failure is not None:
            return hinted(seen, said)
        warn(said)
        return seen

    def go_on(self, answers: Mapping[int, AnsweredCall], loop: asyncio.AbstractEventLoop | None = None) -> Observation:
        """Run a paused step on, with answers for the calls that were held open, by their numbers."""
        paused = self.unfinished
        if paused is None or not paused.held:
            raise UsageError("go_on(): no call of this session is held open")
        held = {number: call for number, call in paused.held.items() if number not in answers}
        answered = msgspec.structs.replace(paused, answers={**paused.answers, **answers}, held=held)
        self.cut_off = (*self.cut_off[:-1], answered)
        try:
            for number, answer in answers.items():  # written before the step runs: it may have effects
                self.log.answered(number, answer)
            seen = self.run(paused.source, loop)
        except BaseException:
            self._hold_again(paused.source, {number: paused.held[number] for number in answers})
            raise
        if seen.paused is None:
            self._hold_again(paused.source, {number: paused.held[number] for number in answers})
        return seen

    def _hold_again(self, source: str, calls: Mapping[int, ToolCall]) -> None:
        """Have calls that were answered wait for their answer again, where their step did not end."""
        if (left := self.unfinished) is not None and left.source == source:
            self.cut_off = (*self.cut_off[:-1], msgspec.structs.replace(left, held={**left.held, **calls}))
            for number, call in calls.items():
                with suppress(JournalError):  # of a full disk
                    self.log.held(number, call)

    def _draw_anew(self) -> None:
        """Begin chance anew in a copy that was made of a paused step."""
        if (seed := self._seed) is not None:
            with self._as_written():
                self.between_steps(lambda _: self.ask_to(say.Reseed(seed)))
                self.log.add("reseed", seed=seed)
            self._seed = None

    def call_off(self, turn: Turn) -> None:
        """Stop the step of this turn; where its state is built again first, as soon as it begins."""
        turn.called_off = True
        if (serving := self._serving) is not None and serving.turn is turn:
            serving.interrupt()

    def withdraw(self, turn: Turn) -> None:
        """Stop the step of this turn; one that has not begun does not any more."""
        turn.withdrawn = True
        self.call_off(turn)

    def _built_again(self) -> SessionError | None:
        """Build the state again that went with its worker; why, where it cannot be."""
        try:
            self.opened()
        except SessionError as error:
            return error
        return None

    # --- between two steps ---------------------------------------------------------------------------------------

    def live_again(self, past: Past, *, exact: bool) -> None:
        """Live through what was recorded elsewhere, and write it down here as well."""
        again = self._exactly if exact else self._nearly
        for event, freezes in self._with_states(past.events):
            now = partial(again, event, freezes)
            self.between_steps(lambda _, now=now: now())  # type: ignore[misc]  # as it is now
            self.log.lived(event)
        self.log.cut_off(past.cut_off)
        self.log.settle()
        self.cut_off = past.cut_off

    def assign(self, packed: dict[str, Any]) -> None:
        """Bind names to values given as trees."""
        self.log.settle()
        variables = {name: unpack(copied(tree)) for name, tree in packed.items()}
        with self._as_written():
            self.between_steps(lambda _: self.ask_to(say.Assign(packed)))
            self.log.add("assign", variables=variables)

    def rewind(self, steps: int) -> None:
        """Go back to the state before the last steps."""
        self.log.settle()
        most = self.settings.limits.checkpoints
        with self._as_written():
            try:
                rewound = self.between_steps(lambda link: link.ask(say.Rewind(steps), say.Rewound))
            except (WorkerDied, NoAnswer) as error:  # each time: it has no memory left, or does something else
                rewound, most = say.Rewound(str(error)), steps  # the state is built again, whichever it is
            if rewound.problem:
                kept = min(most, self.log.past().steps)
                if steps > kept:
                    there = f"{kept} is the most, as many earlier states as are kept (Limits.checkpoints)"
                    raise UsageError(f"cannot go back by {steps}: {there}")
                self._link.close()  # that state was let go, or never frozen: it is built again
            else:
                self._link.note_takeover()
            self._stretch = Stretch()
            try:
                self.log.add("rewind", steps=steps)
            finally:  # also where there is no room for the line: it is owed
                past = self.log.past()
                self.cut_off = past.cut_off
                if not rewound.problem:  # the state may be from before what was bound after its last step
                    self._caught_up(past.since(max(0, rewound.beyond)))
        self.opened()

    def fork(self) -> Life:
        """Give a copy with a worker of its own; its chance is another, unless everything is determined."""
        seed = None if self.settings.deterministic else secrets.randbits(62)
        later = self.unfinished is not None  # what goes on draws what it drew before
        link = self.between_steps(lambda link: link.fork(None if later else seed))
        self._stretch = Stretch()  # the next state knows of the copy
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.log, twin._link, twin.clock, twin.turn = self.log.copied(), link, Clock(), Turn()
        twin._stretch = Stretch()
        twin._seed = seed if later else None
        if self.settings.files and not self.is_copy:  # what it does with these is done as in a copy, also again
            twin.log.add("copied")
            twin.is_copy = True
        if seed is not None and not later:
            twin.log.add("reseed", seed=seed)
        return twin

    def save(self, path: Path) -> None:
        """Write all that was lived through to a file; what is closed does not know all of it any more."""
        if self.closed:
            raise SessionClosed("the session is closed: save it before that")
        self.log.write_to(path)

    def leave(self) -> None:
        """Let go of this end of the link alone: worker and log belong to the process this one was forked from."""
        self._link.close()

    def discard(self) -> None:
        """End the worker and remove the file that was begun."""
        self.close()
        self.log.discard()

    def close(self) -> None:
        """End the worker and close the log."""
        self.closed = True
        self._link.close()
        self.log.close()
