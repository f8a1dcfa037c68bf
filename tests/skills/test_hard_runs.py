"""Runs nobody looked at while slicing was built: each becomes a skill that gives what the run gave, and never else."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.skills.admit import function_of
from codeact.skills.encoding import same
from tests.skills.hard_runs import HARD
from tests.skills.live_runs import LIVE
from tests.skills.odd_runs import ODD
from tests.skills.playing import ORDERS, PEOPLE, Played, play
from tests.skills.test_runs import live, promoted

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")]


def kept_of(task: str, code: str, folder: Path) -> tuple[dict[str, object], str]:
    """The parameters with a default, and the sentence, of the skill that a run about people becomes."""
    skill, _, _ = promoted(Played("said", "people", task, (code,), {"people": PEOPLE}), folder)
    taken = {item.name: item.value for item in function_of(skill, {}).parameters if not item.required}
    return taken, skill.description


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


@pytest.mark.parametrize(
    ("task", "code", "takes", "says"),
    [
        ("Pay back a loan of $250,000 at 4.5% over 30 years; how much is that?", "P = 250000\nr = 0.045 / 12\nfinal_answer(P * (1 + r) * 30)",
         {"loan": 250000, "rate": 0.045, "years": 30}, "Pay back a loan of $`loan` at `rate` over `years` years; how much is that."),
        ("Give the three longest names with at least four letters",
         "names = [p['name'] * 2 for p in people]\nfound = [name for name in names if len(name) >= 4]\nfinal_answer(sorted(found)[:3])",
         {"min_length": 4, "count": 3}, "Give the `count` longest names with at least `min_length` letters."),
        ("Add a VAT of 19 percent to the salaries", "from decimal import Decimal\nfinal_answer(sum(p['salary'] for p in people) * (1 + Decimal('0.19')))",
         {"rate": "0.19"}, "Add a VAT of `rate` to the salaries."),
        ("Who came before 2020-01-01?", "from datetime import date\nday0 = date.fromisoformat('2020-01-01')\nfinal_answer([p['name'] for p in people if date.fromisoformat(p['since']) < day0])",
         {"day": "2020-01-01"}, "Find who came before `day`."),
        ("List 3 of the people who earn over 3,000", "final_answer([p['name'] for p in people if p['salary'] > 3000][:3])",
         {"min_salary": 3000, "count": 3}, "List `count` of the people who earn over `min_salary`."),
    ],
)  # fmt: skip
def test_numbers_the_task_says_in_another_way_are_parameters_and_said_by_their_names(
    tmp_path: Path, task: str, code: str, takes: dict, says: str
) -> None:
    assert kept_of(task, code, tmp_path) == (takes, says)


_HIRED = "[p['name'] for p in people if date.fromisoformat(p['since']) {} {}]"


@pytest.mark.parametrize(
    ("task", "code", "takes", "says"),
    [
        ("Who was hired between 2015-01-01 and 2020-03-31?",
         "from datetime import date\nstart, end = date(2015, 1, 1), date(2020, 3, 31)\n"
         f"final_answer({_HIRED.format('>=', 'start')} + {_HIRED.format('>', 'end')})",
         {"day": "2015-01-01", "other_day": "2020-03-31"}, "Find who was hired between `day` and `other_day`."),
        ("Who was hired before 2020-01-03, by 3 days or more?",
         "import datetime as dt\nfrom datetime import date\nlimit = dt.date(2020, 1, 3)\n"
         "final_answer([p['name'] for p in people if (limit - date.fromisoformat(p['since'])).days >= 3])",
         {"limit": "2020-01-03", "min_days": 3}, "Find who was hired before `limit`, by `min_days` days or more."),
        ("工资大于5000的人有几个", "final_answer(len([p for p in people if p['salary'] > 5000]))", {"min_salary": 5000}, "工资大于`min_salary`的人有几个."),
        ("统计core团队的人数", "final_answer(len([p for p in people if p['team'] == 'core']))", {"team": "core"}, "统计`team`团队的人数."),
        ("Compare the teams core and web", "both = [[p['name'] for p in people if p['team'] == team] for team in ('core', 'web')]\nfinal_answer(both)",
         {"teams": ("core", "web")}, "Compare the teams `teams`."),
    ],
)  # fmt: skip
def test_a_day_is_one_parameter_and_no_number_and_what_no_space_sets_apart_is_found(
    tmp_path: Path, task: str, code: str, takes: dict, says: str
) -> None:
    assert kept_of(task, code, tmp_path) == (takes, says)
