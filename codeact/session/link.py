"""The link to one worker: started as the session asks, asked between steps, let go of when it fails."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from codeact.errors import ProtocolError, SessionError, UsageError, WorkerDied
from codeact.limits import Limits
from codeact.records import Isolation, Wall
from codeact.sandbox.scarce import as_there_is_room
from codeact.session.serving import InVain, Serving
from codeact.session.settings import Settings
from codeact.session.unheard import may_go_on
from codeact.warned import warn
from codeact.wire import messages as say
from codeact.wire.frames import PACKET_BYTES, Channel, ChannelClosed, host_channel
from codeact.wire.looking import NEVER, Looking
from codeact.wire.undelivered import NotInTime, TooLong

Reply = TypeVar("Reply")

_REPLACED = 2  # times, before it is said that a worker cannot be had
_OF_A_STEP = (say.Finished, say.Output, say.Waits, say.Missed)
_ANSWER_SECONDS = 30.0  # for what is no step: binding names, listing them, going back
_MEMORY_BUSY_SECONDS = 1.5  # of processor time for each GiB: three times what it takes to let go of it first
_TAKEOVER_SECONDS = 5.0
# Of processor time, for who takes over: four times what it takes to put back a folder that is full of anything.
_TAKEOVER_BUSY_SECONDS, _PER_GIB_SECONDS = 0.5, 4.0
_CATCHING_UP_BUSY_SECONDS = 0.5  # as well; what is lived again has taken hundredths of it
_FEW_STEPS = 64  # of a session, for which it is not tried out whether to look for what a step says
_STOP_SECONDS = 1.0  # for a thread that was asked to stop; past it, it is left behind
_INLINE_WARNING = (
    'isolation="inline": snippets run in this process, behind the rules of the language alone. They can use up its '
    "memory and time; run nothing you do not trust. Leave it out for a caged process."
)
_warned = False


class NoAnswer(SessionError):
    """The worker was let go of, for it sleeps or does something else than it was asked between two steps."""


class Link:
    """A worker and the channel to it."""

    open = False  # of one that is not made yet

    def __init__(self, worker: Any, isolation: Isolation, limits: Limits = Limits()) -> None:  # noqa: B008  # frozen
        self.channel = host_channel(worker.socket)
        self.worker, self.isolation, self.limits, self.open = worker, isolation, limits, True
        self._takeover_busy_seconds = _TAKEOVER_BUSY_SECONDS + _PER_GIB_SECONDS * limits.folder_bytes / (1 << 30)
        self.looking = NEVER  # for a thread of this process: whoever looks keeps it from running
        if isolation == "caged":  # 200 looks in vain take some 150 to 300 µs
            self.looking = Looking(looks=False, times=200, long_seconds=200e-6, tries=8, in_vain=2)
            self.looking.kept = _FEW_STEPS
        self.broken = ""  # how the worker broke the protocol

    @property
    def walls(self) -> tuple[Wall, ...]:
        """The walls around the worker, as they stand."""
        return tuple(self.worker.walls)

    @property
    def frugal(self) -> bool:
        """Whether there are so many workers that each is to keep no more processes than it needs."""
        return self.isolation == "caged" and self.worker.is_one_of_many

    @property
    def has_spoken(self) -> bool:
        """Whether there is something to be read from the worker, or it has hung up."""
        return self.channel.readable(0)

    def before_step(self) -> None:
        """Have room for frozen states, where the worker has processes of its own."""
        if self.isolation == "caged":
            self.worker.before_step()

    def note_takeover(self) -> None:
        """Have it noted that another process of the worker's has taken over, where it has any."""
        if self.isolation == "caged":
            self.worker.note_takeover()
            if self.has_spoken:  # it is asked nothing yet: what the step that was undone left running spoke for it
                self.close()

    def look(self) -> None:
        """Have the worker held to its memory, where it has processes of its own."""
        if self.isolation == "caged":
            self.worker.look()

    def call_off(self, serving: Serving) -> None:
        """End a step that runs: kill its process for the backup to take over, or ask its thread to stop."""
        if self.isolation == "inline":
            ask = partial(self.worker.stop_step, serving.first_call)
            return serving.call_off(ask, _STOP_SECONDS, asks=True, in_vain=ask)
        kill = partial(self.worker.kill_step, 0 if serving.has_begun else serving.first_call)
        return serving.call_off(kill, _TAKEOVER_SECONDS, in_vain=self._takeover_patience())

    def roll_back_if_due(self, serving: Serving) -> None:
        """Undo a step that ended at a limit, or in any failure where the session is atomic."""
        finished, limits = serving.finished, serving.limits
        if finished is None or finished.failure is None or serving.only_recorded:
            return
        if finished.failure.kind != "limit" and not (limits.atomic and finished.began):
            return
        if self.isolation == "inline" or not limits.checkpoints:
            serving.give_up_state()
        else:
            serving.roll_back(self.worker.kill_step, _TAKEOVER_SECONDS, self._takeover_patience())

    def see_if_missed(self, serving: Serving) -> None:
        """See whether a step is to be run again: it had not come to the worker, or ended with the zygote, unnoticed."""
        if self.isolation == "inline":
            return
        end, zygote = serving.end, self.worker.zygote
        not_begun = end == "died" and not self.worker.patience().has_begun(serving.first_call)
        if not_begun or (end == "died" and zygote.is_dying) or (end == "rolled back" and not zygote.alive):
            serving.end = "died"  # as will the state that took over, if it has not yet
            serving.missed, serving.with_zygote = may_go_on(serving), not zygote.alive
        elif serving.end == "rolled back":
            serving.see_if_missed(_TAKEOVER_SECONDS, self._takeover_patience())

    def _takeover_patience(self) -> InVain:
        """Says whether who is to take over sleeps, or computes something else than it has to."""
        in_vain: InVain = self.worker.patience(self._takeover_busy_seconds, takes_over=True).is_over
        return in_vain

    def catching_up(self) -> InVain:
        """Says whether who has taken over sleeps, or computes longer than what it has to live again has ever taken."""
        in_vain: InVain = self.worker.patience(_CATCHING_UP_BUSY_SECONDS).is_over
        return in_vain

    def ask(self, question: Any, kind: type[Reply]) -> Reply:
        """Ask the worker something between two steps."""
        self.send(question)
        return self.expect(kind, self._unheard(self.worker))

    def _unheard(self, *workers: Any) -> InVain | None:
        """Says whether each of these sleeps, or one computes for longer than what it may be asked takes."""
        if self.isolation == "inline":
            return None
        most = self._takeover_busy_seconds + _MEMORY_BUSY_SECONDS * self.limits.memory_bytes / (1 << 30)
        waits = [worker.patience(most) for worker in workers]
        asleep = unless_coming(self.channel, lambda: False not in [wait.is_over() for wait in waits])
        return lambda: asleep() or any(wait.has_had_enough for wait in waits)

    def send(self, message: Any) -> None:
        """Send the worker something between two steps."""
        try:
            self._send(message)
        except NotInTime as error:
            raise self._too_slow(error) from error
        except ChannelClosed as error:
            self.close()
            raise WorkerDied(f"the worker did not answer: {error}") from error
        except TooLong as error:
            raise UsageError(f"this is too much to hand to a worker: {error}") from error

    def _send(self, message: Any) -> None:
        self.channel.send(message, seconds=_ANSWER_SECONDS, in_vain=self._unheard(self.worker))

    def _too_slow(self, error: NotInTime) -> NoAnswer:
        """Let go of the worker; it is not tried again at once, for another one might take as long."""
        self.close()
        return NoAnswer(f"the worker does not answer ({error}): its state is built again by the next use")

    def expect(self, kind: type[Reply], in_vain: InVain | None = None) -> Reply:
        """Take in one reply of the worker, unless it is seen to be awaited `in_vain`."""
        try:
            said = self.channel.receive_within(_ANSWER_SECONDS, in_vain)
            # the step is over: a process it left behind says such things, or the end of it came twice
            reply = next(message for message in said if not isinstance(message, _OF_A_STEP))
            if isinstance(reply, say.RolledBack):  # so it died after the step that is over
                raise ChannelClosed("it died between two steps")
            if isinstance(reply, say.Done) and reply.problem and kind is not say.Done:
                raise UsageError(reply.problem[:500])
            if not isinstance(reply, kind):
                raise ProtocolError(f"{type(reply).__name__} came where {kind.__name__} was awaited")
        except NotInTime as error:
            raise self._too_slow(error) from error
        except ChannelClosed as error:
            self.close()
            raise WorkerDied(f"the worker did not answer: {error}") from error
        except ProtocolError as error:
            self.broken = str(error)
            self.close()
            raise
        return reply

    def fork(self, seed: int | None) -> Link:
        """Give a link to a live copy of the worker, which draws from this seed or, without one, as its original."""
        if self.isolation == "inline":
            raise UsageError('isolation="inline": a session in this process cannot be forked, a caged one can')
        asked: list[say.Fork] = []

        def ask() -> None:
            asked.append(say.Fork(seed))
            self._send(asked[0])

        try:
            copy = Link(self.worker.fork(ask), self.isolation, self.limits)
        except NotInTime as error:
            raise self._too_slow(error) from error
        except (ChannelClosed, WorkerDied) as error:
            self.close()
            raise WorkerDied(f"the worker died while it was copied: {error}") from error
        except SessionError:  # there is no room for what it takes
            if asked:  # the worker waits for that, or has made a copy that nobody has
                self.close()
            raise
        try:  # the one waits until the other has settled in
            self.expect(say.Done, self._unheard(self.worker, copy.worker))
        except BaseException:
            copy.close()
            raise
        return copy

    def copied(self) -> Link:
        """Give a link to a copy that goes on in the place of this worker; where there are none, this very one."""
        if self.isolation == "inline":
            return self
        copy = self.fork(None)
        self.close()
        return copy

    def close(self) -> None:
        """End the worker; doing so again is harmless."""
        if self.open:
            self.open = False
            self.worker.close()
            self.channel.forget()

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        """End the worker of a session that was forgotten, also where the names of this module are gone already."""
        if not is_finalizing():
            self.close()


def open_link(settings: Settings) -> Link:
    """Start a worker and tell it what there is; one that dies over it, or with its zygote, is replaced."""
    for _ in range(_REPLACED):
        with suppress(WorkerDied):
            return _opened(settings)
    return _opened(settings)


def _opened(settings: Settings) -> Link:
    if settings.isolation == "inline":
        link = Link(_inline(settings), "inline", settings.limits)
    else:
        from codeact.sandbox import launch

        link = Link(
            launch.start(
                policy=settings.policy,
                limits=settings.limits,
                without=settings.without,
                checked=settings.checked,
                files=settings.files,
            ),
            "caged",
            settings.limits,
        )
    try:
        link.send(say.Define(list(settings.tools), list(settings.skills), settings.seed, settings.deterministic))
        if settings.skills and (problem := link.expect(say.Done).problem):
            raise UsageError(problem[:1000])
    except BaseException:
        link.close()
        raise
    return link


@as_there_is_room()
def _inline(settings: Settings) -> Any:
    from codeact.session.inline import InlineWorker

    global _warned  # noqa: PLW0603  # loudly, and once
    if not _warned:
        _warned = True
        warn(_INLINE_WARNING)
    return InlineWorker(settings.policy, settings.files)


def unless_coming(channel: Channel[Any], in_vain: InVain) -> InVain:
    """The same, but false while whole packets come: who waits for room to send the rest of an answer sleeps as well.

    Not with all of it read. For a wait that one who computes is given all the time of; who takes over is to be done.
    """
    taken = channel.bytes_received

    def is_over() -> bool:
        nonlocal taken
        before, taken = taken, channel.bytes_received
        return in_vain() and (taken - before < PACKET_BYTES or not channel.readable(0))

    return is_over
