"""What the gate refuses, with the check that refused it and what it saw."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from codeact.agent import Agent, replay
from codeact.records import Observation, Run, Step, ToolCall
from codeact.session import Session
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Declined, Promoted
from codeact.skills.recording import changed
from codeact.testing import ScriptedModel
from tests.skills.playing import ORDERS, Played, play
from tests.skills.runs import RUNS

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


def outcome(tmp_path: Path, task: str, *steps: str, inputs: dict | None = None, **changes: object) -> object:
    run = play(Played("test", "test", task, steps, inputs or {}))
    library = SkillLibrary(tmp_path, isolation="inline")
    found = library.promote(replace(run, **changes))
    if isinstance(found, Declined):
        assert [path for path in tmp_path.iterdir() if not path.name.startswith(".")] == []
    return found


def test_an_answer_the_model_copied_from_what_it_saw_is_no_skill(tmp_path: Path) -> None:
    found = outcome(
        tmp_path, "Add the amounts", "sum(o['amount'] for o in book)", "final_answer(550.75)", inputs={"book": ORDERS}
    )
    assert isinstance(found, Declined)
    assert found.check == "dependence"
    assert "550.75" in found.evidence


@pytest.mark.parametrize(
    ("steps", "options"),
    [
        (["final_answer(str(sum(o['amount'] for o in book)))"], {"output_type": float}),
        (
            ["x = [o['amount'] for o in book]\nfinal_answer(x)", "final_answer(sum(x))"],
            {"final_answer_checks": [lambda answer: None if isinstance(answer, float) else "one number"]},
        ),
        (["final_answer([o['amount'] for o in book])"], {"final_answer_checks": [lambda answer: answer.clear()]}),
    ],
    ids=["of another type", "refused first", "changed by a check"],
)
def test_an_answer_that_was_judged_becomes_a_skill_by_what_the_code_gave(tmp_path, steps, options) -> None:
    agent = Agent(ScriptedModel([f"```python\n{step}\n```" for step in steps]), runs=tmp_path / "runs", **options)
    run = agent.run("Add the amounts", inputs={"book": ORDERS})
    assert SkillLibrary(tmp_path / "a").promote(run)
    assert SkillLibrary(tmp_path / "b").promote(replay(run.journal))


def test_a_helper_that_reads_an_input_by_itself_is_part_of_the_skill(tmp_path: Path) -> None:
    steps = (
        "def amounts():\n    return [o['amount'] for o in book]",
        "def total():\n    return sum(amounts())\nfinal_answer(total())",
    )
    found = outcome(tmp_path, "Add the amounts", *steps, inputs={"book": ORDERS})
    assert isinstance(found, Promoted), found
    with Session(isolation="inline", skills=[found.skill.source]) as session:
        assert session.run(f"{found.skill.name}([{{'amount': 2}}, {{'amount': 3}}])").value == 5


def test_a_tool_that_was_looked_at_and_not_used_is_no_dependence(tmp_path: Path) -> None:
    steps = ("x = exchange_rate('EUR', 'USD')\nx", "unused = x * 0\nfinal_answer(len(book) + int(unused))")
    found = outcome(tmp_path, "Count the orders", *steps, inputs={"book": ORDERS})
    assert isinstance(found, Declined)
    assert found.check == "dependence"
    assert "exchange_rate" in found.reason


def test_a_run_without_an_answer_is_no_skill(tmp_path: Path) -> None:
    found = outcome(tmp_path, "Add", "1 + 1")
    assert isinstance(found, Declined)
    assert found.check == "answer"


def test_an_answer_the_run_did_not_give_is_noticed(tmp_path: Path) -> None:
    steps = ("final_answer(sum(o['amount'] for o in book))",)
    run = play(Played("test", "test", "Add the amounts", steps, {"book": ORDERS}))
    given = replace(run.steps[0], observation=replace(run.steps[0].observation, answer=1.0))
    found = SkillLibrary(tmp_path, isolation="inline").promote(replace(run, steps=(given,)))
    assert isinstance(found, Declined)
    assert found.check == "replay"
    assert "550.75" in found.evidence


def test_a_recording_that_lacks_a_call_is_noticed(tmp_path: Path) -> None:
    run = play(RUNS[0])
    bare = tuple(replace(step, observation=replace(step.observation, calls=())) for step in run.steps)
    found = SkillLibrary(tmp_path, isolation="inline").promote(replace(run, steps=bare))
    assert isinstance(found, Declined)
    assert "exchange_rate" in found.evidence


@pytest.mark.parametrize(
    "code",
    [
        "key = 'AKIAIOSFODNN7EXAMPLE'\nfinal_answer(len(book) + len(key))",
        "password = 'hunter2-and-more!'\nfinal_answer(len(book) + len(password))",
        "url = 'https://me:s3cr3t-word@example.org/'\nfinal_answer(len(book) + len(url))",
    ],
)
def test_a_program_with_a_secret_in_it_is_refused(tmp_path: Path, code: str) -> None:
    found = outcome(tmp_path, "Count the orders", code, inputs={"book": ORDERS})
    assert isinstance(found, Declined)
    assert found.check == "secrets"


def test_a_secret_in_an_input_is_not_written_to_disk(tmp_path: Path) -> None:
    found = outcome(tmp_path, "Measure the key", "final_answer(len(key))", inputs={"key": "ghp_" + "a1B2" * 10})
    assert isinstance(found, Declined)
    assert found.check == "secrets"


def test_a_literal_secret_is_named_by_kind_and_not_repeated(tmp_path: Path) -> None:
    found = outcome(
        tmp_path, "Count", "k = 'AKIAIOSFODNN7EXAMPLE'\nfinal_answer(len(book) + len(k))", inputs={"book": ORDERS}
    )
    assert isinstance(found, Declined)
    assert "AWS" in found.reason
    assert "AKIA" not in repr(found)


def test_a_call_with_an_effect_stays_though_its_result_is_not_used(tmp_path: Path) -> None:
    steps = ("low = [p for p in parts if stock_of(p) < 20]", "send_message('buyer', str(low))", "final_answer(low)")
    found = outcome(tmp_path, "Tell the buyer what is low", *steps, inputs={"parts": ["bolt", "nut"]})
    assert found
    assert "send_message(" in found.skill.code


def test_a_reading_call_whose_result_is_not_used_goes(tmp_path: Path) -> None:
    steps = ("n = stock_of('bolt')", "m = stock_of('nut')", "final_answer(m)")
    found = outcome(tmp_path, "How many nut are there?", *steps)
    assert found
    assert found.skill.code.count("stock_of(") == 1


def test_a_call_that_leaves_an_argument_out_is_answered_by_the_one_that_did(tmp_path: Path) -> None:
    steps = ("print(forecast('Rome', 3))\nnow = forecast('Rome')", "final_answer(now['celsius'] * 2)")
    found = outcome(tmp_path, "Double the degrees", *steps)
    assert isinstance(found, Promoted), found


@pytest.mark.parametrize(
    ("task", "code", "other", "wanted"),
    [
        ("What follows 'red'?", "match k[:2]:\n    case ['red', x]:\n        final_answer(x)", ["tan", "blue"], None),
        (
            "Count the 'red' ones",
            "n = 0\nfor x in k:\n    match x:\n        case 'red':\n            n += 1\nfinal_answer(n)",
            ["tan"],
            0,
        ),
        (
            "Count what is 'red'",
            "n = 0\nfor x in k:\n    match {x: 1}:\n        case {'red': 1}:\n            n += 1\nfinal_answer(n)",
            ["tan"],
            0,
        ),
        (
            "Find 'red'",
            "n = 'red'\nfor x in k:\n    match x:\n        case 'red wine':\n            n = x\nfinal_answer([n, *k])",
            ["tan"],
            ["red", "tan"],
        ),
    ],
)
def test_a_value_of_the_task_that_is_matched_is_matched_in_the_skill_too(
    tmp_path: Path, task: str, code: str, other: list[str], wanted: object
) -> None:
    found = outcome(tmp_path, task, code, inputs={"k": ["red", "blue"]})
    assert isinstance(found, Promoted), found
    with Session(isolation="inline", skills=[found.skill.source]) as session:
        assert session.run(f"{found.skill.name}({other})").value == wanted


def test_what_a_failed_step_assigned_before_it_failed_is_kept(tmp_path: Path) -> None:
    steps = ("total = sum(o['amount'] for o in book)\ntotal / 0", "final_answer(total * 2)")
    found = outcome(tmp_path, "Double the total", *steps, inputs={"book": ORDERS})
    assert found
    assert "/ 0" not in found.skill.code


def test_a_step_that_was_rolled_back_left_nothing(tmp_path: Path) -> None:
    run = play(Played("r", "r", "Count", ("n = len(book)", "final_answer(n)"), {"book": ORDERS}))
    lost = Step(9, "", "n = 99\nwhile True: pass", Observation(ok=False, rolled_back=True))
    found = SkillLibrary(tmp_path, isolation="inline").promote(replace(run, steps=(run.steps[0], lost, run.steps[1])))
    assert found
    assert "99" not in found.skill.code


def test_an_answer_in_words_is_traced_to_the_step_that_computed_it(tmp_path: Path) -> None:
    run = play(Played("w", "w", "Add the amounts", ("sum(o['amount'] for o in book)", "len(book)"), {"book": ORDERS}))
    said = replace(run, ended="answered", answer="Together that is 550.75.")
    found = SkillLibrary(tmp_path, isolation="inline").promote(said)
    assert found
    assert "len(book)" not in found.skill.code


def test_an_answer_given_within_a_loop_is_returned_from_it(tmp_path: Path) -> None:
    code = "for o in book:\n    if o['amount'] > 300:\n        final_answer(o['id'])"
    found = outcome(tmp_path, "Which order is above 300?", code, inputs={"book": ORDERS})
    assert found
    assert "return o['id']" in found.skill.code


_MAIN = "def main():\n    total = sum(o['amount'] for o in book)\n    print(total)\n    final_answer(total)"
_GUARDED = "if __name__ == '__main__':\n    main()"


@pytest.mark.parametrize(
    "steps",
    [
        (f"{_MAIN}\nmain()",),
        (_MAIN, "len(book)", _GUARDED),
        (f"import asyncio\nasync {_MAIN}\nasyncio.run(main())",),
        (f"async {_MAIN}\nawait main()",),
        ("def give(what):\n    final_answer(what)\ngive(sum(o['amount'] for o in book))\nlen(book)",),
    ],
)
def test_an_answer_given_within_a_function_is_returned_by_it_and_by_its_caller(
    tmp_path: Path, steps: tuple[str, ...]
) -> None:
    found = outcome(tmp_path, "Add the amounts", *steps, inputs={"book": ORDERS})
    assert isinstance(found, Promoted), found
    assert "final_answer" not in found.skill.code
    assert "len(" not in found.skill.code


@pytest.mark.parametrize(
    "call", ["give(1)\ngive(400)", "for o in book: give(o['amount'])", "await give(1)\nawait give(400)"]
)
def test_a_function_that_may_answer_at_one_of_several_calls_is_declined(tmp_path: Path, call: str) -> None:
    code = f"{'async ' * ('await' in call)}def give(what):\n    if what > 300:\n        final_answer(what)\n{call}"
    found = outcome(tmp_path, "Which amount is above 300?", code, inputs={"book": ORDERS})
    assert isinstance(found, Declined)
    assert found.check == "answer"


def test_the_recorded_use_of_a_skill_that_reads_the_clock_passes_on_any_day(tmp_path: Path) -> None:
    code = "from datetime import date\nfinal_answer((date.today() - launch).days)"
    found = outcome(tmp_path, "How many days since the launch?", code, inputs={"launch": date(2020, 1, 1)})
    assert isinstance(found, Promoted), found
    library = SkillLibrary(tmp_path, isolation="inline")
    (example,) = library.examples(found.skill.name)
    assert (example.answer, example.fixed_clock) == ((date(2024, 1, 1) - date(2020, 1, 1)).days, True)
    assert [checked.ok for checked in library.verify()] == [True]


def test_what_asks_a_tool_for_today_is_declined_as_it_could_not_be_run_again(tmp_path: Path) -> None:
    code = "from datetime import date\nfinal_answer(due_dates(date.today(), 2)[1].isoformat())"
    found = outcome(tmp_path, "When is the next one due?", code)
    assert isinstance(found, Declined)
    assert found.check == "recordings"


def test_a_run_that_was_not_recorded_at_all_is_declined_in_words(tmp_path: Path) -> None:
    found = SkillLibrary(tmp_path, isolation="inline").promote(Run("r", "Say hello", {}, "answered", "hello"))
    assert isinstance(found, Declined)
    assert found.check == "answer"


@pytest.mark.parametrize("typed", ["0", "False", "'none'"])
def test_an_answer_that_was_typed_in_stays_a_copy_however_the_tool_answers(tmp_path: Path, typed: str) -> None:
    steps = ("have = stock_of('bolt')\nhave >= 5000", f"final_answer({typed})")
    found = outcome(tmp_path, "Are there at least 5000 bolts?", *steps)
    assert isinstance(found, Declined)
    assert found.check == "dependence"


def test_what_the_program_compares_with_is_tried_as_an_answer_of_its_tools() -> None:
    call = ToolCall("stock_of", {"part": "bolt"}, {"left": 40, "kind": ["steel"], "open": True})
    results = [calls[0].result for calls in changed([call], "stock_of", [5000, "brass"])]
    for wanted in ({"left": 5001, "kind": ["steel"], "open": True}, {"left": 40, "kind": ["brass"], "open": True},
                   {"left": 40, "kind": ["steel brass"], "open": True}):  # fmt: skip
        assert wanted in results


def test_a_skill_whose_next_call_would_give_another_answer_is_refused(tmp_path: Path) -> None:
    steps = (
        "import decimal",
        "c = decimal.getcontext()\nc.prec += len(book)",
        "final_answer(decimal.getcontext().prec)",
    )
    found = outcome(tmp_path, "Count the digits", *steps, inputs={"book": ORDERS})
    assert isinstance(found, Declined)
    assert (found.check, found.evidence) == ("arguments", "first 32, then 36")
