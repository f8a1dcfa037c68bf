"""The gate: a fresh session, tools that answer from the recording, and checks that each can say no.

replay       the program with the recorded tool results gives the recorded answer
arguments    the general function with the original arguments gives it too, and gives it again
effects      every call with an effect is made again
recordings   the other recorded uses still pass
dependence   a changed tool result changes the answer
policy       the code keeps the language's rules and asks for what its manifest names, no more
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from codeact.errors import CodeactError
from codeact.limits import Limits, Policy
from codeact.records import Isolation, Observation, SkillSource, ToolCall, ToolSpec
from codeact.session import Session
from codeact.skills import encoding
from codeact.skills.record import Declined, Example
from codeact.skills.recording import Replay, changed, variants

_SHOWN = 300
_CONSTANTS, _CONSTANT_CHARS = 16, 40  # so many, so long, are tried: beyond that they are tables and texts, not limits
_CLOCKS = frozenset(["today", "now", "utcnow", "time", "time_ns", "localtime", "gmtime", "ctime"])
_CHANCE = re.compile(r"\b(?:random|secrets|uuid|urandom)\b")
_DRAWING_SECONDS = 5.0
_BY_CHANCE = "chance decides what it gives"
_LEFT_BEHIND = "a call leaves something behind that changes the next one"
_DRAWS = 20  # of two equally likely answers, one comes as often by luck once in a million times
_LIMITS = Limits(wall_seconds=60.0, checkpoints=0)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is put to the test: a skill's source, the tools it names, and the skills it calls."""

    source: SkillSource
    tools: tuple[ToolSpec, ...] = ()
    skills: tuple[SkillSource, ...] = ()
    asynchronous: bool = False


class Trial:
    """A fresh session in which a skill is tried again and again with recorded calls."""

    def __init__(
        self,
        subject: Subject,
        files: Mapping[str, bytes] | None = None,
        *,
        isolation: Isolation = "caged",
        fixed_clock: bool = False,
    ) -> None:
        self.subject, self._fixed_clock = subject, fixed_clock
        self.replay = Replay(subject.tools)
        self._files, self._isolation = dict(files or {}), isolation
        self._session: Session | None = None

    def __enter__(self) -> Self:
        imports = {name for source in (self.subject.source, *self.subject.skills) for name in source.imports}
        self._session = Session(
            tools=self.replay.tools,
            skills=[*self.subject.skills, self.subject.source],
            policy=Policy(imports=sorted(imports)),
            limits=_LIMITS,
            files=self._files,
            isolation=self._isolation,
            deterministic=self._fixed_clock,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            self._session.close()

    def call(self, arguments: Mapping[str, Any], calls: Sequence[ToolCall]) -> Observation:
        """What the skill gives for the arguments when its tools answer from these calls."""
        assert self._session is not None  # noqa: S101  # a trial is used within its `with`
        self.replay.load(calls)
        names = {name: f"argument_{name}" for name in arguments}
        self._session.assign({names[name]: value for name, value in arguments.items()})
        given = ", ".join(f"{name}={variable}" for name, variable in names.items())
        wait = "await " if self.subject.asynchronous else ""
        return self._session.run(f"{wait}{self.subject.source.name}({given})")


def passes(trial: Trial, example: Example, check: str) -> Declined | None:
    """None where the skill gives the recorded answer, else what it gave."""
    seen = trial.call(example.arguments, example.calls)
    if trial.replay.unknown:
        return Declined("it asks a tool something the recording has no answer to", check, trial.replay.unknown[0])
    if not seen.ok:
        failure = seen.failure
        said = f"{failure.type}: {failure.message}" if failure is not None else "no reason given"
        check = "policy" if failure is not None and failure.kind in ("refused", "syntax") else check
        return Declined("it fails where the run succeeded", check, shown(said))
    if not alike(seen.value, example.answer):
        evidence = f"expected {shown(example.answer)}, got {shown(seen.value)}"
        return Declined("it gives another answer than the run", check, evidence)
    return None


def repeats(trial: Trial, example: Example) -> Declined | None:
    """None where further calls in the same session give the same, or may not, as the first one wrote files.

    One will do, but where chance may have given the recorded answer: then as many as there is time for.
    """
    by_chance, spent = _CHANCE.search(trial.subject.source.code) is not None, 0.0
    for _ in range(_DRAWS if by_chance else 1):
        seen = trial.call(example.arguments, example.calls)
        spent += seen.cost.wall_seconds
        if not seen.files and not (seen.ok and alike(seen.value, example.answer)):
            why = _BY_CHANCE if by_chance else _LEFT_BEHIND
            evidence = f"first {shown(example.answer)}, then {shown(seen.value if seen.ok else seen.text)}"
            return Declined(why, "arguments", evidence)
        if seen.files or spent > _DRAWING_SECONDS:
            return None
    return None


def alike(got: object, wanted: object) -> bool:
    """Equal by value; where one of them did not cross the wall, equal in kind."""
    if _is_kind(got) or _is_kind(wanted):
        return encoding.kind_of(got) == encoding.kind_of(wanted)
    return encoding.same(got, wanted)


def _is_kind(value: object) -> bool:
    form = encoding.encode(value)
    return isinstance(form, dict) and form.get(encoding.TAG) == "kind"


def lost_effects(trial: Trial, effects: Sequence[ToolCall]) -> Declined | None:
    """None where each recorded call with an effect was made again."""
    left = [call for call in trial.replay.left() if any(call is other for other in effects)]
    if not left:
        return None
    return Declined(
        "a call with an effect is not made any more", "effects", f"{left[0].tool}({shown(left[0].arguments)})"
    )


def depends(trial: Trial, example: Example) -> Declined | None:
    """None where every reading tool matters, and anything at all does: changing it changes the answer."""
    reading = {name for name, spec in trial.replay.specs.items() if spec.effect == "read"}
    constants = _constants(trial.subject, example)
    for tool in dict.fromkeys(call.tool for call in example.calls if call.error is None and call.tool in reading):
        if not any(_differs(trial, example, calls) for calls in changed(example.calls, tool, constants)):
            reason = f"the answer does not depend on what {tool} returns: it was looked at, not used"
            return Declined(
                reason, "dependence", f"with {tool} answering otherwise it is still {shown(example.answer)}"
            )
    if reading & {call.tool for call in example.calls} or _anything(trial, example, constants):
        return None
    return Declined("the answer is a constant: nothing of it is computed", "dependence", shown(example.answer))


def clocked(subject: Subject, example: Example, isolation: Isolation) -> Example | Declined:
    """The recorded use as it can be run again on any day: of what reads the clock, with the answer by a fixed one."""
    read = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(ast.parse(subject.source.code))}
    if not read & _CLOCKS:
        return example
    with Trial(subject, example.files, isolation=isolation, fixed_clock=True) as trial:
        seen = trial.call(example.arguments, example.calls)
        if trial.replay.unknown:
            reason = "what it asks its tools depends on the clock: its recorded use could not be run again"
            return Declined(reason, "recordings", trial.replay.unknown[0])
    return replace(example, answer=seen.value, fixed_clock=True) if seen.ok else example


def _constants(subject: Subject, example: Example) -> list[Any]:
    """The numbers and texts the program may compare with: its own, and its arguments, a few of them."""
    own = [node.value for node in ast.walk(ast.parse(subject.source.code)) if isinstance(node, ast.Constant)]
    found = [value for value in (*example.arguments.values(), *own) if isinstance(value, int | float | str)]
    plain = [value for value in found if not isinstance(value, bool) and len(str(value)) <= _CONSTANT_CHARS]
    return [*dict.fromkeys(plain)][:_CONSTANTS]


def _anything(trial: Trial, example: Example, constants: Sequence[Any]) -> bool:
    for tool in dict.fromkeys(call.tool for call in example.calls):
        if any(_differs(trial, example, calls) for calls in changed(example.calls, tool, constants)):
            return True
    for name, value in example.arguments.items():
        for other in variants(value, constants):
            arguments = {**example.arguments, name: other}
            if _differs(trial, replace(example, arguments=arguments), example.calls):
                return True
    return bool(example.files)


def _differs(trial: Trial, example: Example, calls: Sequence[ToolCall]) -> bool:
    seen = trial.call(example.arguments, calls)
    return not seen.ok or not alike(seen.value, example.answer)


def verify(subject: Subject, examples: Sequence[Example], *, isolation: Isolation = "caged") -> Declined | None:
    """None where every recorded use passes in a fresh session, else the first that does not."""
    if not examples:
        return Declined("there are no recorded uses to check it with", "recordings", "examples.jsonl is empty")
    try:
        for files, fixed in _folders(examples):
            with Trial(subject, files, isolation=isolation, fixed_clock=fixed) as trial:
                for example in (item for item in examples if (dict(item.files), item.fixed_clock) == (files, fixed)):
                    declined = passes(trial, example, "recordings")
                    if declined is not None:
                        return replace(declined, evidence=f"{declined.evidence} ({shown(example.task)})")
    except CodeactError as error:
        return Declined("it cannot be started", "policy", shown(str(error)))
    return None


def _folders(examples: Sequence[Example]) -> list[tuple[dict[str, bytes], bool]]:
    folders: list[tuple[dict[str, bytes], bool]] = []
    for example in examples:
        if (dict(example.files), example.fixed_clock) not in folders:
            folders.append((dict(example.files), example.fixed_clock))
    return folders


def shown(value: object) -> str:
    """A value as evidence: short."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
