"""Skills in the hands of an agent: offered, found, called, counted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from codeact import Agent, Budget, Session
from codeact.agent.finding import WITHIN_REACH
from codeact.errors import UsageError
from codeact.records import Message
from codeact.skills.library import SkillLibrary
from codeact.testing import ScriptedModel
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    fill(library, [skill("add_one", "Add one to a number."), skill("weigh_parcel", "Weigh a parcel.")])
    return library


def test_a_run_that_only_called_a_skill_is_one_more_use_of_it(library: SkillLibrary) -> None:
    run = agent(library, "final_answer(add_one(41))").run("Add one to the number 41")
    outcome = library.promote(run)
    assert outcome, outcome
    assert outcome.how == "example"
    assert [card.name for card in library.list()] == ["add_one", "weigh_parcel"]
    assert dict(library.examples("add_one")[-1].arguments) == {"number": 41}


def agent(library: SkillLibrary, *blocks: str, **options: object) -> Agent:
    replies = [f"```python\n{block}\n```" for block in blocks]
    return Agent(model=ScriptedModel(replies), skills=library, isolation="inline", runs=None, **options)


def system_text(library: SkillLibrary, task: str) -> str:
    seen: list[str] = []

    def look(messages: list[Message]) -> str:
        seen.append(str(messages[0].content))
        return "```python\nfinal_answer(1)\n```"

    model: Callable[[list[Message]], str] = look
    Agent(model=ScriptedModel(model), skills=library, isolation="inline", runs=None).run(task)
    return seen[0]


def add_one(number: int) -> str:
    """A tool that has the name of a skill."""
    return f"a tool was given {number}"


def test_a_tool_is_called_though_a_skill_has_its_name(library: SkillLibrary) -> None:
    fill(
        library,
        [replace(skill("add_two", "Add to a number twice.", body="return add_one(number)"), skills=("add_one",))],
    )
    run = agent(library, "final_answer(add_one(1))", tools=[add_one]).run("Add one to a number")
    assert run.answer == "a tool was given 1"
    assert [spec.name for spec in library.promote(run).skill.tools] == ["add_one"]
    refused = agent(library, "add_two(1)", "final_answer(0)", tools=[add_one]).run("Add to a number twice")
    assert refused.steps[0].observation.failure.type == "NameError"


def test_a_run_has_its_inputs_though_a_skill_has_the_name_of_one(library: SkillLibrary) -> None:
    run = agent(library, "final_answer(add_one)").run("Add one to a number", inputs={"add_one": 41})
    assert run.answer == 41


def test_a_session_is_refused_a_skill_with_the_name_of_a_tool(library: SkillLibrary) -> None:
    with pytest.raises(UsageError, match="'add_one' is the name of a tool"):
        Session([add_one], skills=library.sources(["add_one"]), isolation="inline")


@pytest.mark.parametrize("task", ["Final answer", "Search skills", "Show skill"])
def test_no_skill_gets_a_name_that_each_session_has(library: SkillLibrary, task: str) -> None:
    run = agent(library, "final_answer(sum(book))").run(task, inputs={"book": [1, 2]})
    assert library.promote(run).skill.name == f"{task.lower().replace(' ', '_')}_2"


def test_a_snippet_finds_a_skill_the_prompt_does_not_show(library: SkillLibrary) -> None:
    run = agent(library, "final_answer(search_skills('weigh my parcel'))").run("Add one to a number")
    assert "weigh_parcel(number: int)" in run.answer


def test_a_snippet_reads_a_skill_and_is_told_where_there_is_none(library: SkillLibrary) -> None:
    run = agent(library, "final_answer(show_skill('weigh_parcel'))").run("Add one to a number")
    assert "def weigh_parcel" in run.answer
    asked = agent(library, "show_skill('fly')", "final_answer(0)").run("Add one to a number")
    assert "there is no skill fly" in asked.steps[0].observation.failure.message


def test_a_quarantined_skill_is_not_shown(library: SkillLibrary) -> None:
    library.quarantine("weigh_parcel", "it weighed wrong")
    run = agent(library, "show_skill('weigh_parcel')", "final_answer(0)").run("Add one to a number")
    assert "it weighed wrong" in run.steps[0].observation.failure.message


def test_the_prompt_costs_the_same_with_a_few_skills_and_with_hundreds(tmp_path: Path) -> None:
    lengths = []
    for count in (10, 300):
        library = SkillLibrary(tmp_path / str(count), isolation="inline")
        fill(library, [skill(f"add_numbers_{number:03}", "Add one to a number.") for number in range(count)])
        lengths.append(len(system_text(library, "Add one to a number")))
    assert lengths[0] == lengths[1]


def test_skills_beyond_those_shown_are_functions_all_the_same(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path, isolation="inline")
    fill(library, [skill(f"add_numbers_{number:02}", "Add one to a number.") for number in range(WITHIN_REACH)])
    task = "Add one to a number"
    shown = system_text(library, task)
    hidden = next(card.name for card in library.list() if card.name not in shown)
    assert agent(library, f"final_answer({hidden}(4))").run(task).answer == 5


def right(answer: object) -> None:
    """A check that takes any answer."""


def test_a_use_that_led_to_a_checked_answer_counts_with_what_it_took(library: SkillLibrary) -> None:
    checked = agent(library, "x = add_one(1)", "final_answer(x)", final_answer_checks=[right])
    assert checked.run("Add one to a number").answer == 2
    used = library.usage()["add_one"]
    assert (used.uses, used.successes, used.failures) == (1, 1, 0)
    assert used.operations > 0
    assert used.wall_seconds > 0


def test_an_answer_nobody_checked_is_neither_a_success_nor_a_failure(library: SkillLibrary) -> None:
    assert agent(library, "final_answer(add_one(1))").run("Add one to a number").answer == 2
    used = library.usage()["add_one"]
    assert (used.uses, used.successes, used.failures) == (1, 0, 0)
    assert used.operations > 0


def test_a_skill_that_is_taken_away_while_a_run_uses_it_ends_no_run(library: SkillLibrary) -> None:
    def taken_away(answer: int) -> None:
        shutil.rmtree(library.root / "add-one")
        library.rebuild()

    run = agent(library, "final_answer(add_one(1))", final_answer_checks=[taken_away]).run("Add one to a number")
    assert (run.answer, library.usage()) == (2, {})


def test_where_answers_are_checked_an_unproven_skill_is_not_offered_to_a_run_that_checks_nothing(
    library: SkillLibrary,
) -> None:
    library.record_use("weigh_parcel", ok=True)
    assert "add_one" not in system_text(library, "Add one to a number")
    assert "weigh_parcel(number: int)" in system_text(library, "Weigh a parcel")
    checked = agent(library, "final_answer(add_one(1))", final_answer_checks=[right])
    assert checked.run("Add one to a number").answer == 2
    assert "add_one(number: int)" in system_text(library, "Add one to a number")


def test_where_nobody_ever_checks_an_answer_all_that_passed_the_gate_is_offered(library: SkillLibrary) -> None:
    agent(library, "final_answer(add_one(1))").run("Add one to a number")
    assert "add_one(number: int)" in system_text(library, "Add one to a number")


def test_a_use_whose_step_failed_counts_against_the_skill(library: SkillLibrary) -> None:
    agent(library, "add_one('x')", "final_answer(0)").run("Add one to a number")
    assert (library.usage()["add_one"].uses, library.usage()["add_one"].failures) == (1, 1)


def test_a_use_whose_answer_was_refused_counts_against_the_skill(library: SkillLibrary) -> None:
    def is_big(answer: int) -> str | None:
        return None if answer > 5 else "too small"

    run = agent(library, "final_answer(add_one(1))", "final_answer(9)", final_answer_checks=[is_big])
    assert run.run("Add one to a number").answer == 9
    assert (library.usage()["add_one"].uses, library.usage()["add_one"].failures) == (1, 1)


def test_a_use_in_a_run_that_never_answered_counts_against_the_skill(library: SkillLibrary) -> None:
    agent(library, "add_one(1)", "add_one(2)", budget=Budget(steps=2)).run("Add one to a number")
    assert (library.usage()["add_one"].uses, library.usage()["add_one"].failures) == (1, 1)


def test_a_snippet_that_was_refused_before_it_ran_says_nothing_of_a_skill(library: SkillLibrary) -> None:
    agent(library, "import socket\nadd_one(1)", "final_answer(0)").run("Add one to a number")
    assert "add_one" not in library.usage()
