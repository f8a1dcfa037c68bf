"""The variables of a session, and the one way in which code runs on them.

The inline session and the caged worker both use it. Everything a snippet reaches by name is here: its own variables
in `_names`, the builtins with our hooks and the protected names in `_builtins`.
"""

from __future__ import annotations

import contextvars
import importlib
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from codeact.limits import Policy
from codeact.records import FINAL_ANSWER, Failure, SkillSource, ToolSpec, Variable, Violation
from codeact.snippet import explain, steady
from codeact.snippet.bindings import bound_when_called
from codeact.snippet.builtins_ import make_builtins, users
from codeact.snippet.charges import Charges
from codeact.snippet.classes import class_name, is_a
from codeact.snippet.counting import Counting
from codeact.snippet.describe import describe, is_short, readable
from codeact.snippet.endings import Answered, Ending, LimitReached
from codeact.snippet.evaluating import Evaluator
from codeact.snippet.execute import executed
from codeact.snippet.facade import Facades, Room
from codeact.snippet.hooks import hooks, of_any_name
from codeact.snippet.meter import Meter
from codeact.snippet.modules import clocks, numbers_, waits
from codeact.snippet.modules.interpreter import frames
from codeact.snippet.ownership import MODULE
from codeact.snippet.precheck import Needs, precheck
from codeact.snippet.program import Program, Rejected, compile_snippet
from codeact.snippet.running import StepOf
from codeact.worker import stack
from codeact.worker.folder import Folder
from codeact.worker.spare import Spare

_SKILL_OPERATIONS = 1_000_000
_VARIABLE_CHARS = 200


class Outcome(NamedTuple):
    """What a step did, on this side of the wall."""

    value: object = None
    has_value: bool = False
    text: str = ""
    failure: Failure | None = None
    loops: int = 0
    calls: int = 0
    elements: int = 0
    answered: bool = False
    answer: object = None
    began: bool = True

    @property
    def operations(self) -> int:
        """How many it used in all."""
        return self.loops + self.calls + self.elements


class Namespace:
    """The live state of a session. With `checked=False` code runs as it is: for tests of the cage alone."""

    def __init__(self, policy: Policy, *, folder: str, output: Callable[[str], object], checked: bool = True) -> None:
        self.inside: Callable[[Room], AbstractContextManager[None]] = StepOf  # what a step runs in, given its room
        self.spare = Spare()
        self._policy, self._checked = policy, checked
        self._meter = Meter()
        self.folder = Folder(folder, self._meter.refuse_between_steps)
        self._room_parts = (self.folder, self._live(output))
        self._charges = Charges(self._meter)
        self._counting = Counting(self._meter, self._charges)
        self._tools: dict[str, ToolSpec] = {}
        self._protected: dict[str, object] = {}
        self._bound_when_called: set[str] = set()  # names that functions of earlier steps may bind
        self._fitting: set[str] = set()  # files of snippets whose calls fit the tools there are
        self._steady, self._classes = True, steady.Classes()
        self._context = contextvars.Context()
        self._settings: dict[str, Any] = {waits.INTERRUPT: self._meter.interrupt}  # of all facades, those of skills too
        self._facades = self._new_facades(policy.imports)
        self.room = self._facades.room
        self._names: dict[str, Any] = {"__name__": MODULE, "__doc__": None}
        self._builtins = self._new_builtins(self._facades, self._names)
        self._names["__builtins__"] = self._builtins
        self.protect(FINAL_ANSWER, _final_answer(self._meter))

    def _new_facades(self, imports: Collection[str]) -> Facades:
        room = Room(*self._room_parts, self._settings, self._counting.into, self._meter.charge)
        return Facades(tuple(imports), room)

    def _live(self, output: Callable[[str], object]) -> Callable[[str], object]:
        def write(text: str) -> object:
            self.go_on()
            return output(str.__str__(text))  # its length is counted: a class of the snippet's could tell another

        return write

    def _new_builtins(self, facades: Facades, names: dict[str, Any]) -> dict[str, Any]:
        if not self._checked:
            import builtins

            return dict(vars(builtins))
        made = make_builtins(facades=facades, names=names, protected=lambda: self._protected)
        evaluator = Evaluator(names, lambda: frozenset(self._protected), self._meter.charge)
        charged = of_any_name(self._meter, self._charges)
        made.update(evaluator.functions(), __build_class__=self._classes.build, **charged)
        facades.room.reader = evaluator.reader
        made.update(hooks(self._meter, self._charges, made, lambda: self._restore(names)))
        self._meter.tell(made)
        return made

    def _restore(self, names: dict[str, Any]) -> None:
        for name in self._protected:
            names.pop(name, None)

    def reseed(self, seed: int) -> None:
        """Draw random numbers from this seed on."""
        numbers_.reseed(self._settings, seed)

    def fix_clock(self) -> None:
        """Let the clocks start at a fixed moment and go on with each reading; to be said before the first step."""
        clocks.fix(self._settings)

    # ------------------------------------------------------------------------------------------------ what is in it

    def protect(self, name: str, value: object, spec: ToolSpec | None = None) -> None:
        """Give a snippet a name it can say and not rebind: a tool, `final_answer`."""
        self._protected[name] = self._builtins[name] = value
        if spec is not None:
            self._tools[name] = spec
            self._fitting.clear()
        self._names.pop(name, None)

    def define_skill(self, skill: SkillSource) -> None:
        """Make a skill a protected function whose globals hold its imports, tools and skills and nothing else."""
        protected = frozenset({*skill.tools, *skill.skills, FINAL_ANSWER})
        program = compile_snippet(skill.code, protected=protected, checked=self._checked, kind="skill")
        if isinstance(program, Rejected):
            program = explain.refused(program.violations, program.source)
        if isinstance(program, Failure):
            raise SyntaxError(f"line {program.line}: {program.message}")
        names: dict[str, Any] = {"__name__": MODULE, "__doc__": None}
        names["__builtins__"] = made = self._new_builtins(self._new_facades(skill.imports), names)
        for name in (*skill.tools, *skill.skills):
            if name not in self._protected:
                raise NameError(f"the skill needs {name!r}, which this session does not have")
            made[name] = self._protected[name]
        self._steady = self._steady and program.steady and steady.MODULES.issuperset(skill.imports)
        self._meter.begin(_SKILL_OPERATIONS)
        try:
            with self.inside(self.room):
                self._context.run(executed, program, names)
        except Ending as ending:
            raise RuntimeError(f"defining it did not end well: {ending}") from None
        finally:
            self._meter.finish()
        function = names.get(skill.name) or names.get(skill.name.replace("-", "_"))
        if not callable(function):
            raise NameError(f"its code defines no function {skill.name!r}")
        name = skill.name.replace("-", "_")
        if name in self._tools:
            raise NameError(f"{name!r} is the name of a tool")
        self.protect(name, function)

    def assign(self, variables: Mapping[str, object]) -> None:
        """Set variables, as an assignment in a snippet would."""
        for name in variables:
            if name in self._protected:
                raise ValueError(f"the input {name!r} has the name of a tool, a skill or final_answer: rename it")
        self._names.update(variables)

    def module(self, name: str) -> types.ModuleType:
        """Give the module of this name as snippets have it."""
        return self._facades.import_module(name) if self._checked else importlib.import_module(name)

    def variables(self) -> dict[str, Variable]:
        """The user's own names, with the type and a short text of each, without running user code."""
        return {
            name: Variable(class_name(type(value)), describe(value, _VARIABLE_CHARS))
            for name, value in users(self._names).items()
            if not is_a(value, types.ModuleType)  # isinstance would ask the value
        }

    @property
    def steady(self) -> bool:
        """Whether all that has run here comes to the same where it is run again on the same state."""
        return self._classes.tell() and self._steady and self._facades.imported <= steady.MODULES

    def go_on(self) -> None:
        """Raise the step's ending where it is over: what acts outside asks first."""
        if self._meter.ending is not None:
            self._meter.again()

    def end(self, ending: Ending) -> Ending:
        """End the running step from within a tool's stub: `raise namespace.end(LimitReached(…))`."""
        return self._meter.end(ending)

    # ------------------------------------------------------------------------------------------------ a step

    def run(
        self, source: str, *, operations: int, text_chars: int, at_end: Callable[[], object] = lambda: None
    ) -> Outcome:
        """Run one snippet; `at_end` belongs to it and counts: what a step shows may be drawn by the snippet's code."""
        protected = frozenset(self._protected)
        program = compile_snippet(source, protected=protected, checked=self._checked)
        if isinstance(program, Failure):
            return Outcome(failure=program, began=False)
        found = [*program.violations] if isinstance(program, Rejected) else []
        if self._checked and self._policy.check_first:
            found += self._checked_first(program)
        if isinstance(program, Rejected) or found:
            return Outcome(failure=explain.refused(found, program.source), began=False)
        self._steady = self.steady and program.steady
        self._meter.begin(operations)
        stack.enter(frames(self.room), self._meter.end)
        try:
            with self.inside(self.room):
                return self._context.run(self._stepped, program, text_chars, at_end)
        finally:
            self.room.restore()
            self._meter.finish()
            stack.leave()

    def _checked_first(self, program: Program | Rejected) -> list[Violation]:
        if isinstance(program, Program) and program.needs is not None and self._fits(program.filename, program.needs):
            return []
        tree = program.tree()
        names = {*self._names, *self._builtins, *self._bound_when_called}
        found = precheck(tree, names=names, tools=self._tools, refused_import=self._refused_import)
        self._bound_when_called |= bound_when_called(tree)
        if not found:
            self._fitting.add(program.filename)
        return found

    def _fits(self, filename: str, needs: Needs) -> bool:
        """Whether all that a snippet takes for granted is there."""
        names, builtins = self._names, self._builtins
        if filename not in self._fitting and not needs.protected.isdisjoint(self._tools):
            return False
        if [name for name in needs.names if name not in names and name not in builtins]:
            return False
        return not any(map(self._refused_import, needs.modules))

    def _refused_import(self, module: str, wanted: Sequence[str] = ()) -> str | None:
        return None if self._facades.allowed(module) else self._facades.refusal(module, wanted)

    def _stepped(self, program: Program, text_chars: int, at_end: Callable[[], object]) -> Outcome:
        value, text, error, message = None, "", None, None
        try:
            waits.begin(self.room)
            for odd in program.odd:
                odd.tell(program.filename)
            value = executed(program, self._names)
            waits.let_work(self.room)
            text = readable(value, text_chars) if value is not None else ""
        except BaseException as raised:  # whatever a snippet raises is the step's outcome
            if is_a(raised, MemoryError):
                self.spare.release_memory()
            error, message = raised, self._own_words(raised)
        if not isinstance(self._meter.ending or error, LimitReached):
            try:
                waits.let_work(self.room)
                at_end()
            except BaseException as raised:  # the snippet's own code may be part of it
                error = error or raised
        else:
            waits.forget(self.room)
        ending = self._meter.ending
        counts = self._meter.counts()
        if isinstance(ending, Answered):
            return Outcome(**counts, answered=True, answer=ending.value)
        error = ending or error
        if error is not None:
            self.spare.release_memory()
            failure = explain.explain(error, program, tools=self._tools, message=message)
            return Outcome(**counts, failure=failure)
        return Outcome(value, program.value is not None, text, **counts)

    def _own_words(self, error: BaseException) -> str | None:
        """What the error says of itself, where a snippet's class decides that: it may run as long as the step may."""
        asked = explain.words_itself(error) or isinstance(error, SyntaxError)
        if self._meter.ending is not None or not asked or not is_short(vars(BaseException)["args"].__get__(error)):
            return None
        try:
            return str(error)
        except BaseException:  # noqa: BLE001, RUF100  # a broken __str__ leaves the description of its arguments
            return None


def _final_answer(meter: Meter) -> Callable[[object], None]:
    def final_answer(answer: object) -> None:
        """End the run with this answer."""
        meter.answer(answer)

    final_answer.__qualname__ = FINAL_ANSWER  # as an error about its arguments calls it
    return final_answer
