"""Threads that take turns, each on a stack of its own: one goes on where another waits (decision 0013).

Which one does depends on what the program does and on when tools answer, which is recorded, so that a step that is run
again comes to the same: first who waits no longer, then whose tool answered first, then who asked for something that is
not so yet, then who wakes first or is answered; among equals who began to wait first.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import greenlet

from codeact.snippet import running
from codeact.snippet.endings import Answered, CallRefused, Ending
from codeact.snippet.modules import letting_go, loops
from codeact.snippet.modules.turn import Answers, Turn, always, due_of, never

_MOST = 2_000  # threads at a time
_LOOK_SECONDS = 1e-5  # what passes for those who sleep while another asks whether something is so
_BUSY_PASSES = 100  # of an event loop: one that has more to do after these may wait for what another thread does
NOT_A_THREADS = (Ending, greenlet.GreenletExit)  # what ends it, and is no exception of its own
FOR_EVER = (
    "nothing else runs that could end this wait: before you wait, start the thread that ends it, and give it all that "
    "it waits for itself, an end mark too; where threads take several locks, let all take them in one order"
)


class Turns:
    """The threads of one session that have begun, and the step.

    `sleep` lets time pass: so many seconds for the threads, until then for the machine. `interrupt` lets loops look
    after the others now and then, told the seconds that pass until they do.
    """

    def __init__(
        self,
        sleep: Callable[[float, float], object],
        interrupt: Callable[[Callable[[float], object] | None], object],
        answers: Answers | None,
    ) -> None:
        self._sleep, self._interrupt, self._answers = sleep, interrupt, answers
        self._step = self._current = Turn()
        self._waiting: list[Turn] = []  # in the order in which they began to
        self._inner: list[Turn] = []  # those of them that a library called: they go on in the opposite order
        self._chooser: Any = None  # the greenlet that says who does
        self._now = 0.0
        self._passes = 0  # of event loops that have something to do, in a row
        self._ending = self._interrupted = False
        self.owed = 0  # what has to be done before the step ends, besides what threads do

    @property
    def are_others(self) -> bool:
        """Whether another thread has begun, or the step itself is to go on."""
        return bool(self._waiting)

    @property
    def turn(self) -> Turn:
        """What stands for the thread that runs."""
        return self._current

    @property
    def current(self) -> Any:
        """The thread that runs; None for the step's own."""
        return self._current.thread

    @property
    def begun(self) -> list[Any]:
        """The threads that are not at their end."""
        return [turn.thread for turn in (*self._waiting, self._current) if turn.thread is not None]

    def prepare(self) -> None:
        """Let threads have the depth of calls that there is here, wherever they are started."""
        self._choosing()

    def begin(self, thread: Any, work: Callable[[], object], *, daemon: bool) -> None:
        """Let a thread work until it waits for something."""
        if len(self._waiting) >= _MOST:
            raise RuntimeError("can't start new thread")
        turn = Turn(thread, daemon)
        turn.stack = greenlet.greenlet(self._ended_by(work, turn), self._choosing())
        self._waiting.insert(0, turn)
        self._current.wait_for(always)
        self._hand_over()

    def serve(self) -> None:
        """Let no step wait for the end of the thread that runs."""
        self._current.daemon = True

    def look(self, seconds: float = _LOOK_SECONDS, *, busy: bool = False, hears: bool = False) -> None:
        """Let the others go on: something was asked that is not so yet, or the thread worked for so many seconds.

        One that is `busy` has more to do, and goes on before calls are waited for.
        """
        if self._waiting:
            self._now += seconds
            self._current.wait_for(always if busy else never, looks=not busy, hears=hears)
            self._hand_over()

    def call(self, number: int, timeout: float | None) -> None:
        """Let the others go on until the call of this number is answered, or so long."""
        if self._waiting:
            due, until = (None, 0.0) if timeout is None else (self._now + timeout, time.monotonic() + timeout)
            self._current.wait_for(never, due, until, call=number)
            self._hand_over()

    def wait(self, ready: Callable[[], bool], timeout: float | None = None, *, sleeps: bool = True) -> bool:
        """Whether something came to be so in time; without a timeout it is refused where nothing could end the wait.

        `sleeps`: the time passes for the machine, too.
        """
        if ready():
            return True
        seconds = 0 if timeout is None else max(timeout, 0)
        until = time.monotonic() + seconds if sleeps else 0.0
        if self._waiting:
            self._current.wait_for(ready, None if timeout is None else self._now + seconds, until)
            self._hand_over()
        elif timeout is not None:
            self._sleep(seconds, until)
            if self._answers is not None:
                self._answers.take_ready()
        else:
            raise CallRefused(FOR_EVER)
        return ready()

    def select(
        self,
        select: Callable[[float | None], Any],
        timeout: float | None,
        is_called: Callable[[], bool],
        hears: bool,
    ) -> Any:
        """What has come for an event loop; `is_called` tells whether one of the threads gave it something to do.

        `hears`: it waits for answers of tools. Where there are others, those are taken in for all, and call it.
        """
        self._passes = self._passes + 1 if timeout == 0 else 0
        if not self._waiting:
            return select(timeout)
        if timeout == 0:
            self.look(busy=self._passes < _BUSY_PASSES, hears=hears)
        else:
            due = None if timeout is None else self._now + timeout
            self._current.wait_for(is_called, due, time.monotonic() + (timeout or 0), hears=hears)
            self._hand_over()
        return []

    def settle(self) -> None:
        """Let threads work to their end, as Python does before it ends; those that wait for ever go on doing so.

        Where the run is answered, who could go on comes to its end, one after the other.
        """
        for _ in [*self.begun, self]:
            if self._waiting and not self._is_settled():
                self._current.wait_for(self._is_settled, gives_up=True)
                with suppress(Answered):
                    self._hand_over()
        self._forget_chooser()

    def _is_settled(self) -> bool:
        return not self.owed and all(turn.daemon for turn in self._waiting)

    def end(self) -> None:
        """End all threads: the step is over, so that nothing of the snippet's runs for it."""
        self._ending, mine = True, running.mine()
        self._forget_chooser()
        for turn in [*reversed(self._inner), *(turn for turn in self._waiting if turn not in self._inner)]:
            if turn is not self._step:
                turn.stack.parent = greenlet.getcurrent()
                turn.stack.throw()
        self._waiting.clear()
        self._inner.clear()
        self._current, self._ending, self.owed = self._step, False, 0
        running.go_on(mine)

    def is_so_of_another(self, question: Callable[[], bool]) -> bool:
        """Whether the answer is yes on the stack of one that waits; none goes on by that."""
        stacks = [turn.stack for turn in self._waiting]
        return any(stack.switch(question, greenlet.getcurrent()) for stack in stacks if stack)  # one has not begun

    def _ended_by(self, work: Callable[[], object], turn: Turn) -> Callable[[], None]:
        def live() -> None:
            running.begin()
            try:
                work()
            except BaseException:
                if not self._ending:
                    raise
            finally:
                for one in turn.at_end or ():
                    one.forget(turn)

        return live

    def _hand_over(self) -> None:
        me, mine = self._current, running.mine()
        if self._ending:
            raise greenlet.GreenletExit
        chooser = self._choosing()
        if chooser is greenlet.getcurrent():
            raise CallRefused("a wait is refused in what is asked whether a thread goes on")
        me.stack = greenlet.getcurrent()
        self._waiting.append(me)
        if letting_go.is_called_by_a_library(sys._getframe(2)):
            self._inner.append(me)
        loop = loops.leave()
        try:
            asked = chooser.switch()
            while asked:
                question, asks = asked
                asked = asks.switch(question())
        except Ending as ending:  # of a thread, or told to the one who chooses: it is the step's
            if me is self._step and not isinstance(ending, Answered):
                self._go_on(me)
                self.end()
            raise
        finally:
            loops.go_on(loop)
            running.go_on(mine)
            self._go_on(me)

    def _go_on(self, turn: Turn) -> None:
        for waiting in (self._waiting, self._inner):
            with suppress(ValueError):
                waiting.remove(turn)
        self._current = turn
        if self._interrupted != self.are_others:
            self._interrupted = self.are_others
            self._interrupt(self.look if self._interrupted else None)

    def _choosing(self) -> Any:
        """The greenlet that chooses; what goes wrong in it, or in a thread, is raised where the step waits."""
        if self._chooser is None or self._chooser.dead:
            self._chooser = greenlet.greenlet(self._choose, greenlet.getcurrent())
            self._chooser.switch()
            for turn in self._waiting:
                turn.stack.parent = self._chooser
        return self._chooser

    def _forget_chooser(self) -> None:
        chooser, self._chooser = self._chooser, None
        if chooser is not None and not chooser.dead:
            chooser.throw()

    def _choose(self) -> None:
        greenlet.getcurrent().parent.switch()  # the depth that it begins at is that of all threads
        while True:
            turn, refusal = self._next()
            self._go_on(turn)
            if refusal is None:
                turn.stack.switch()
            else:
                turn.stack.throw(refusal)

    def _next(self) -> tuple[Turn, CallRefused | None]:
        held = self._inner[:-1]
        free = [turn for turn in self._waiting if turn not in held] if held else self._waiting
        found = self._first_of(free)
        if found is None and self._step in free:
            return self._step, None if self._step.gives_up else CallRefused(FOR_EVER)
        if found is None:
            return self._inner[-1], CallRefused(FOR_EVER)
        if found.due is not None and not found.ready():
            self._sleep(max(found.due - self._now, 0), found.until)
            self._now = max(found.due, self._now)
        return found, None

    def _first_of(self, free: list[Turn]) -> Turn | None:
        wakes = min((turn for turn in free if turn.due is not None), key=due_of, default=None)
        calling = {turn.call: turn for turn in free if turn.call}
        answers = self._answers if calling or any(turn.hears for turn in free) else None
        while True:
            found = next((turn for turn in free if turn.ready() or due_of(turn) <= self._now), None)
            if found is None and answers is not None and (number := answers.first(calling)) is not None:
                found = calling[number]
                found.due = None  # it waits no longer
            if found is not None:
                return found
            looks = next((turn for turn in free if turn.looks), None)
            if answers is None:
                return looks or wakes
            if not (answers.take(self._left_of(wakes)) if looks is None else answers.take_ready()):
                return looks or wakes

    @staticmethod
    def _left_of(turn: Turn | None) -> float | None:
        """How long the machine waits until this one wakes; None where it does not do that."""
        return None if turn is None or not turn.until else max(turn.until - time.monotonic(), 0)
