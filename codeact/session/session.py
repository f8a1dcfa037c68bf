"""The session: the public face of the sandbox."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from codeact.errors import Diverged, ProtocolError, SessionClosed, UsageError
from codeact.limits import Limits, Policy
from codeact.records import Failure, Observation, SkillSource, Variable, Wall
from codeact.session import lanes
from codeact.session.hosting import Answered, copied
from codeact.session.link import Link, open_link
from codeact.session.log import Lived, Log, Past, header_of, outcome_of, read_past, settings_of
from codeact.session.observing import interruption, observe, wall_limit
from codeact.session.serving import Listener, Serving
from codeact.session.settings import Isolation, Settings, as_given
from codeact.toolbox import Toolbox, Tools
from codeact.wire import messages as say
from codeact.wire.kinds import Uncrossable
from codeact.wire.values import Budget, pack, unpack

_SOURCE_CHARS = 10_000_000
_inside: contextvars.ContextVar[frozenset[int]] = contextvars.ContextVar("sessions at work", default=frozenset())


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
        drawn = 0 if deterministic else secrets.randbits(62)  # recorded: a resumed session draws the same
        self._settings = Settings(
            policy=policy,
            limits=limits,
            tools=self.toolbox.specs,
            skills=tuple(skills),
            files=as_given(files or {}),
            isolation=isolation,
            without=frozenset((without,) if isinstance(without, str) else without),
            checked=self._checked,
            seed=drawn if seed is None else seed,
        )
        self._lock = threading.Lock()
        self._serving: Serving | None = None
        self._closed, self._steps = False, 0
        self._recorded: Lived | None = None  # a step that was cut off: run again, its calls are answered as they were
        self._log = Log(Path(journal) if journal is not None else None, header_of(self._settings))
        self._link = open_link(self._settings)

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
                lanes.tell(loop, done, done.set_exception, error)
            else:
                lanes.tell(loop, done, done.set_result, seen)

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
        if len(code) > _SOURCE_CHARS:
            raise UsageError(f"run(): a source of {len(code):,} characters; hand large data in with assign() or files=")
        with self._turn():
            past, self._recorded = self._recorded, None
            return self._lived(code, past.answers if past is not None and past.source == code else {}, loop)[0]

    def _lived(
        self, code: str, answers: Mapping[int, Answered], loop: asyncio.AbstractEventLoop | None = None
    ) -> tuple[Observation, str]:
        """Run a step with the recorded answers there are; its observation, and what call was not the recorded one."""
        link = self._opened()
        began = time.monotonic()
        self._steps += 1
        serving = Serving(link.channel, self.toolbox.tools, self.limits, self._steps << 32)
        serving.loop, serving.listener = loop, self.listener
        serving.recorded, serving.log = answers, self._log
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
        serving.start(code)
        try:
            if serving.wait(began + self.limits.wall_seconds - time.monotonic()):
                self._link.roll_back_if_due(serving)
                return None
        except BaseException:  # Ctrl-C while waiting
            self._link.call_off(serving)
            self._after(serving)
            raise
        self._link.call_off(serving)
        if serving.error is not None:
            self._after(serving)
            raise serving.error
        return interruption() if serving.interrupted else wall_limit(self.limits)

    def _after(self, serving: Serving) -> None:
        """Let go of a worker that is no more, or that cannot be trusted to speak properly."""
        if serving.end == "died":
            self._log.add("lost")
            self._link.close()
        elif serving.end == "broke the protocol":
            self._link.broken = serving.problem
            self._link.close()

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
        with self._turn():
            done = self._opened().ask(say.Assign(packed), say.Done)
            if done.problem:
                raise UsageError(f"the names cannot be bound: {done.problem[:500]}")
            self._log.add("assign", variables={name: unpack(copied(tree)) for name, tree in packed.items()})

    def variables(self) -> dict[str, Variable]:
        """Give each name's type and a short repr, made without running the snippet's code."""
        with self._turn():
            return self._opened().ask(say.Describe(), say.Described).variables

    def read_file(self, name: str) -> bytes:
        """Give the bytes of a file in the working folder; UsageError where it cannot be had."""
        with self._turn():
            content = self._opened().ask(say.ReadFile(name, self.limits.value_bytes), say.Content)
        if content.content is None:
            raise UsageError(f"{name!r} cannot be read from the working folder: {content.problem[:500]}")
        return content.content

    def rewind(self, steps: int = 1) -> None:
        """Go back to the state before the last `steps` steps; UsageError where it is not kept any more."""
        with self._turn():
            rewound = self._opened().ask(say.Rewind(steps), say.Rewound)
            if rewound.problem:
                raise UsageError(rewound.problem[:500])
            self._log.add("rewind", steps=steps)

    def fork(self) -> Session:
        """Give an independent copy of the live state, working folder included; it has to be closed like any session."""
        with self._turn():
            link = self._opened().fork()
            twin = object.__new__(type(self))
            twin.__dict__.update(self.__dict__)
            twin._lock, twin._log, twin._link = threading.Lock(), self._log.copied(), link
            return twin

    @property
    def walls(self) -> tuple[Wall, ...]:
        """The walls around the snippets, as they stand."""
        with self._turn():
            return self._opened().walls

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the session to be free; UsageError in a tool of the very step it is busy with."""
        inside = _inside.get()
        if id(self) in inside:
            raise UsageError("a tool cannot use the session that waits for it; give it a session of its own")
        with self._lock:
            token = _inside.set(inside | {id(self)})
            try:
                yield
            finally:
                _inside.reset(token)

    def _opened(self) -> Link:
        """Give the link to the worker, to a new one where the last has died."""
        if self._closed:
            raise SessionClosed("the session is closed: start another one")
        if self._link.broken:
            raise ProtocolError(f"the session has ended, its worker broke the protocol: {self._link.broken}")
        if not self._link.open:
            self._link = open_link(self._settings)
        return self._link

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the session to a file that `Session.resume` builds it from again, on any machine."""
        with self._turn():
            self._log.write_to(Path(path))

    @classmethod
    def resume(cls, path: str | os.PathLike[str], tools: Tools = (), **options: Any) -> Session:
        """Build a saved session again: its steps run once more, and their tool calls are answered as recorded.

        Policy, limits, skills and files are the recorded ones; `options` are the other settings of a session. Raises
        Diverged at the first step that does something else than was recorded.
        """
        past = read_past(Path(path))
        missing = sorted(set(past.header["tools"]) - set(Toolbox(tools).tools))
        if missing:
            raise UsageError(f"{path} was recorded with tools that are not there: {', '.join(missing)}")
        session = cls(tools, **{**settings_of(past.header), **options})
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
                    + (problem or f"it comes to {outcome_of(seen)[:300]!r} where it came to {event.outcome[:300]!r}")
                )
        self._recorded = past.unfinished

    def close(self) -> None:
        """End the session with all its processes; doing so again is harmless."""
        self.interrupt()
        with self._lock:
            self._closed = True
            self._link.close()
            self._log.close()

    def __enter__(self) -> Self:
        """Give the session."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the session."""
        self.close()
