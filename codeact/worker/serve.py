"""The worker's loop: take a message from the host, do what it says, answer."""

from __future__ import annotations

import errno
import os
import random
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any

import msgspec

from codeact.records import Failure
from codeact.snippet.endings import LimitReached
from codeact.snippet.modules.readings import of_process
from codeact.wire import messages as say
from codeact.wire.frames import Channel, ChannelClosed, worker_channel
from codeact.wire.values import Allowance, described, unpack
from codeact.worker import chance
from codeact.worker.calls import Calls
from codeact.worker.checkpoint import Checkpoints
from codeact.worker.handles import Handles
from codeact.worker.kept import Found, Kept
from codeact.worker.output import Output
from codeact.worker.place import Place
from codeact.worker.spare import FULL, FULL_FOLDER
from codeact.worker.stubs import Tool
from codeact.worker.yields import Yields, crossing

if TYPE_CHECKING:
    from codeact.worker.namespace import Namespace, Outcome

_NAMES = 1000
_STOPPED = Failure("limit", "LimitReached", "the step was stopped from outside")
_BETWEEN_STEPS = (NoneType, say.Assign, say.Describe, say.ReadFile)  # without room for them, nothing changes


def serve(
    sock: socket.socket,
    make_namespace: Callable[..., Namespace],
    checkpoints: Checkpoints | None,
    place: Place = Place(),  # noqa: B008  # frozen
) -> None:
    """Serve one session until the host hangs up."""
    _Server(worker_channel(sock), make_namespace, checkpoints, place).run()


class _Server:
    def __init__(
        self,
        channel: Channel[say.ToWorker],
        make_namespace: Callable[..., Namespace],
        checkpoints: Checkpoints | None,
        place: Place,
    ) -> None:
        self.channel, self.checkpoints, self.place = channel, checkpoints, place
        self.receive: Callable[[], say.ToWorker] = channel.receive
        self.output = Output(lambda text: channel.send(say.Output(text)))
        self.calls = Calls(channel, self.output)
        self.yields, self.kept, self.handles = Yields(place.folder), Kept(place.folder), Handles(place.folder)
        if not place.mounts:
            with suppress(MemoryError):  # else a step that is undone does not give back what it lost of that
                self.kept.take_in_given()
        self.make_namespace = make_namespace
        self.namespace: Any = None  # made by the first message, `Define`
        self.owed: int | None = None  # the first call of a step whose end the host has not been told
        self.last = 0  # that of the last step that ran
        self.answers: dict[type, Callable[[Any], Any]] = {
            say.Define: self.define,
            say.Reseed: self.reseed,
            say.Assign: self.assign,
            say.Step: self.step,
            say.Describe: self.describe,
            say.ReadFile: self.read_file,
            say.Rewind: self.rewind,
            say.Fork: self.fork,
        }

    def run(self) -> None:
        """Answer messages until there are no more."""
        try:
            while True:
                try:
                    self.serve_one()
                except LimitReached:  # a thread is asked to stop, and the snippet itself was over already
                    self.end_step(_STOPPED)
        except ChannelClosed:
            self.calls.close()

    def serve_one(self) -> None:
        """Answer one message."""
        if self.checkpoints is not None:
            self.checkpoints.await_message()
        message, taken = None, self.channel.bytes_received
        try:
            self.obey(message := self.receive())
        except (MemoryError, OSError) as error:
            if getattr(error, "errno", errno.ENOMEM) != errno.ENOMEM:
                raise
            spared = self.namespace.spare.release_memory()
            if self.channel.bytes_received != taken and isinstance(message, _BETWEEN_STEPS):
                self.channel.send(say.NO_ROOM)
                self.namespace.spare.hold_memory()
            elif self.owed is not None:
                self.end_step(FULL)
            elif message is not None or not spared:  # else it was not taken in for want of room, and now it is
                raise

    def obey(self, message: say.ToWorker) -> None:
        answer = self.answers.get(type(message))
        said = answer(message) if answer is not None else None  # else it answers a call of a step that is over
        if said is None:
            return
        if self.checkpoints is not None and isinstance(said, say.Finished):
            self.checkpoints.after_step(keeps_place=said.steady)
        self.answer(said)
        self.owed = None

    def end_step(self, failure: Failure) -> None:
        """Answer the step that runs, or whose outcome is being collected, with this failure alone."""
        if self.owed is not None:
            nothing = say.Spent(0, 0, 0, 0.0, 0)
            self.answer(say.Finished(None, "", failure, nothing, False, None, [], [], self.owed))
            self.owed = None

    def answer(self, message: Any) -> None:
        """Send an answer; where it is too long for one message, without what makes it so."""
        try:
            self.channel.send(message)
        except ValueError as error:
            if not isinstance(message, say.Finished):
                self.channel.send(say.Done(str(error)))
                return
            value, answer = (described(part, f"a value too large to send ({error})") for part in (message.value, None))
            short = {"value": value, "answer": answer if message.answered else None, "pictures": []}
            self.channel.send(msgspec.structs.replace(message, **short))

    def define(self, message: say.Define) -> say.Done | None:
        self.namespace = self.make_namespace(output=self.output.write)
        self.calls.obey(self.namespace, None if self.checkpoints is None else of_process)
        if message.seed is not None:
            self.reseed(say.Reseed(message.seed))
        if message.fixed_clock:
            self.namespace.fix_clock()
        for spec in message.tools:
            self.namespace.protect(spec.name, Tool(spec, self.calls), spec)
        for skill in message.skills:
            try:
                self.namespace.define_skill(skill)
            except Exception as error:
                return say.Done(f"the skill {skill.name!r} cannot be defined: {type(error).__name__}: {error}")
        return say.Done() if message.skills else None

    def reseed(self, message: say.Reseed) -> say.Done:
        self.namespace.reseed(message.seed)
        if self.checkpoints is None:
            return say.Done()
        chance.restart(message.seed)
        random.seed(message.seed)  # what all else in this process draws from
        if (numpy_random := sys.modules.get("numpy.random")) is not None:
            numpy_random.seed(message.seed % (1 << 32))
        return say.Done()

    def assign(self, message: say.Assign) -> say.Done:
        try:
            self.namespace.assign(
                {name: unpack(tree, module=self.namespace.module) for name, tree in message.variables.items()}
            )
        except MemoryError:
            raise
        except Exception as error:
            return say.Done(f"{error}")
        return say.Done()

    def step(self, message: say.Step) -> say.ToHost:
        if message.after and message.after != self.last:
            return say.Missed(message.first_call)
        self.namespace.spare.release()
        if self.checkpoints is not None:
            woken = self.checkpoints.before_step(self.note_handles, freezes=message.backup)
            if woken != "go":
                rewound = say.Rewound(beyond=self.checkpoints.beyond)
                return self.taken_over(rewound if woken == "rewound" else say.RolledBack(message.first_call))
            self.checkpoints.note_step(message.first_call)
        self.receive = self.channel.receive_step if message.soon else self.channel.receive
        self.owed = self.last = message.first_call
        self.place.begin(message.first_call)
        self.output.begin(message.limits.output_chars)
        self.calls.begin(message.first_call, message.limits, message.readings)
        self.yields.begin()
        if self.checkpoints is not None:
            self.namespace.spare.hold(lends=message.limits.again)
        began, limits, at_end = self.place.clock(), message.limits, partial(self.yields.draw, self.output.write)
        outcome = self.namespace.run(
            message.source, operations=limits.operations, text_chars=limits.text_chars, at_end=at_end
        )
        self.namespace.spare.release()
        finished = self.finish(outcome, began, message)
        if message.frugal and finished.failure is None and self.checkpoints is not None:
            self.checkpoints.let_go()
        self.calls.forget()
        return finished

    def taken_over(self, told: say.Rewound | say.RolledBack) -> say.ToHost:
        """Put the files back as they were, and say what is to be told; also of a step the one before did not get."""
        self.namespace.spare.release_memory()
        self.handles.let_go()
        self.kept.put_back()
        self.handles.reopen()
        while (left := self.channel.receive_ready()) is not None:
            if isinstance(left, say.Step) and left.after:
                self.answer(told)
                return say.Missed(left.first_call)
        return told

    def finish(self, outcome: Outcome, began: float, step: say.Step) -> say.Finished:
        failure = outcome.failure
        if failure is None or failure.kind != "limit":
            self.calls.settle()
        self.output.end()
        allowance = Allowance(value_bytes=step.limits.value_bytes)
        files, pictures = self.yields.collect(found := self.kept.look())
        if failure is None or failure.kind != "limit":
            failure = self.keep(found) or failure
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return say.Finished(
            value=crossing(outcome.value, allowance) if outcome.has_value and failure is not FULL else None,
            text=outcome.text if failure is not FULL else "",
            failure=failure,
            spent=say.Spent(outcome.loops, outcome.calls, outcome.elements, self.place.clock() - began, peak),
            answered=outcome.answered,
            answer=crossing(outcome.answer, allowance) if outcome.answered else None,
            files=files,
            pictures=pictures,
            first_call=step.first_call,
            began=outcome.began,
            steady=self.is_steady(step) and failure is None,
            readings=self.calls.readings.taken(),
        )

    def note_handles(self) -> None:
        """Note the files the session has open, before its process is copied."""
        self.handles.note(self.checkpoints.descriptors if self.checkpoints is not None else 0)

    def is_steady(self, step: say.Step) -> bool:
        """Whether the step would come to the same, run again by the state it goes back to."""
        return self.keeps_states and not step.frugal and self.calls.comes_to_the_same and bool(self.namespace.steady)

    @property
    def keeps_states(self) -> bool:
        """Whether the session freezes states to go back to, before this step or before others."""
        return self.checkpoints is not None and self.checkpoints.limit > 0

    def keep(self, found: Found) -> Failure | None:
        """Remember the files as they are after a step; the failure where there is no room for what it leaves behind."""
        try:
            if found:
                self.namespace.spare.release_memory()  # what is kept may take of it, as long as it leaves enough
            if self.keeps_states:
                self.kept.take(found)
        except MemoryError:
            return FULL_FOLDER
        return FULL if self.checkpoints is not None and self.namespace.spare.is_eaten() else None

    def describe(self, message: say.Describe) -> say.Described:
        return say.Described(dict(list(self.namespace.variables().items())[:_NAMES]))

    def read_file(self, message: say.ReadFile) -> say.Content:
        try:
            return say.Content(self.yields.read(os.fsdecode(message.name), message.most_bytes))
        except (OSError, ValueError) as error:
            return say.Content(None, error.strerror if isinstance(error, OSError) and error.strerror else str(error))

    def rewind(self, message: say.Rewind) -> say.Rewound:
        if self.checkpoints is None:
            return say.Rewound("no earlier states are kept without a cage of its own process")
        try:
            self.checkpoints.rewind(message.steps)
        except LookupError as error:
            return say.Rewound(str(error))
        os._exit(1)  # an older state has taken over

    def fork(self, message: say.Fork) -> say.Done | None:
        if self.checkpoints is None:
            return say.Done("a session that runs in this process cannot be forked")
        self.note_handles()
        if not self.checkpoints.fork_session():
            return say.Done()
        self.handles.reopen(in_copy=True)
        self.kept.take_in_given()
        if message.seed is not None:
            self.reseed(say.Reseed(message.seed))
        return None  # nobody waits for it: where it fails, its socket closes
