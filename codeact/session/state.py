"""The state of a session: in a worker, and where that one is no more, built again from the log in another."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeVar

from codeact.clock import Clock
from codeact.errors import CodeactError, Diverged, ProtocolError, SessionClosed, SessionError, UsageError, WorkerDied
from codeact.records import Failure, Observation
from codeact.session import bell
from codeact.session.alike import without_addresses
from codeact.session.link import Link, open_link
from codeact.session.log import Log, outcome_of
from codeact.session.observing import interruption, observe, pause, wall_limit
from codeact.session.past import Assigned, Copied, Event, Lived, Past, Reseeded
from codeact.session.serving import InVain, Serving
from codeact.session.settings import Listener, Settings
from codeact.session.stretch import Stretch
from codeact.session.turns import Turn
from codeact.wire import messages as say
from codeact.wire.values import pack

if TYPE_CHECKING:
    from codeact.toolbox import Tool

Done = TypeVar("Done")

ATTEMPTS = 3  # to start a worker, before it is said that none can be started
_PAUSE_SECONDS = 0.05
_TIMES_LONGER = 4  # what is lived again may take: it has ended once, but maybe on a faster machine, or a less busy one
_LIVED_AGAIN_SECONDS = 5.0  # at the least: a worker that was stopped may still be at work beside it
_CATCHING_UP_SECONDS = 5.0  # of a state that has taken over; what it lives again has taken milliseconds

_waiting: set[State] = set()  # those of this process that wait for a step
os.register_at_fork(after_in_child=_waiting.clear)


class State:
    """What the steps of a session are served by, and what has been lived through in it."""

    def __init__(self, settings: Settings, tools: Mapping[str, Tool], listener: Listener, log: Log) -> None:
        self.settings, self.tools, self.listener, self.log = settings, dict(tools), listener, log
        self._serving: Serving | None = None  # the step that runs now
        self._serving_last: Serving  # the step that ran last
        self.turn = Turn()  # of whoever uses the session now
        self.cut_off: Sequence[Lived] = ()  # steps whose calls are answered as they were; the last may be paused
        self._seed: int | None = None  # what chance begins anew from with the next step that does not go on
        self.closed = self.is_copy = False
        self.clock = Clock()  # what a step's seconds are counted by
        self._steps = 0
        self._at: Literal["before", "begun", "within", "undone", "after"] = "before"  # where the last step is
        self._process = os.getpid()  # whose session it is
        bell.mine()  # what a step is waited for by is had now, or not at all: later there may be no descriptor for it
        self._stretch = Stretch()
        self._lived_again = 0  # steps, since the worker is there
        self._otherwise: list[str] = []  # what came to something else when the state was built again, not told yet
        self._link = open_link(settings)

    @property
    def unfinished(self) -> Lived | None:
        """The step that was cut off last, or is paused."""
        return self.cut_off[-1] if self.cut_off else None

    def _serving_of(self, step: Lived) -> Serving:
        self._steps += 1
        serving = Serving(self._link.channel, self.tools, self.settings.limits, self._steps << 32)
        serving.stretch, self._stretch = self._stretch, Stretch()  # it may go on when the step has ended
        serving.freezes = serving.freezes and not serving.stretch.steps
        serving.recorded, serving.readings = step.known, list(step.readings)
        serving.due, serving.clock, serving.turn = deque(serving.recorded), self.clock, self.turn
        return serving

    def _served(self, serving: Serving, code: str) -> Observation:
        began = self.clock.now()
        if not serving.only_recorded:  # what is lived again is not stopped: the state would not be built
            self._serving = serving
            if self.turn.called_off:
                serving.interrupt()
        try:
            _waiting.add(self)
            if len(_waiting) == 1:  # threads that look keep each other from running
                serving.looking = self._link.looking
            serving.stopped = self._wait_for(serving, code)
        finally:
            self._serving = None
            _waiting.discard(self)
        return observe(serving, self.settings.limits, self.clock.now() - began)

    def _wait_for(self, serving: Serving, code: str) -> Failure | None:
        """Serve the step to its end; the failure where the host ended it."""
        link = self._link
        try:
            if serving.freezes:
                link.before_step()
            if serving.run(code, serving.seconds, frugal=link.frugal, meanwhile=link.look) and serving.error is None:
                link.look()
                link.roll_back_if_due(serving)
                link.see_if_missed(serving)
                return None
        except BaseException:  # Ctrl-C while waiting
            if serving.is_over:
                link.close()  # what the worker was asked since then may have no answer yet: the next step would get it
            else:
                self._undo(serving)
            raise
        if serving.error is not None:
            self._undo(serving)
            raise serving.error
        link.call_off(serving)
        if serving.held:
            return pause(serving)
        if serving.ended_by_itself:
            return None
        serving.give_up_state()
        return interruption() if serving.interrupted else wall_limit(self.settings.limits)

    def _undo(self, serving: Serving) -> None:
        self._link.call_off(serving)
        serving.give_up_state()
        self._let_go(serving)
        self._at = "undone"

    def _let_go(self, serving: Serving) -> None:
        """Let go of a worker that is no more, or cannot be trusted to speak properly; note who has taken over."""
        if serving.left_no_state:
            self._link.close()
        elif serving.end == "broke the protocol":
            self._link.broken = serving.problem
            self._link.close()
        elif serving.rolled_back:
            self._link.note_takeover()
            if not self._caught_up(serving.stretch.steps):
                serving.end = "died"

    def _caught_up(self, events: Iterable[Event]) -> bool:
        """Live again what a state that has taken over has not lived; else it is let go of, to be built from the log."""
        until, in_vain = self.clock.now() + _CATCHING_UP_SECONDS, self._link.catching_up()
        try:
            for event in events:
                self._exactly(event, freezes=False, in_vain=lambda: self.clock.now() >= until or in_vain())
        except BaseException as error:
            self._link.close()
            if not isinstance(error, CodeactError):
                raise
            return False
        return True

    @contextmanager
    def _as_written(self) -> Iterator[None]:
        """Let go of the worker where Ctrl-C comes between: it may be ahead of the log, or have a reply to give yet."""
        try:
            yield
        except CodeactError:
            raise
        except BaseException:
            self._link.close()
            raise

    # --- the worker, and what is in it -------------------------------------------------------------------------------

    @property
    def is_of_another_process(self) -> bool:
        """Whether this process was forked from the session's own."""
        return self._process != os.getpid()

    def opened(self) -> Link:
        """Give the link to the worker; where the last one died, to a new one that has lived through the same."""
        if self.closed:
            raise SessionClosed("the session is closed: start another one")
        if self.is_of_another_process:  # both would read the answers meant for one of them
            raise SessionError("the session belongs to the process this one was forked from: start another one here")
        if self._link.broken:
            raise ProtocolError(f"the session has ended, its worker broke the protocol: {self._link.broken}")
        if self._link.open and self._stretch.steps and self._link.has_spoken:
            self._link.close()  # an older state has taken over: the worker died between two steps
        for _ in range(ATTEMPTS):
            if self._link.open:
                break
            try:
                self._reopened()
            except WorkerDied:  # this one too, or what it was to be forked from, whose end is not noticed yet
                time.sleep(_PAUSE_SECONDS)
        return self._link if self._link.open else self._reopened()

    def _reopened(self) -> Link:
        """Give a link to a new worker that has lived through the same.

        Where steps show something else than before, as they do that tell the time, the state is what they make now.
        Where one ends otherwise, SessionError; the next use builds what was before that one.
        """
        self._stretch, self._lived_again, self._otherwise, self.is_copy = Stretch(), 0, [], False
        past = self.log.past()
        self._link = open_link(self.settings)  # it has lived nothing yet: Ctrl-C from here on closes it
        try:
            if past.events and (changed := self.log.changed_files):
                raise Diverged(f"{changed}: changed since the session was handed it")
            for event, freezes in self._with_states(past.events):
                self._nearly(event, freezes)
        except Diverged as error:
            self._link.close()
            raise SessionError(f"{self._without_rest(past)}: {error}") from error
        except WorkerDied as error:
            self._link.close()
            if not (step := self._lived_again):
                raise
            way_out = f"Where it does each time, rewind({past.steps - step + 1}) goes back to before step {step}"
            raise WorkerDied(f"{error}. {way_out}") from error
        except BaseException:
            self._link.close()
            raise
        return self._link

    def _without_rest(self, past: Past) -> str:
        """Take out of the log the step that ended otherwise, and what came after it; what the session is now."""
        if not self._lived_again:  # no step can be lived again
            self.log.lost()
            return "the state of the session is lost"
        self.log.owe("rewind", steps=past.steps - self._lived_again + 1)
        self.log.cut_off(past.cut_off)  # they outlive the others
        return f"the session is what it was before step {self._lived_again}"

    def _with_states(self, events: Sequence[Event]) -> Iterator[tuple[Event, bool]]:
        """What is to be lived again, each with whether a state is frozen before it: only of the last ones it is kept.

        The first step of a worker may freeze one as always, so that none thereafter is taken for the first.
        """
        most, steps, past = self.settings.limits.checkpoints, sum(isinstance(event, Lived) for event in events), 0
        for event in events:
            yield event, most > 0 and (past == 0 or past >= steps - most)
            past += isinstance(event, Lived)

    def _exactly(self, event: Event, freezes: bool, in_vain: InVain | None = None) -> None:
        """Live something again; Diverged where it comes to something else."""
        if difference := self._again(event, freezes, in_vain):
            raise self._diverged(difference)

    def _nearly(self, event: Event, freezes: bool) -> None:
        """Live something again, and note where it shows something else."""
        if difference := self._again(event, freezes):
            self._otherwise.append(f"step {self._lived_again}: {difference}")

    def _diverged(self, difference: str) -> Diverged:
        return Diverged(f"step {self._lived_again} does something else than was recorded: {difference}")

    def _again(self, event: Event, freezes: bool, in_vain: InVain | None = None) -> str:
        """Live something again; how what it shows differs, if it does. Diverged where it calls or fails otherwise."""
        if isinstance(event, Assigned):
            self.ask_to(say.Assign({name: pack(value) for name, value in event.variables.items()}))
        elif isinstance(event, Reseeded):
            self.ask_to(say.Reseed(event.seed))
        elif isinstance(event, Copied):
            self._link, self._stretch, self.is_copy = self._link.copied(), Stretch(), True
        else:
            return self._step_again(event, freezes, in_vain)
        return ""

    def _step_again(self, event: Lived, freezes: bool, in_vain: InVain | None) -> str:
        self._lived_again += 1
        serving = self._serving_of(event)
        serving.only_recorded, serving.freezes, serving.in_vain = True, freezes, in_vain
        serving.seconds = max(serving.seconds * _TIMES_LONGER, _LIVED_AGAIN_SECONDS)
        seen = self._served(serving, event.source)
        self._let_go(serving)
        kind = seen.failure.kind if seen.failure is not None else ""
        stopped = serving.left_no_state and kind == "limit"  # out of time: in another worker it would be as well
        if kind == "crash" or (serving.end == "died" and not stopped):  # which a step that is lived again did not
            self._link.close()
            raise WorkerDied("the worker died while the state was built again")
        now = outcome_of(seen)
        recorded = now if event.outcome is None else without_addresses(event.outcome)  # earlier versions left them in
        difference = "" if now == recorded else f"it comes to {now[:300]!r} where it came to {recorded[:300]!r}"
        named = without_addresses(f"{seen.failure.type}: ") if seen.failure is not None else ""
        fails_otherwise = not recorded.startswith(named)
        if serving.diverged or stopped or fails_otherwise:
            raise self._diverged(serving.diverged or difference)
        return difference

    def between_steps(self, do: Callable[[Link], Done]) -> Done:
        """Have a worker do something; where it dies over it, one that has lived through the same does it."""
        with self._as_written():
            for _ in range(ATTEMPTS):
                link = self.opened()
                try:
                    return do(link)
                except WorkerDied:  # this one too may have come from a zygote whose end is not noticed yet
                    time.sleep(_PAUSE_SECONDS)
            return do(self.opened())

    def ask_to(self, request: say.Assign | say.Reseed) -> None:
        """Have the worker do something between two steps."""
        self._stretch = Stretch()
        done = self._link.ask(request, say.Done)
        if done.problem:
            raise UsageError(f"the names cannot be bound: {done.problem[:500]}")
