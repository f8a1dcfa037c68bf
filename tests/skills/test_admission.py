"""Same or better: a run that does the same adds a use, one that differs in constants makes a version."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from codeact.errors import SkillError, UsageError
from codeact.records import Run, Step
from codeact.session import Session
from codeact.skills import admit
from codeact.skills.library import SkillLibrary
from codeact.skills.meaning import meaning_of
from codeact.skills.record import Promoted
from codeact.skills.scope import copied
from tests.skills.playing import ORDERS, Played, play
from tests.skills.runs import RUNS
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


def run(task: str, *steps: str, name: str = "run") -> Run:
    return play(Played(name, "orders", task, steps, {"book": ORDERS}))


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    return SkillLibrary(tmp_path, isolation="inline")


def test_the_same_run_again_changes_nothing(library: SkillLibrary) -> None:
    one = run("Count the orders over 100", "final_answer(len([o for o in book if o['amount'] > 100]))")
    first = library.promote(one)
    again = library.promote(one)
    assert (first.how, again.how) == ("new", "example")
    assert len(library.examples(first.skill.name)) == 1


def test_the_same_method_with_other_values_and_names_is_one_more_use(library: SkillLibrary) -> None:
    first = library.promote(
        run("Count the orders over 100", "final_answer(len([o for o in book if o['amount'] > 100]))")
    )
    second = library.promote(
        run(
            "Count the orders over 50",
            "bound = 50\nbig = [x for x in book if x['amount'] > bound]",
            "final_answer(len(big))",
        )
    )
    third = library.promote(run("Count the orders over 90", "final_answer(len([x for x in book if x['amount'] > 90]))"))
    assert third.how == "example"
    assert third.skill.name == first.skill.name
    assert second.how == "new"  # it is written otherwise: two statements, not one
    assert [dict(item.arguments)["min_amount"] for item in library.examples(first.skill.name)] == [100, 90]


def test_where_two_runs_differ_is_a_parameter(library: SkillLibrary) -> None:
    first = library.promote(
        run("Sum the open orders", "final_answer(sum(o['amount'] for o in book if o['region'] == 'north'))")
    )
    assert "'north'" in first.skill.code
    second = library.promote(
        run("Sum more orders", "final_answer(sum(o['amount'] for o in book if o['region'] == 'west'))")
    )
    assert isinstance(second, Promoted)
    assert second.how == "version"
    assert second.skill.version == 2
    assert second.skill.signature == "sum_open_orders(book: list[dict], region: str = 'north') -> float"
    assert library.versions(first.skill.name) == [1, 2]
    assert library.get(first.skill.name, version=1).code == first.skill.code
    assert all(checked.ok for checked in library.verify())
    assert library.examples(first.skill.name)[1].arguments["region"] == "west"


def summed(region: str, least: int, task: str = "Sum chosen orders") -> Run:
    wanted = f"o['region'] == '{region}' and o['amount'] > {least}"
    return run(task, f"final_answer(sum(o['amount'] for o in book if {wanted}))")


def test_two_runs_of_one_shape_that_are_promoted_at_once_make_one_skill(
    library: SkillLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, others = library.shelf.store.lock, [summed("west", 30, "Total what was sold")]

    @contextmanager
    def followed() -> Iterator[None]:
        with lock():
            yield
        if others:
            SkillLibrary(library.root, isolation="inline").promote(others.pop())

    monkeypatch.setattr(library.shelf.store, "lock", followed)
    library.promote(summed("north", 30))
    assert [card.version for card in library.list()] == [2]


def test_a_skill_that_became_another_while_a_version_of_it_was_verified_is_looked_at_again(
    library: SkillLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.promote(summed("north", 30))
    verify, others = admit.verify, [summed("north", 50)]

    def followed(*given: object, **options: object) -> object:
        found = verify(*given, **options)
        if others:
            SkillLibrary(library.root, isolation="inline").promote(others.pop())
        return found

    monkeypatch.setattr(admit, "verify", followed)
    library.promote(summed("west", 30))
    assert [(card.name, card.version) for card in library.list()] == [("sum_chosen_orders", 3)]
    assert [dict(item.arguments).get("region") for item in library.examples("sum_chosen_orders")] == [
        None,
        None,
        "west",
    ]


def test_a_skill_without_recorded_uses_hinders_no_promotion(library: SkillLibrary) -> None:
    with library.shelf.store.lock():
        library.shelf.put(skill("sum_chosen_orders", body="return sum([number])"), [])
    assert library.promote(summed("north", 30)).skill.name == "sum_chosen_orders_2"


def test_the_use_a_version_was_made_for_is_among_those_it_keeps(library: SkillLibrary) -> None:
    code = "final_answer(sum(o['amount'] for o in book if o['amount'] > {}) * {})"
    library.promote(run("Sum the orders over 2", code.format(2, 3)))
    for number in range(3, admit.EXAMPLES + 5):
        assert library.promote(run(f"Sum the orders over {number}", code.format(number, 3))).how == "example"
    made = library.promote(run("Sum the orders over 5", code.format(5, 4)))
    uses = library.examples(made.skill.name)
    assert (made.how, len(uses), uses[-1].arguments["number"]) == ("version", admit.EXAMPLES, 4)


def test_a_run_may_call_a_skill_that_calls_one_that_calls_another(library: SkillLibrary) -> None:
    made = [skill("first_of")]
    for name, inner in (("second_of", "first_of"), ("third_of", "second_of")):
        made.append(replace(skill(name, body=f"return {inner}(number)"), skills=(inner,)))
    fill(library, made)
    with Session(skills=library.sources(["third_of"]), isolation="inline") as session:
        session.assign({"number": 1})
        seen = session.run("final_answer(third_of(number) * 2)")
    step = Step(0, "", "final_answer(third_of(number) * 2)", seen)
    found = library.promote(Run("o", "Double it", {"number": 1}, "answered", seen.answer, steps=(step,)))
    assert found, found


@pytest.mark.parametrize(
    ("code", "code_then"),
    [
        ("f'{{o[\"id\"]}} {}'", ("sold", "bought")),
        ("f'{{o[\"amount\"]:{}}}'", (".2f", ".3f")),
        ("f'{{o[\"id\"]}}' + '{}'", ("a", "b")),
    ],
)
def test_runs_that_differ_within_a_text_are_one_skill(
    library: SkillLibrary, code: str, code_then: tuple[str, str]
) -> None:
    for text in code_then:
        made = library.promote(run("Label the orders", f"final_answer([{code.format(text)} for o in book])"))
    assert (made.how, made.skill.version) == ("version", 2)
    for task, text in (("Label the orders", code_then[0]), ("Write what was ordered", code_then[1])):
        made = library.promote(run(task, f"final_answer([{code.format(text)} for o in book])"))
        assert (made.how, made.skill.version) == ("example", 2)


def test_a_value_that_is_matched_is_no_parameter(library: SkillLibrary) -> None:
    code = "def of(o):\n    match o['region']:\n        case '{}': return 1\n    return 0\nfinal_answer(sum(map(of, book)))"
    mapped = (
        "def of(o):\n    match o:\n        case {{'{}': _}}: return 1\n    return 0\nfinal_answer(sum(map(of, book)))"
    )
    for text in (code, mapped):
        for value in ("north", "west") if text is code else ("id", "amount"):
            made = library.promote(run(f"Count the orders from '{value}'", text.format(value)))
            assert made.how == "new", made


def test_another_method_of_the_same_name_gets_a_name_of_its_own(library: SkillLibrary) -> None:
    library.promote(run("Count the orders", "final_answer(len(book))"))
    other = library.promote(run("Count the orders", "final_answer(sum(1 for o in book if o['status'] == 'paid'))"))
    assert other.how == "new"
    assert other.skill.name == "count_orders_2"
    assert "def count_orders_2(" in other.skill.code


def test_names_annotations_and_words_do_not_count_as_meaning() -> None:
    one = 'import math\ndef area(r: float = 1.0) -> float:\n    """Area."""\n    return math.pi * r * r\n'
    two = "import math\ndef surface(radius):\n    return math.pi * radius * radius\n"
    three = "import math\ndef surface(radius):\n    return math.pi * radius\n"
    assert meaning_of(one) != meaning_of(three)
    assert meaning_of(one.replace(": float = 1.0", "")) == meaning_of(two)


def test_a_skill_may_call_a_skill(library: SkillLibrary) -> None:
    inner = library.promote(
        run("Count the orders over 100", "final_answer(len([o for o in book if o['amount'] > 100]))")
    )
    with Session(skills=library.sources([inner.skill.name]), isolation="inline") as session:
        session.assign({"book": ORDERS})
        code = f"n = {inner.skill.name}(book, 50)\nfinal_answer(n * 2)"
        seen = session.run(code)
    outer = library.promote(
        Run(
            "o",
            "Double the number of orders over 50",
            {"book": ORDERS},
            "answered",
            seen.answer,
            steps=(Step(0, "", code, seen),),
        )
    )
    assert isinstance(outer, Promoted), outer
    assert outer.skill.skills == (inner.skill.name,)
    assert [source.name for source in library.sources([outer.skill.name])] == [inner.skill.name, outer.skill.name]
    assert all(checked.ok for checked in library.verify())


def test_a_skill_whose_name_is_taken_is_the_same_function_under_another(tmp_path: Path) -> None:
    plain = SkillLibrary(tmp_path / "plain", isolation="inline").promote(play(RUNS[0]))
    library = SkillLibrary(tmp_path / "taken", isolation="inline")
    fill(library, [skill(plain.skill.name, "Something else by the same name.")])
    found = library.promote(play(RUNS[0]))
    assert found.skill.name == f"{plain.skill.name}_2"
    assert found.skill.code.replace(found.skill.name, plain.skill.name) == plain.skill.code


def test_a_promotion_reads_the_folders_of_no_other_skill(
    library: SkillLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(library, [skill(f"other_{number}") for number in range(5)])
    read, store = [], library.shelf.store
    kept = store.read
    monkeypatch.setattr(store, "read", lambda folder, *version: (read.append(folder), kept(folder, *version))[1])
    library.promote(run("Count the orders over 100", "final_answer(len([o for o in book if o['amount'] > 100]))"))
    assert set(read) == {"count-orders"}


def test_a_name_that_is_taken_gets_the_next_free_number(library: SkillLibrary) -> None:
    fill(library, [skill("count_orders"), skill("count_orders_2"), skill("count_orders_4")])
    made = library.promote(run("Count the orders", "final_answer(len([o for o in book if o['amount'] > 100]))"))
    assert made.skill.name == "count_orders_3"
    assert "def count_orders_3(" in made.skill.code


def test_a_name_that_is_taken_within_the_program_too_gets_one_number_not_two(library: SkillLibrary) -> None:
    fill(library, [skill("count_orders"), skill("count_orders_2")])
    made = library.promote(run("Count the orders", "count_orders = [o for o in book]\nfinal_answer(len(count_orders))"))
    assert made.skill.name == "count_orders_3"


def test_a_copied_tree_is_the_same_and_shares_nothing_that_can_change() -> None:
    tree = ast.parse("def f(a, *, b=1):\n    global c\n    match a:\n        case {'x': [1, *d]}: return f'{d!r:>{b}}'")
    other = copied(tree)
    assert ast.dump(other, include_attributes=True) == ast.dump(tree, include_attributes=True)
    for node in ast.walk(other):
        if isinstance(node, ast.Name):
            node.id = "changed"
        elif isinstance(node, ast.Global):
            node.names.append("changed")
    assert "changed" not in ast.dump(tree)


def test_a_tool_without_its_spec_and_a_file_that_is_gone_are_named(library: SkillLibrary, tmp_path: Path) -> None:
    one = run("Count the orders over 100", "final_answer(len([o for o in book if o['amount'] > 100]))")
    with pytest.raises(UsageError, match=r"promote\(tools=\[<built-in function len>\]\): a ToolSpec is needed"):
        library.promote(one, tools=[len])  # type: ignore[list-item]  # the function itself, as a session takes it
    with pytest.raises(SkillError, match=r"files cannot be recorded: .*gone\.csv"):
        library.promote(one, files={"gone.csv": tmp_path / "gone.csv"})


def test_what_is_no_run_is_refused_with_what_is_needed(library: SkillLibrary) -> None:
    with pytest.raises(UsageError, match=r"promote\('runs/a.jsonl'\): a run is needed"):
        library.promote("runs/a.jsonl")  # type: ignore[arg-type]  # the recording of one, as a reader of the page may try
