"""Recorded runs of several domains become skills: small, general, and giving what the run gave."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from codeact.limits import Policy
from codeact.records import Run
from codeact.session import Session
from codeact.skills.admit import function_of
from codeact.skills.encoding import same
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Promoted, Skill
from tests.skills.playing import Played, play
from tests.skills.runs import RUNS
from tests.skills.world import TOOLS

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")]
by_name = pytest.mark.parametrize("case", RUNS, ids=lambda case: case.name)


def promoted(case: Played, folder: Path) -> tuple[Skill, SkillLibrary, Run]:
    library = SkillLibrary(folder, isolation="inline")
    run = play(case)
    outcome = library.promote(run, files=case.files)
    assert isinstance(outcome, Promoted), outcome
    return outcome.skill, library, run


def live(skill: Skill, library: SkillLibrary, case: Played, arguments: dict) -> object:
    skills, policy = library.sources([skill.name]), Policy(imports=case.imports)
    with Session(TOOLS, isolation="inline", files=case.files, skills=skills, policy=policy) as session:
        session.assign({f"given_{name}": value for name, value in arguments.items()})
        wait = "await " if f"async def {skill.name}(" in skill.code else ""
        session.run("import copy")
        given = ", ".join(f"{name}=copy.deepcopy(given_{name})" for name in arguments)
        seen, again = (session.run(f"{wait}{skill.name}({given})") for _ in range(2))
        assert seen.ok, seen.failure
        assert same(again.value, seen.value), "a call left something behind for the next"
        return seen.value


@by_name
def test_a_run_becomes_a_skill_that_gives_its_answer_with_live_tools(case: Played, tmp_path: Path) -> None:
    skill, library, run = promoted(case, tmp_path)
    assert same(live(skill, library, case, dict(library.examples(skill.name)[0].arguments)), run.answer)


@by_name
def test_dead_ends_and_prints_are_gone(case: Played, tmp_path: Path) -> None:
    skill, _, _ = promoted(case, tmp_path)
    assert [word for word in case.gone if word in skill.code] == []


@pytest.mark.parametrize("case", [case for case in RUNS if case.takes is not None], ids=lambda case: case.name)
def test_what_came_from_the_task_and_the_inputs_is_a_parameter_and_nothing_else(case: Played, tmp_path: Path) -> None:
    skill, _, _ = promoted(case, tmp_path)
    assert tuple(item.name for item in function_of(skill, {}).parameters) == case.takes


@pytest.mark.parametrize("case", [case for case in RUNS if case.other is not None], ids=lambda case: case.name)
def test_a_skill_does_with_other_inputs_what_the_whole_run_would_have_done(case: Played, tmp_path: Path) -> None:
    skill, library, _ = promoted(case, tmp_path)
    other = {**case.inputs, **(case.other or {})}
    whole = play(case, inputs=other)
    taken = {item.name for item in function_of(skill, {}).parameters}
    arguments = {name: value for name, value in other.items() if name in taken}
    assert whole.ok
    assert same(live(skill, library, case, arguments), whole.answer)


def test_the_set_is_as_large_as_it_claims() -> None:
    assert len(RUNS) >= 40
    assert len({case.domain for case in RUNS}) >= 8


def test_a_skill_made_in_a_cage_is_the_one_made_without(tmp_path: Path) -> None:
    run = play(RUNS[0], "caged")
    caged = SkillLibrary(tmp_path / "caged").promote(run)
    inline = SkillLibrary(tmp_path / "inline", isolation="inline").promote(run)
    assert caged.skill.code == inline.skill.code


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run = play(RUNS[1])
    for place in ("one", "two"):
        SkillLibrary(tmp_path / place, isolation="inline").promote(run)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").glob("[a-z]*/*"))
    assert files
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


def test_a_skill_that_awaits_is_called_with_await(tmp_path: Path) -> None:
    case = next(case for case in RUNS if case.name == "async-prices")
    skill, library, _ = promoted(case, tmp_path)
    assert skill.code.count("async def") == 1
    assert asyncio.iscoroutinefunction(_defined(skill))
    assert library.verify()[0].ok


def _defined(skill: Skill) -> object:
    names: dict = {}
    exec(skill.code, names)
    return names[skill.name]
