"""Runs nobody looked at while slicing was built: each becomes a skill that gives what the run gave, and never else."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.skills.admit import function_of
from codeact.skills.encoding import same
from tests.skills.hard_runs import HARD
from tests.skills.live_runs import LIVE
from tests.skills.odd_runs import ODD
from tests.skills.playing import ORDERS, Played, play
from tests.skills.test_runs import live, promoted

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")]


@pytest.mark.parametrize("case", [*HARD, *ODD, *LIVE], ids=lambda case: case.name)
def test_a_hard_run_becomes_a_skill_that_does_what_the_whole_run_does(case: Played, tmp_path: Path) -> None:
    skill, library, run = promoted(case, tmp_path)
    assert same(live(skill, library, case, dict(library.examples(skill.name)[0].arguments)), run.answer)
    assert [word for word in case.gone if word in skill.code] == []
    if case.other is None:
        return
    other = {**case.inputs, **case.other}
    taken = {item.name for item in function_of(skill, {}).parameters}
    arguments = {name: value for name, value in other.items() if name in taken}
    assert same(live(skill, library, case, arguments), play(case, inputs=other).answer)


@pytest.mark.parametrize(
    ("name", "takes"),
    [("seeded-chance", ("book", "seed", "samples")), ("counter-by-global", ("text", "min_length")),
     ("input-mutated", ("menu", "wanted")), ("conditional-tool", ("city", "other_city")),
     ("limits-in-a-tuple", ("book", "low", "high")), ("percent-of-the-task", ("book", "percent")),
     ("parts-of-a-date", ("people", "year", "month", "day"))],
)  # fmt: skip
def test_parameters_are_called_what_the_task_calls_them(name: str, takes: tuple[str, ...], tmp_path: Path) -> None:
    skill, _, _ = promoted(next(case for case in (*HARD, *ODD) if case.name == name), tmp_path)
    assert tuple(item.name for item in function_of(skill, {}).parameters) == takes


def test_a_number_the_task_says_twice_is_not_called_what_one_of_them_is(tmp_path: Path) -> None:
    steps = ("final_answer([o['id'] for o in book if o['amount'] > 3][:3])",)
    skill, _, _ = promoted(Played("twice", "orders", "List the 3 orders over 3", steps, {"book": ORDERS}), tmp_path)
    assert skill.description == "List the 3 orders over 3."
