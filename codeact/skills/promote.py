"""From a run to the draft of a skill: sliced, made general, and put through the gate; `admit` takes it in."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from codeact.errors import CodeactError, SkillError, UsageError
from codeact.records import Isolation, Run, SkillSource, ToolCall, ToolSpec
from codeact.skills import layout, secrets
from codeact.skills.generalise import FilledParameter, Function, Origin, generalise, render
from codeact.skills.join import Program, join, with_return
from codeact.skills.meaning import meaning_of
from codeact.skills.record import Declined, Example, Provenance, Skill
from codeact.skills.slice import Sliced, answer_of, slices
from codeact.skills.unify import parse
from codeact.skills.verify import Subject, Trial, clocked, depends, lost_effects, passes, repeats, shown
from codeact.wire.parts import Uncrossable
from codeact.wire.values import UNBOUNDED, pack, unpack

FILES_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Means:
    """What a promotion works with besides the run: tools, skills it may call, files it had."""

    tools: Mapping[str, ToolSpec]
    skills: Mapping[str, Skill]
    files: Mapping[str, bytes]
    isolation: Isolation


@dataclass(frozen=True, slots=True)
class Draft:
    """A skill that passed the gate, with its first recorded use and the function it was rendered from."""

    skill: Skill
    example: Example
    function: Function
    origin: Origin


def specs_of(tools: Collection[ToolSpec]) -> dict[str, ToolSpec]:
    """The tools by their names; UsageError for what is none, such as the function of one."""
    for tool in tools:
        if not isinstance(tool, ToolSpec):
            raise UsageError(f"promote(tools=[{tool!r:.80}]): a ToolSpec is needed, as in Session(…).toolbox.specs")
    return {spec.name: spec for spec in tools}


def contents(files: Mapping[str, bytes | str | Path]) -> dict[str, bytes]:
    """What the files of a run hold; SkillError where one cannot be read any more, UsageError for what is none."""
    if not isinstance(files, Mapping) or not all(isinstance(item, bytes | str | Path) for item in files.values()):
        raise UsageError(f"promote(files={files!r:.80}): a mapping of name to path or bytes is needed")
    try:
        return {name: item if isinstance(item, bytes) else Path(item).read_bytes() for name, item in files.items()}
    except OSError as error:
        raise SkillError(f"the run's files cannot be recorded: {error}") from error


def draft(run: Run, around: Means) -> Draft | Declined:
    """The skill in a run, or which check says no; nothing is written."""
    if not run.ok:
        return Declined(f"the run did not end with an answer but {run.ended}", "answer", run.reason)
    if sum(map(len, around.files.values())) > FILES_BYTES:
        return Declined(f"the run's files take more than {FILES_BYTES >> 20} MiB and cannot be recorded", "size")
    try:  # inputs as the snippets had them
        inputs = {name: unpack(pack(value, UNBOUNDED)) for name, value in run.inputs.items()}
    except Uncrossable as error:
        return Declined("its inputs cannot be handed to a snippet", "replay", shown(str(error)))
    run = replace(run, inputs=inputs, answer=answer_of(run))
    effects = {name: spec.effect != "read" for name, spec in around.tools.items()}
    effects |= {name: any(spec.effect != "read" for spec in skill.tools) for name, skill in around.skills.items()}
    declined = Declined("no step of the run computed the answer: the model wrote it", "answer", shown(run.answer))
    for sliced in slices(run, effects):
        try:
            found = _try(run, sliced, around)
        except (CodeactError, RecursionError) as error:
            found = Declined("it cannot be run again", "replay", shown(str(error)))
        if isinstance(found, Draft) or found.check in ("secrets", "dependence", "size"):
            return found
        declined = found
    return declined


def _try(run: Run, sliced: Sliced, around: Means) -> Draft | Declined:
    outside = {*around.tools, *around.skills, *run.inputs}
    program = with_return(join(list(sliced.nodes), outside=outside, inputs=run.inputs))
    if not any(isinstance(item, ast.Return) for node in program.body for item in ast.walk(node)):
        return Declined("the answer is given inside a helper function, not by the program itself", "answer")
    origin = Origin(run.task, run.inputs, run.answer, around.tools)
    plain = _plain(program, origin)
    function = generalise(program, origin)
    secret = secrets.find_in_code(plain.code)
    if secret is not None:
        return Declined(f"the code holds what looks like a secret: {secret}", "secrets", "pass it to a tool instead")
    calls = recorded(run, sliced.steps)
    found = _replayed(run, plain, program, calls, around)
    if isinstance(found, Declined):
        return found
    example = layout.reread(replace(found, arguments=function.arguments))
    with Trial(subject_of(function, program, around), around.files, isolation=around.isolation) as trial:
        declined = passes(trial, example, "arguments")
        if declined is None:
            declined = repeats(trial, example)
        if declined is None:
            declined = depends(trial, example)
    if declined is not None:
        return declined
    kept = clocked(trial.subject, example, around.isolation)
    if isinstance(kept, Declined):
        return kept
    return _drafted(run, (function, program), kept, origin=origin, around=around)


def _plain(program: Program, origin: Origin) -> Function:
    """The program as it was, with the inputs alone as parameters."""
    used = program.looks_up() | {
        item.id for node in program.body for item in ast.walk(node) if isinstance(item, ast.Name)
    }
    parameters = [
        FilledParameter(name, value, "object", required=True) for name, value in origin.inputs.items() if name in used
    ]
    return render(program, parameters, origin, name="recorded_run")


def _replayed(run: Run, plain: Function, program: Program, calls: list[ToolCall], around: Means) -> Example | Declined:
    example = Example(plain.arguments, tuple(calls), run.answer, run.task, around.files)
    with Trial(subject_of(plain, program, around), around.files, isolation=around.isolation) as trial:
        declined = passes(trial, example, "replay")
        if declined is None:
            declined = lost_effects(trial, _effects(run, calls, around))
        if declined is not None:
            return declined
        return replace(example, calls=trial.replay.taken())


def _effects(run: Run, calls: list[ToolCall], around: Means) -> list[ToolCall]:
    """The calls with an effect in the steps that went well: those must happen again."""
    well = [
        call
        for step in run.steps
        if step.observation is not None and step.observation.ok
        for call in step.observation.calls
    ]
    effective = {name for name, spec in around.tools.items() if spec.effect != "read"}
    return [
        call for call in calls if call.tool in effective and call.error is None and any(call is other for other in well)
    ]


def recorded(run: Run, steps: Collection[int]) -> list[ToolCall]:
    """The tool calls of these steps in their order."""
    return [
        call
        for step in run.steps
        if step.index in steps and step.observation is not None
        for call in step.observation.calls
    ]


def subject_of(function: Function, program: Program, around: Means) -> Subject:
    """What is put to the test: the function with exactly what it looks up."""
    names = program.looks_up()
    tools = tuple(spec for name, spec in sorted(around.tools.items()) if name in names)
    skills = tuple(sorted(name for name in names if name in around.skills))
    own = tuple(spec.name for spec in tools)
    source = SkillSource(function.name, function.code, imports=modules(program), tools=own, skills=skills)
    return subject(source, tools, around.skills)


def subject(source: SkillSource, tools: Collection[ToolSpec], skills: Mapping[str, Skill]) -> Subject:
    """A skill with all it calls, directly or through other skills."""
    ordered: dict[str, Skill] = {}

    def add(name: str) -> None:
        if name in skills and name not in ordered:
            for other in skills[name].skills:
                add(other)
            ordered[name] = skills[name]

    for name in source.skills:
        add(name)
    specs = {spec.name: spec for skill in ordered.values() for spec in skill.tools} | {
        spec.name: spec for spec in tools
    }
    tops = ast.parse(source.code).body
    asynchronous = any(isinstance(node, ast.AsyncFunctionDef) and node.name == source.name for node in tops)
    sources = tuple(skill.source for skill in ordered.values())
    return Subject(source, tuple(specs[name] for name in sorted(specs)), sources, asynchronous)


def modules(program: Program) -> tuple[str, ...]:
    """The modules a program imports, those imported within its functions too."""
    names: set[str] = set()
    for node in (*program.imports, *program.body, *program.helpers):
        for item in ast.walk(node):
            if isinstance(item, ast.Import):
                names |= {alias.name for alias in item.names}
            elif isinstance(item, ast.ImportFrom) and item.module:
                names.add(item.module)
    return tuple(sorted(names))


def _drafted(
    run: Run, passed: tuple[Function, Program], example: Example, *, origin: Origin, around: Means
) -> Draft | Declined:
    function, program = passed
    source = subject_of(function, program, around).source
    skill = Skill(
        name=function.name,
        code=function.code,
        description=function.description,
        signature=function.signature,
        tags=tags(program, source.tools),
        tools=tuple(around.tools[name] for name in source.tools),
        imports=source.imports,
        skills=source.skills,
        meaning=meaning_of(function.code),
        tasks=(run.task,),
        provenance=Provenance(run.task, run.model, run.id, datetime.now(UTC).date().isoformat()),
    )
    try:
        files = layout.write(skill, [example])
    except SkillError as error:
        return Declined("it cannot be recorded", "size", str(error))
    secret = secrets.find_in_recording(files["examples.jsonl"].decode())
    if secret is not None:
        return Declined(f"the recording holds what looks like {secret}", "secrets", "it would be written to disk")
    return Draft(skill, example, function, origin)


def renamed(found: Draft, name: str, words: str) -> Draft:
    """The draft under another name and with another sentence, its code else the same."""
    program, _, _ = parse(found.skill.code, found.skill.name)
    function = render(program, list(found.function.parameters), found.origin, name=name, words=words)
    skill = replace(found.skill, name=name, description=words, code=function.code, signature=function.signature)
    return replace(found, skill=skill, function=function)


def tags(program: Program, tools: Collection[str]) -> tuple[str, ...]:
    """What a skill works with: its tools, and the modules that are not of the standard library."""
    foreign = {name.partition(".")[0] for name in modules(program)} - set(sys.stdlib_module_names)
    return tuple(sorted({*tools, *foreign}))
