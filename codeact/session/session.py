"""The session: the public face of the sandbox."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeAlias

from codeact.clock import Clock
from codeact.errors import UsageError
from codeact.limits import Limits, Policy
from codeact.paths import as_path, whole_path
from codeact.records import Isolation, Observation, SkillSource, ToolCall, Variable, Wall
from codeact.session import lanes
from codeact.session.hosting import given_answer
from codeact.session.life import Life
from codeact.session.log import Log, settings_of
from codeact.session.observing import bounded_variables, unsendable
from codeact.session.past import read_past
from codeact.session.settings import Listener, Settings, as_given, listed
from codeact.session.turns import Line, Marked, Turn, is_inside
from codeact.snippet.describe import describe
from codeact.snippet.sayable import is_sayable
from codeact.toolbox import Toolbox, Tools
from codeact.wire import messages as say
from codeact.wire.parts import TooMuch, Uncrossable
from codeact.wire.values import Allowance, pack

if TYPE_CHECKING:
    import asyncio

Loop: TypeAlias = "asyncio.AbstractEventLoop"


class _Answer(Enum):
    NONE = "the tool is called now"


class Session:
    """Runs snippets one after the other in one live state; threads and tasks that share it wait their turn.

    `tools`: functions, or a mapping of name to function. `policy`: which imports are allowed beside the default ones.
    `limits`: what a step may use. `files`: name in the working folder → a path or bytes, there read-only. `skills`:
    what `SkillLibrary.sources` gives, for snippets to call. `isolation`: "inline" runs snippets in this process and
    without a cage. `without`: walls of the cage to leave out. `deterministic`: chance and the clock are the same each
    time; `seed` fixes chance alone. `listener` is told of output and tool calls as they come. `journal`: a file that
    every step and tool call is written to as it happens.

    Raises `UsageError` for arguments that will not do, and `CageError` where a wall cannot be put up. What goes wrong
    in a snippet is never raised: it is in the observation.
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
        if not isinstance(listener, Listener):
            raise UsageError(f"listener={describe(listener, 80)}: a Listener is needed")
        self.policy, self.limits, self.isolation, self.listener = policy, limits, isolation, listener
        self.toolbox = Toolbox(tools)
        drawn = 0 if deterministic else secrets.randbits(62)  # recorded: a resumed session draws the same
        self._settings = Settings(
            policy=policy,
            limits=limits,
            tools=self.toolbox.specs,
            skills=listed("skills", skills),
            files=as_given(files or {}),
            isolation=isolation,
            without=frozenset(map(str, (without,) if isinstance(without, str) else listed("without", without))),
            checked=self._checked,
            seed=drawn if seed is None else seed,
            deterministic=deterministic,
        )
        self._lock, self._line = threading.Lock(), Line()
        log = Log(None if journal is None else whole_path("journal={}", journal), self._settings)
        try:
            self._life = Life(self._settings, self.toolbox.tools, listener, log)
        except BaseException:
            log.discard()
            raise

    # --- running -------------------------------------------------------------------------------------------------

    def run(self, code: str) -> Observation:
        """Run one snippet and say what it did; what goes wrong in it is part of the observation."""
        return self._run(code)

    async def arun(self, code: str) -> Observation:
        """Run one snippet beside other tasks; cancelling interrupts the step. Async tools run on this loop."""
        return await self._beside(lambda loop, turn: self._run(code, loop, turn))

    def _run(
        self, code: str, loop: Loop | None = None, turn: Turn | None = None, readings: Sequence[int] = ()
    ) -> Observation:
        if not isinstance(code, str):
            raise UsageError(f"run({type(code).__name__}): the source of a snippet is needed, a str")
        if (failed := unsendable(code)) is not None:
            return failed
        with self._free(), self._turn(turn):
            return self._life.run(code, loop, readings)

    async def _beside(self, step: Callable[[Loop, Turn], Observation], turn: Turn | None = None) -> Observation:
        import asyncio

        loop, turn = asyncio.get_running_loop(), turn or Turn()
        done: asyncio.Future[Observation] = loop.create_future()

        def job() -> None:
            try:
                seen = step(loop, turn)
            except BaseException as error:  # carried over to the task that waits
                lanes.tell(loop, done, done.set_exception, error)
            else:
                lanes.tell(loop, done, done.set_result, seen)

        await self._line.run(job, done, self._life.turn)
        done.add_done_callback(lambda over: over.exception())  # also where nobody waits for it any more
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError:
            self._life.withdraw(turn)
            if self._life.turn is turn:  # else it has not begun and does not any more, or it is over
                await asyncio.wait([done])
            raise
        return done.result()

    def interrupt(self) -> None:
        """Stop the step that runs now, from any thread; the session is kept. Without one, nothing happens."""
        self._life.call_off(self._life.turn)

    @property
    def paused(self) -> tuple[ToolCall, ...]:
        """The calls that are held open: `go_on` continues the step that made them, any other step gives it up."""
        unfinished = self._life.unfinished
        return tuple(call for _, call in unfinished.waiting) if unfinished is not None else ()

    def go_on(self, answer: Any = _Answer.NONE, *, error: Exception | None = None) -> Observation:
        """Run a paused step on, with this answer or error for the first call held open; without one, it is made now."""
        return self._go_on(answer, error)

    def finish(self) -> Observation | None:
        """Run a step on that was cut off; None where none was, or a call of it is held open."""
        with self._free(), self._turn():
            unfinished = self._life.unfinished
            return self._life.run(unfinished.source) if unfinished is not None and not unfinished.held else None

    async def ago_on(self, answer: Any = _Answer.NONE, *, error: Exception | None = None) -> Observation:
        """Run a paused step on beside other tasks, as `arun` does."""
        return await self._beside(lambda loop, turn: self._go_on(answer, error, loop, turn))

    def _go_on(
        self, answer: Any, error: Exception | None, loop: Loop | None = None, turn: Turn | None = None
    ) -> Observation:
        with self._free(), self._turn(turn):
            unfinished, answers = self._life.unfinished, {}
            if unfinished is not None and unfinished.held and (answer is not _Answer.NONE or error is not None):
                number, call = unfinished.waiting[0]
                answers[number] = given_answer(call, self.toolbox.tools[call.tool], answer, error)
            return self._life.go_on(answers, loop)

    def assign(self, variables: Mapping[str, Any]) -> None:
        """Bind names in the session to copies of values; UsageError names what cannot cross."""
        if not isinstance(variables, Mapping):
            raise UsageError(f"assign({describe(variables, 80)}): a mapping of name to value is needed")
        packed = {}
        for name, value in variables.items():
            if not is_sayable(name):
                raise UsageError(f"assign({{{name!r:.80}: …}}): a name a snippet can use is needed")
            try:
                packed[name] = pack(value, Allowance(value_bytes=self.limits.value_bytes))
            except Uncrossable as error:
                way = "; hand it in as a file, with files=" if isinstance(error, TooMuch) else ""
                raise UsageError(f"the value of {name!r} cannot be handed to a snippet: {error}{way}") from error
        with self._free(), self._turn():
            self._life.assign(packed)

    def variables(self) -> dict[str, Variable]:
        """Give the type and a short repr of the first 1,000 names, made without running the snippet's code."""
        with self._free(), self._turn():
            told = self._life.between_steps(lambda link: link.ask(say.Describe(), say.Described))
        return bounded_variables(told.variables)

    def read_file(self, name: str | os.PathLike[str]) -> bytes:
        """Give the bytes of a file in the working folder; UsageError where it cannot be had."""
        wanted = say.ReadFile(os.fsencode(as_path("read_file({})", name)), self.limits.value_bytes)
        with self._free(), self._turn():
            content = self._life.between_steps(lambda link: link.ask(wanted, say.Content))
        if content.content is None:
            raise UsageError(f"{os.fspath(name)!r} cannot be read from the working folder: {content.problem[:500]}")
        return content.content

    def rewind(self, steps: int = 1) -> None:
        """Go back to the state before the last `steps` steps; UsageError where it is not kept any more."""
        if not isinstance(steps, int) or isinstance(steps, bool) or not 0 < steps < 1 << 63:
            raise UsageError(f"rewind({describe(steps, 80)}): a number of steps of 1 or more is needed")
        with self._free(), self._turn():
            self._life.rewind(steps)

    def fork(self) -> Self:
        """Give an independent copy of the live state, working folder included; it has to be closed like any session.

        Its random numbers are others, those of generators that were made without a seed among them, unless the session
        is deterministic.
        """
        with self._free(), self._turn():
            twin = object.__new__(type(self))
            twin.__dict__.update(self.__dict__)
            twin._lock, twin._line, twin._life = threading.Lock(), Line(), self._life.fork()
            return twin

    @property
    def clock(self) -> Clock:
        """What the seconds of a step are counted by: it can be stopped while a tool waits for a person."""
        return self._life.clock

    @property
    def walls(self) -> tuple[Wall, ...]:
        """The walls around the snippets, as they stand."""
        with self._free(), self._turn():
            return self._life.opened().walls

    def _free(self) -> threading.Lock:
        """The lock to have before a turn; UsageError in a tool of the very step the session is busy with.

        It is taken by a `with` of its own: one written in Python could hold it for ever after Ctrl-C.
        """
        if self._lock.locked() and is_inside(self._life.turn):
            raise UsageError("a tool cannot use the session that waits for it; give it a session of its own")
        if self._life.is_of_another_process:  # here nobody may be left to release the lock
            self._life.opened()  # which says so
        return self._lock

    def _turn(self, turn: Turn | None = None) -> Marked:
        return Marked(self._life, turn or Turn())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what `Session.resume` builds it from again; JournalError over a file that is no saved session."""
        target = whole_path("save({})", path)
        with self._free(), self._turn():
            self._life.save(target)

    @classmethod
    def resume(cls, path: str | os.PathLike[str], tools: Tools = (), *, exact: bool = True, **options: Any) -> Self:
        """Build a saved session again: its steps run once more, and their tool calls are answered as recorded.

        Policy, limits, skills and files are the recorded ones; `options` are the other settings of a session. Raises
        Diverged at the first step that does something else than was recorded; without `exact`, a step may show
        something else, such as the time, as long as it makes the same calls, and a warning says what it is.
        """
        path = as_path("resume({})", path)
        past = read_past(path)
        tools = Toolbox(tools).tools
        if missing := sorted(set(past.header["tools"]) - tools.keys()):
            raise UsageError(f"{path} was recorded with tools that are not there: {', '.join(missing)}")
        session = cls(tools, **{**settings_of(path, past.header), **options})
        try:
            session._life.live_again(past, exact=exact)
        except BaseException:
            session._life.discard()
            raise
        return session

    def close(self) -> None:
        """End the session with all its processes; doing so again is harmless. Steps that wait their turn do not run."""
        self._life.closed = True  # before the lock is had, so that whoever gets it first does nothing
        if self._life.is_of_another_process:
            self._life.leave()
            return
        self.interrupt()
        if self._life.turn.thread != threading.get_ident():  # else a signal's handler: the step it came in closes it
            with self._lock:
                self._life.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session cannot be pickled: fork() gives a copy, save() a file for resume()")

    def __enter__(self) -> Self:
        """Give the session."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the session."""
        self.close()
