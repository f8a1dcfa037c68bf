"""What a run is asked to do, and what is put in place for it before the first question."""

from __future__ import annotations

import contextlib
import datetime
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import codeact
from codeact import events
from codeact.agent import handed_in
from codeact.agent.answers import Accept, wanted
from codeact.agent.binding import noted
from codeact.agent.calls import Calls
from codeact.agent.course import Course
from codeact.agent.effects import Decision, Effects, changed
from codeact.agent.finding import How, choose, skill_tools
from codeact.agent.handed_in import Files, pictures_in, size_of
from codeact.agent.ledger import Ledger
from codeact.agent.nesting import Caller, PausedInside
from codeact.agent.own_tools import ask_model_tool, search_tools_tool
from codeact.agent.tape import Tape
from codeact.agent.uses import Uses
from codeact.errors import UsageError
from codeact.journal import Journal
from codeact.journal.hidden import secrets_of
from codeact.limits import Budget
from codeact.memory import Memory
from codeact.models import Model, Stop
from codeact.prompts.system import are_listed, system_prompt
from codeact.prompts.task import task_message
from codeact.records import File, RunCost, SkillSource, whole
from codeact.session import Session
from codeact.session.settings import Listener
from codeact.snippet.sayable import is_sayable
from codeact.toolbox import Tool, Toolbox

if TYPE_CHECKING:
    import asyncio

    from codeact.agent.agent import Agent

Emit = Callable[[events.Event], object]


@dataclass(frozen=True, slots=True)
class Asked:
    """One task with what comes along; `record` is where its journal goes, None for none."""

    task: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Path | bytes] = field(default_factory=dict)
    record: Path | None = None
    id: str = ""
    skills: tuple[SkillSource, ...] | None = None  # None: searched for
    offered: tuple[str, ...] = ()  # of these skills, what the prompt shows
    dry_run: bool = False
    deterministic: bool = False
    seed: int = field(default_factory=lambda: secrets.randbits(62))  # recorded: what draws from chance draws the same


def asked(task: str, inputs: Mapping[str, Any] | None, files: Files) -> Asked:
    """Give what is asked, with its files looked at; UsageError says what cannot be read."""
    if not isinstance(task, str) or not task.strip():
        raise UsageError("run(task): a text that says what is to be done is needed")
    if not isinstance(inputs, Mapping | None):
        raise UsageError(f"run(inputs={inputs!r:.80}): a mapping of name to value is needed")
    found = handed_in.given(files)
    if unsayable := [name for name in inputs or {} if not is_sayable(name)]:
        raise UsageError(f"run(inputs=…): {unsayable[0]!r:.80} is no variable's name")
    return Asked(whole(task), dict(inputs or {}), found, id=_new_id())


def writable(runs: Path) -> Path:
    """Give the folder for recordings; one of the system's for temporary files where that cannot be written."""
    with contextlib.suppress(OSError):  # a read-only folder is no reason not to run; the record says where it went
        runs.mkdir(parents=True, exist_ok=True)
        if os.access(runs, os.W_OK):
            return runs
    try:
        return Path(tempfile.mkdtemp(prefix="codeact-runs-"))
    except OSError as error:
        problem = f"the record of a run can be written neither to {runs} nor to a temporary folder ({error.strerror})"
        raise UsageError(f"{problem}. Name another folder with runs=…, or keep no record with runs=None") from error


def _new_id() -> str:
    """Give a name for a run: when it began, and what tells it from others of that second."""
    return f"{datetime.datetime.now(datetime.UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"


@dataclass(slots=True)
class Setting:
    """Where and how a run happens: what tells of it, what stops it, what it plays back."""

    emit: Emit
    stop: Stop
    tape: Tape = field(default_factory=Tape)
    journal: Journal | None = None
    loop: asyncio.AbstractEventLoop | None = None
    outer: Ledger | None = None
    above: Effects | None = None  # of the run that this one is a tool call of
    waiting: tuple[str, Mapping[str, Any]] | None = None  # the call a paused run waits at
    inside: PausedInside | None = None  # where that is an agent, the run that waits in it
    decision: Decision | None = None  # what somebody said about it
    needs: frozenset[str] = frozenset()  # the tools the run had so far
    seconds_used: float = 0.0  # by the parts of this run before it was interrupted
    used: RunCost = field(default_factory=RunCost)  # by them, beside replies and steps

    def ledger(self, budget: Budget) -> Ledger:
        """Give the account of the run, whose time begins now and is over for both: the account and whoever waits."""
        ledger = Ledger(budget, clock=self.stop.clock, outer=self.outer, seconds_used=self.seconds_used, used=self.used)
        self.stop.limit(ledger.seconds_left)
        return ledger


@contextlib.contextmanager
def prepared(agent: Agent, task: Asked, setting: Setting, model: Model) -> Iterator[Course]:
    """Give the run on its course; its session ends with the block, whatever happens in it."""
    ledger = setting.ledger(agent.budget)
    if callable(prepare := getattr(model, "prepare", None)) and not setting.tape.only:
        prepare()
    own = _tools(agent, model, ledger, setting.stop)
    found = _skills(agent, task, Toolbox(own), setting)
    found = replace(found, tools=[*own, *found.tools])
    tools, names = found.tools, frozenset(source.name for source in found.sources)
    _refuse_to_go_on(tools, setting)
    stubs = agent.skills.stubs(found.offered) if agent.skills is not None else ""
    setting.journal = _journal(agent, task, model, found=found, setting=setting)
    calls = _begun(agent, task, setting, ledger)
    setting.emit(events.RunStarted(task.id, task.task, model.name, setting.journal.path if setting.journal else None))
    for text in found.warnings:
        setting.emit(events.Warned(text))
    if found.offered:
        setting.emit(events.SkillsFound(found.offered))
    watched = [noted(calls.watched(tool), calls, setting.tape, setting.journal) for tool in tools]
    with _session(agent, task, watched, found.sources, _recording_clocks(calls, setting.journal)) as session:
        setting.stop.clock.others.append(session.clock)
        if setting.journal is not None:
            setting.journal.append("ready")  # from here on the time is the model's and the code's
        yield Course(
            model=model,
            session=session,
            memory=_memory(agent, task, tools, stubs),
            ledger=ledger,
            journal=setting.journal,
            calls=calls,
            tape=setting.tape,
            stop=setting.stop,
            emit=setting.emit,
            tool_names=frozenset(tool.name for tool in tools) | names,
            accept=Accept(agent.output_type, agent.final_answer_checks),
            uses=Uses(agent.skills, names, checked=bool(agent.final_answer_checks)),
            loop=setting.loop,
            candidates=agent.candidates,
        )


def _begun(agent: Agent, task: Asked, setting: Setting, ledger: Ledger) -> Calls:
    """Give what stands between the session and the tools; what else is used goes into the journal."""
    if (journal := setting.journal) is not None:
        ledger.besides = lambda cost: journal.append("charged", cost=cost)
    effects = Effects(agent.approve, task.dry_run, setting.waiting, setting.decision, agent.approval_seconds)
    if (above := setting.above) is not None and agent.approve is None:
        effects.approve, effects.seconds, effects.questions = above.approve, above.seconds, above.questions
    calls = Calls(Caller(ledger, setting.stop, setting.emit, effects), setting.tape, journal)
    calls.inside = setting.inside
    return calls


def _recording_clocks(calls: Calls, journal: Journal | None) -> Listener:
    """What records the readings of clocks in the steps of the run: where one is run again, they are the same."""

    def clocks_read(readings: list[int]) -> None:
        if calls.live and journal is not None:  # else a candidate is tried
            journal.append("clock", step=calls.step, readings=readings)

    return Listener(clocks_read=clocks_read)


def _session(
    agent: Agent, task: Asked, tools: Sequence[Tool], skills: Sequence[SkillSource], listener: Listener
) -> Session:
    session = Session(
        tools,
        listener=listener,
        policy=agent.policy,
        limits=replace(agent.limits, operations=min(agent.limits.operations, agent.budget.operations)),
        files=task.files,
        skills=skills,
        isolation=agent.isolation,
        without=agent.without,
        seed=task.seed,
        deterministic=task.deterministic,
    )
    try:
        if task.inputs:
            session.assign(task.inputs)
    except BaseException:
        session.close()
        raise
    return session


def _tools(agent: Agent, model: Model, ledger: Ledger, stop: Stop) -> list[Tool]:
    tools = list(Toolbox(agent.tools).tools.values())
    if agent.ask_model:
        tools.append(ask_model_tool(model, ledger, stop))
    if not are_listed([tool.stub for tool in tools]):
        tools.append(search_tools_tool(tools))
    return tools


def _skills(agent: Agent, task: Asked, toolbox: Toolbox, setting: Setting) -> Found:
    """The skills of a run: those recorded where it is gone on with, else those that fit its task."""
    if agent.skills is None:
        return Found(task.skills or (), ())
    specs = {spec.name: spec for spec in toolbox.specs}
    checked, heard = bool(agent.final_answer_checks), list[str]()
    if task.skills is not None:
        found = Found(task.skills, task.offered)
    else:
        how = How(checked=checked, warn=heard.append)
        found = Found(*choose(agent.skills, task.task, agent.skill_count, specs, task.inputs, **how))
    if not found.sources and not agent.skills.list():
        return found
    how = How(checked=checked, warn=lambda text: setting.emit(events.Warned(text)))
    return replace(found, tools=skill_tools(agent.skills, specs, found.sources, **how), warnings=tuple(heard))


@dataclass(frozen=True, slots=True)
class Found:
    """The skills a session defines, the names of those the prompt shows, and the tools it has."""

    sources: tuple[SkillSource, ...]
    offered: tuple[str, ...]
    tools: Sequence[Tool] = ()
    warnings: tuple[str, ...] = ()


def _memory(agent: Agent, task: Asked, tools: Sequence[Tool], stubs: str) -> Memory:
    system = system_prompt(
        [tool.stub for tool in tools], skills=stubs, imports=agent.policy.imports, instructions=agent.instructions
    )
    answer, files = wanted(agent.output_type), [File(name, size_of(content)) for name, content in task.files.items()]
    message = task_message(task.task, inputs=task.inputs, files=files, dry_run=task.dry_run, answer=answer)
    return Memory(system, message, token_budget=agent.memory_tokens, images=pictures_in(task.files))


def _refuse_to_go_on(tools: Sequence[Tool], setting: Setting) -> None:
    """Raise UsageError where tools of the run are gone, or a paused call cannot be made with what it was given."""
    if lacking := sorted(setting.needs - {tool.name for tool in tools}):
        raise UsageError(f"the run was recorded with tools that are not there: {', '.join(lacking)}")
    if setting.waiting is None or setting.inside is not None or not isinstance(setting.decision, Mapping):
        return
    name = setting.waiting[0]
    for tool in tools:
        if tool.name == name:
            changed(tool, setting.decision)


def _journal(agent: Agent, task: Asked, model: Model, *, found: Found, setting: Setting) -> Journal | None:
    hidden = secrets_of(getattr(model, "settings", {}))
    if setting.journal is not None:  # the run is gone on with
        setting.journal.leave_out(hidden)
        return setting.journal
    if task.record is None:
        return None
    return Journal.create(
        task.record,
        secrets=hidden,
        clock=setting.stop.clock,
        id=task.id,
        task=task.task,
        model=model.name,
        replies=getattr(model, "provenance", f"given by {model.name}"),
        at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        codeact=codeact.__version__,
        inputs=dict(task.inputs),
        files=handed_in.written(task.files),
        tools=[tool.spec for tool in found.tools],
        skills=list(found.sources),
        offered=list(found.offered),
        imports=list(agent.policy.imports),
        limits=agent.limits,
        budget=agent.budget,
        seed=task.seed,
        dry_run=task.dry_run,
        approve=agent.approve is not None,
        deterministic=task.deterministic,
    )
