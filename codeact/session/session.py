"""The session: the public face of the sandbox."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from codeact.errors import Diverged, ProtocolError, SessionClosed, SessionError, UsageError, WorkerDied
from codeact.limits import Limits, Policy
from codeact.records import Failure, Observation, SkillSource, Variable, Wall
from codeact.session import lanes
from codeact.session.hosting import Answered, copied
from codeact.session.log import Lived, Log, Past, header_of, outcome_of, read_past, settings_of
from codeact.session.observing import interruption, observe, wall_limit
from codeact.session.serving import Listener, Serving
from codeact.toolbox import Toolbox, Tools
from codeact.wire import messages as say
from codeact.wire.frames import Channel, ChannelClosed, host_channel
from codeact.wire.kinds import Uncrossable
from codeact.wire.values import Budget, pack, unpack

Isolation = Literal["caged", "inline"]
Reply = TypeVar("Reply")

_ANSWER_SECONDS = 30.0  # for what is no step: binding names, listing them, going back
_TAKEOVER_SECONDS = 5.0
_INLINE_WARNING = (
    'isolation="inline": snippets run in this process, behind the rules of the language alone. They can use up its '
    "memory and time; run nothing you do not trust. Leave it out for a caged process."
)
_warned = False


class Session:
    """Runs snippets one after the other in one live state.

    `tools`: functions, or a mapping of name to function. `files`: name in the working folder → a path or bytes, there
    read-only. `without`: walls of the cage to leave out. `deterministic`: chance and the clock are the same each time;
    `seed` fixes chance alone. `journal`: a file that every step and tool call is written to as it happens.
    """

    _checked = True

    def __init__(  # noqa: PLR0913  # the names of the public contract, all optional
        self,
        tools: Tools = (),
        *,
        policy: Policy = Policy(),  # noqa: B008  # frozen
        limits: Limits = Limits(),  # noqa: B008  # frozen
        files: Mapping[str, str | os.PathLike[str] | bytes] | None = None,
        skills: Iterable[SkillSource] = (),
        isolation: Isolation = "caged",
        without: Iterable[str] = (),
        deterministic: bool = False,
        listener: Listener = Listener(),  # noqa: B008  # frozen
        journal: str | os.PathLike[str] | None = None,
        seed: int | None = None,
    ) -> None:
        if isolation not in ("caged", "inline"):
            raise UsageError(f'isolation={isolation!r}: "caged" or "inline" is needed')
        self.policy, self.limits, self.isolation = policy, limits, isolation
        self.listener = listener
        self.toolbox = Toolbox(tools)
        self.skills = tuple(skills)
        self._files = {_proper_name(name): _as_given(content) for name, content in (files or {}).items()}
        self._without = frozenset((without,) if isinstance(without, str) else without)
        drawn = 0 if deterministic else secrets.randbits(62)  # recorded: a resumed session draws the same
        self._seed = drawn if seed is None else seed
        self._lock = threading.RLock()
        self._serving: Serving | None = None
        self._closed = False
        self._ended: str | None = None
        self._steps = 0
        self._recorded: Lived | None = None  # a step that was cut off: run again, its calls are answered as they were
        header = header_of(policy, limits, self.skills, self._files, seed=self._seed, tools=list(self.toolbox.tools))
        self._log = Log(Path(journal) if journal is not None else None, header)
        self._start()

    # --- running -------------------------------------------------------------------------------------------------

    def run(self, code: str) -> Observation:
        """Run one snippet and say what it did; what goes wrong in it is part of the observation."""
        return self._run(code, None)

    async def arun(self, code: str) -> Observation:
        """Run one snippet beside other tasks; cancelling interrupts the step. Async tools run on this loop."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Observation] = loop.create_future()

        def job() -> None:
            try:
                seen = self._run(code, loop)
            except BaseException as error:  # carried over to the task that waits
                _tell(loop, done.set_exception, error)
            else:
                _tell(loop, done.set_result, seen)

        lanes.run(job)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            self.interrupt()
            await asyncio.wait([done])
            raise

    def interrupt(self) -> None:
        """Stop the step that runs now, from any thread; the session is kept. Without one, nothing happens."""
        serving = self._serving
        if serving is not None:
            serving.wake()

    def _run(self, code: str, loop: asyncio.AbstractEventLoop | None) -> Observation:
        if not isinstance(code, str):
            raise UsageError(f"run({type(code).__name__}): the source of a snippet is needed, a str")
        with self._lock:
            past, self._recorded = self._recorded, None
            return self._lived(code, past.answers if past is not None and past.source == code else {}, loop)[0]

    def _lived(
        self, code: str, answers: Mapping[int, Answered], loop: asyncio.AbstractEventLoop | None = None
    ) -> tuple[Observation, str]:
        """Run a step with the recorded answers there are; its observation, and what call was not the recorded one."""
        channel = self._open_channel()
        began = time.monotonic()
        self._steps += 1
        serving = Serving(channel, self.toolbox.tools, self.limits, self._steps << 32)
        serving.loop, serving.listener = loop, self.listener
        serving.recorded, serving.log = answers, self._log.answered
        self._log.add("begin", code=code)
        self._serving = serving
        try:
            failure = self._wait_for(serving, code, began)
        finally:
            self._serving = None
        seen = observe(serving, self.limits, time.monotonic() - began, failure)
        self._log.finished(code, seen)
        self._after(serving)
        return seen, serving.diverged

    def _wait_for(self, serving: Serving, code: str, began: float) -> Failure | None:
        """Serve the step to its end; the failure where the host ended it."""
        limits = self.limits
        told = say.StepLimits(
            limits.operations, limits.output_chars, limits.tool_calls, limits.text_chars, limits.value_bytes
        )
        serving.start(say.Step(code, told, limits.checkpoints > 0, self._steps << 32))
        try:
            if serving.wait(began + limits.wall_seconds - time.monotonic()):
                self._roll_back_if_due(serving)
                return None
        except BaseException:  # Ctrl-C while waiting
            self._call_off(serving)
            self._after(serving)
            raise
        self._call_off(serving)
        return interruption() if serving.interrupted else wall_limit(limits)

    def _roll_back_if_due(self, serving: Serving) -> None:
        """Undo a step that ended at a limit, or in any failure where the session is atomic."""
        failure = serving.finished.failure if serving.finished else None
        if failure is None or not self.limits.checkpoints or self.isolation == "inline":
            return
        if failure.kind == "limit" or (self.limits.atomic and failure.kind in ("raised", "tool")):
            serving.roll_back(self._worker.kill_step, _TAKEOVER_SECONDS)

    def _call_off(self, serving: Serving) -> None:
        serving.call_off(self._worker.kill_step, _TAKEOVER_SECONDS, asks=self.isolation == "inline")

    def _after(self, serving: Serving) -> None:
        """Let go of a worker that is no more, or that cannot be trusted to speak properly."""
        if serving.end == "died":
            self._log.add("lost")
            self._drop_worker()
        elif serving.end == "broke the protocol":
            self._ended = serving.problem
            self._drop_worker()

    # --- state ---------------------------------------------------------------------------------------------------

    def assign(self, variables: Mapping[str, Any]) -> None:
        """Bind names in the session to copies of values; UsageError names what cannot cross."""
        packed = {}
        for name, value in variables.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise UsageError(f"assign({{{name!r}: …}}): a name a snippet can use is needed")
            try:
                packed[name] = pack(value, Budget(value_bytes=self.limits.value_bytes))
            except Uncrossable as error:
                raise UsageError(f"the value of {name!r} cannot be handed to a snippet: {error}") from error
        done = self._ask(say.Assign(packed), say.Done)
        if done.problem:
            raise UsageError(f"the names cannot be bound: {done.problem}")
        self._log.add("assign", variables={name: unpack(copied(tree)) for name, tree in packed.items()})

    def variables(self) -> dict[str, Variable]:
        """Give each name's type and a short repr, made without running the snippet's code."""
        return self._ask(say.Describe(), say.Described).variables

    def read_file(self, name: str) -> bytes:
        """Give the bytes of a file in the working folder; UsageError where it cannot be had."""
        content = self._ask(say.ReadFile(name, self.limits.value_bytes), say.Content)
        if content.content is None:
            raise UsageError(f"{name!r} cannot be read from the working folder: {content.problem[:500]}")
        return content.content

    def rewind(self, steps: int = 1) -> None:
        """Go back to the state before the last `steps` steps; UsageError where it is not kept any more."""
        rewound = self._ask(say.Rewind(steps), say.Rewound)
        if rewound.problem:
            raise UsageError(rewound.problem[:500])
        self._log.add("rewind", steps=steps)

    def fork(self) -> Session:
        """Give an independent copy of the live state, working folder included; it has to be closed like any session."""
        if self.isolation == "inline":
            raise UsageError('isolation="inline": a session in this process cannot be forked, a caged one can')
        with self._lock:
            channel = self._open_channel()
            try:
                worker = self._worker.fork(lambda: channel.send(say.Fork()))
                self._expect(say.Done)
            except ChannelClosed as error:
                self._drop_worker()
                raise WorkerDied(f"the worker died while it was copied: {error}") from error
            twin = object.__new__(type(self))
            twin.__dict__.update(self.__dict__)
            twin._lock, twin._log = threading.RLock(), self._log.copied()
            twin._worker, twin._channel = worker, host_channel(worker.socket)
            twin._expect(say.Ready)
            return twin

    # --- saving --------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the session to a file that `Session.resume` builds it from again, on any machine."""
        with self._lock:
            self._log.write_to(Path(path))

    @classmethod
    def resume(cls, path: str | os.PathLike[str], tools: Tools = (), **options: Any) -> Session:
        """Build a saved session again: its steps run once more, and their tool calls are answered as recorded.

        Policy, limits, skills and files are the recorded ones; `options` are the other settings of a session. Raises
        Diverged at the first step that does something else than was recorded.
        """
        past = read_past(Path(path))
        header = past.header
        missing = sorted(set(header["tools"]) - set(Toolbox(tools).tools))
        if missing:
            raise UsageError(f"{path} was recorded with tools that are not there: {', '.join(missing)}")
        session = cls(tools, **{**settings_of(header), **options})
        try:
            session._live_again(past)
        except BaseException:
            session.close()
            raise
        return session

    def _live_again(self, past: Past) -> None:
        for event in past.events:
            if not isinstance(event, Lived):
                self.assign(event)
                continue
            seen, problem = self._lived(event.source, event.answers)
            if problem or outcome_of(seen) != event.outcome:
                raise Diverged(
                    f"step {self._steps} does something else than was recorded: "
                    + (problem or f"it came to {outcome_of(seen)[:300]!r}, and then to {event.outcome[:300]!r}")
                )
        self._recorded = past.unfinished

    @property
    def walls(self) -> tuple[Wall, ...]:
        """The walls around the snippets, as they stand."""
        with self._lock:
            self._open_channel()
            walls: tuple[Wall, ...] = self._worker.walls
            return walls

    # --- the worker ----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start a worker and tell it what there is."""
        if self.isolation == "inline":
            self._worker: Any = _inline(self.policy, self._files)
        else:
            from codeact.sandbox import launch

            self._worker = launch.start(
                policy=self.policy, limits=self.limits, without=self._without, checked=self._checked, files=self._files
            )
        self._channel: Channel[say.ToHost] | None = host_channel(self._worker.socket)
        try:
            done = self._ask(say.Define(list(self.toolbox.specs), list(self.skills), self._seed), say.Done)
        except BaseException:
            self._drop_worker()
            raise
        if done.problem:
            self._drop_worker()
            raise UsageError(done.problem[:1000])

    def _open_channel(self) -> Channel[say.ToHost]:
        """Give the channel to the worker, to a new one where the last has died."""
        if self._closed:
            raise SessionClosed("the session is closed: start another one")
        if self._ended is not None:
            raise ProtocolError(f"the session has ended, its worker broke the protocol: {self._ended}")
        if self._channel is None:
            self._start()
        if self._channel is None:
            raise SessionError("the worker could not be started")
        return self._channel

    def _ask(self, question: Any, kind: type[Reply]) -> Reply:
        """Ask the worker something between two steps."""
        with self._lock:
            channel = self._open_channel()
            try:
                channel.send(question)
            except ChannelClosed as error:
                self._drop_worker()
                raise WorkerDied(f"the worker did not answer: {error}") from error
            return self._expect(kind)

    def _expect(self, kind: type[Reply]) -> Reply:
        """Take in one reply of the worker."""
        assert self._channel is not None  # noqa: S101  # who expects a reply has just used it
        try:
            reply = self._channel.receive(_ANSWER_SECONDS)
            if not isinstance(reply, kind):
                raise ProtocolError(f"{type(reply).__name__} came where {kind.__name__} was awaited")
        except (ChannelClosed, TimeoutError) as error:
            self._drop_worker()
            raise WorkerDied(f"the worker did not answer: {error}") from error
        except ProtocolError as error:
            self._ended = str(error)
            self._drop_worker()
            raise
        return reply

    def _drop_worker(self) -> None:
        self._channel = None
        self._worker.close()

    # --- ending --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """End the session with all its processes; doing so again is harmless."""
        self.interrupt()
        with self._lock:
            if not self._closed:
                self._closed = True
                if self._channel is not None:
                    self._drop_worker()
                self._log.close()

    def __enter__(self) -> Self:
        """Give the session."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the session."""
        self.close()


class RawSession(Session):
    """A caged session that runs code unchecked, as if the language were already broken: for tests of the cage alone."""

    _checked = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if options.get("isolation", "caged") != "caged":
            raise UsageError("a raw session is always caged: nothing else stands between its code and this machine")
        super().__init__(*arguments, **options)


def _proper_name(name: str) -> str:
    if not isinstance(name, str) or any(part in ("", ".", "..") for part in name.split("/")) or "\0" in name:
        raise UsageError(f"files={{{name!r}: …}}: a name below the working folder is needed, such as 'orders.csv'")
    return name


def _as_given(content: object) -> Path | bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, str | os.PathLike):
        return Path(content)
    raise UsageError(f"files={{…: {type(content).__name__}}}: a path or bytes are needed")


def _inline(policy: Policy, files: Mapping[str, Path | bytes]) -> Any:
    from codeact.session.inline import InlineWorker

    global _warned  # noqa: PLW0603  # loudly, and once
    if not _warned:
        _warned = True
        warnings.warn(_INLINE_WARNING, RuntimeWarning, stacklevel=4)
    return InlineWorker(policy, files)


def _tell(loop: asyncio.AbstractEventLoop, settle: Callable[[Any], object], what: Any) -> None:
    """Settle a future of a loop from another thread; a loop that is closed waits for nothing any more."""

    def tell() -> None:
        if not settle.__self__.done():  # type: ignore[attr-defined]  # a bound method of the future
            settle(what)

    try:
        loop.call_soon_threadsafe(tell)
    except RuntimeError:
        return
