"""Requests in other words find their skill; requests no skill fits find none."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.records import Parameter, ToolSpec
from codeact.skills import fit
from codeact.skills.lexicon import lexicon
from codeact.skills.library import SkillLibrary
from codeact.skills.talk import asks_a_person
from codeact.skills.terms import term, terms
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.slow

DATA = Path(__file__).parent / "data"


def _rows(name: str) -> list[list[str]]:
    return [line.split(" | ") for line in (DATA / name).read_text().splitlines() if not line.startswith("#")]


ROWS = _rows("skills.txt")
REQUESTS = [(request.strip(), name) for name, _, requests in ROWS for request in requests.split(";")]


def _recall(library: SkillLibrary, asked: list[tuple[str, str]]) -> float:
    found = [name in [card.name for card in library.search(request, 5)] for request, name in asked]
    return sum(found) / len(found)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> SkillLibrary:
    library = SkillLibrary(tmp_path_factory.mktemp("library"))
    fill(library, [skill(name, words) for name, words, _ in ROWS])
    return library


def test_the_set_is_as_large_as_it_claims() -> None:
    assert len(ROWS) >= 150
    assert len(REQUESTS) >= 200


def test_nineteen_of_twenty_requests_find_their_skill_among_five(library: SkillLibrary) -> None:
    assert _recall(library, REQUESTS) >= 0.95


def test_a_word_of_its_name_alone_finds_a_skill(library: SkillLibrary) -> None:
    words = {word for name, _, _ in ROWS for word in name.split("_") if terms(word)}
    assert [word for word in sorted(words) if not library.search(word)] == ["ab", "carlo", "monte"]  # two words are one


# what the page on finding says of each set; of `everyday_last` and `afterwards` only totals were looked at
@pytest.mark.parametrize(("name", "least"), [("held_out", 0.96), ("held_out_last", 0.93)])
def test_requests_written_apart_from_the_skills_find_them_as_often_as_the_page_says(
    library: SkillLibrary, name: str, least: float
) -> None:
    asked = [(request, skill) for request, skill in _rows(f"{name}.txt")]
    assert len(asked) >= 100
    assert _recall(library, asked) >= least


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("other_domains", 0.92, 3), ("office_domains", 0.94, 1), ("unseen", 0.81, 1), ("everyday", 0.83, 3),
     ("everyday_last", 0.63, 0), ("afterwards", 0.67, 2)],
)  # fmt: skip
def test_skills_of_other_domains_are_found_as_often_as_the_page_says(
    tmp_path: Path, name: str, least: float, most: int
) -> None:
    rows = _rows(f"{name}.txt")
    library = SkillLibrary(tmp_path)
    fill(library, [skill(found, words) for found, words, _ in (*ROWS, *rows)])
    assert _recall(library, [(each.strip(), found) for found, _, asked in rows for each in asked.split(";")]) >= least
    strange = (DATA / f"{name}_no_fit.txt").read_text().splitlines()
    assert len(strange) >= 30
    assert sum(bool(library.search(request, 5)) for request in strange) <= most


@pytest.mark.parametrize(("name", "most"), [("no_fit", 0), ("held_out_no_fit", 2), ("held_out_last_no_fit", 1)])
def test_few_requests_no_skill_fits_get_one(library: SkillLibrary, name: str, most: int) -> None:
    # some share a word by chance ("train a neural network" and trains), which words alone cannot always tell
    strange = (DATA / f"{name}.txt").read_text().splitlines()
    assert sum(bool(library.search(request, 5)) for request in strange) <= most


@pytest.mark.parametrize(
    ("one", "other"),
    [("cities", "city"), ("converted", "convert"), ("lakes", "lake"), ("children", "child"), ("boxes", "box"),
     ("deployed", "deploy"), ("wrote", "write"), ("auctions", "auction"), ("stopped", "stop")],
)  # fmt: skip
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert term(one) == term(other)


def test_values_of_a_request_are_no_words_of_it() -> None:
    assert terms("derivative of 3x^3 + 2x for 2024 at 10am") == ["derivative"]
    assert "sha256" in terms("the sha256 of a file")


def test_a_phrase_says_no_more_than_it_does() -> None:
    assert terms("std dev of the sample") == ["std_dev", "sample"]


def test_a_word_with_capitals_within_is_one_word_unless_it_is_camel_case() -> None:
    assert term("nan") in terms("replace the NaNs")
    assert terms("convertOrders") == [term("convert"), term("order")]


def test_a_phrase_of_small_words_means_what_it_asks_for() -> None:
    assert lexicon().senses("how_far").meanings & lexicon().senses("distance").meanings


def test_no_line_of_the_word_tables_is_there_twice() -> None:
    for name in ("meanings", "kinds", "subjects", "talk"):
        text = (Path(fit.__file__).parent / "words" / f"{name}.txt").read_text()
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert len(lines) == len(set(lines))
        assert all(len(line.split()) > 1 for line in lines)


@pytest.mark.parametrize(
    "text",
    ["Please explain gravity", "could you open the window", "what's a good rhyme for month", "wake me at six",
     "what is love?", "is a hot dog a sandwich", "a song about the sea"],
)  # fmt: skip
def test_what_is_asked_of_a_person_is_told_apart(text: str) -> None:
    assert asks_a_person(text)


@pytest.mark.parametrize(
    "text",
    [
        "open ports of the server",
        "feeds that have news",
        "explained variance",
        "book sales by month",
        "",
        "what is overdue here",
        "give the first ten of them",
        "describe the columns",
    ],
)
def test_what_a_function_can_do_is_not_taken_for_something_asked_of_a_person(text: str) -> None:
    assert not asks_a_person(text)


def test_a_skill_for_what_is_mostly_asked_of_persons_is_found_all_the_same(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path)
    fill(library, [skill("explain_query_plan", "Explain the plan of a query.")])
    assert [card.name for card in library.search("explain the plan of this query")] == ["explain_query_plan"]


@pytest.mark.parametrize("request_", ["", "   ", "?!", "the of and", '"; --', "a* OR ^b", "(", "\x00", "🦜"])
def test_odd_requests_find_nothing_and_break_nothing(library: SkillLibrary, request_: str) -> None:
    assert library.search(request_, 5) == []


def test_a_skill_that_failed_in_use_ranks_below_one_that_did_not(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path)
    fill(library, [skill("convert_money", "Convert money."), skill("convert_money_again", "Convert money.")])
    for _ in range(2):
        library.record_use("convert_money", ok=False)
        library.record_use("convert_money_again", ok=True)
    assert [card.name for card in library.search("convert money")] == ["convert_money_again", "convert_money"]


def test_a_skill_whose_tool_is_not_there_is_not_offered(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path)
    spec = ToolSpec("rate", (Parameter("base", annotation="str"),), "float", effect="read")
    fill(library, [skill("convert_money", "Convert money.", tools=(spec,))])
    assert library.search("convert money", tools={}) == []
    assert [card.name for card in library.search("convert money", tools={"rate": spec})] == ["convert_money"]


def test_a_skill_whose_tool_is_called_otherwise_now_is_quarantined(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path)
    before = ToolSpec("rate", (Parameter("base", annotation="str"),), "float", effect="read")
    after = ToolSpec("rate", (Parameter("base", annotation="str"), Parameter("day")), "float", effect="read")
    fill(library, [skill("convert_money", "Convert money.", tools=(before,))])
    assert library.search("convert money", tools={"rate": after}) == []
    assert library.list()[0].state == "quarantined"
    assert "rate" in library.list()[0].reason


def test_names_of_people_and_places_do_not_stand_in_the_way(library: SkillLibrary) -> None:
    assert library.search("how far apart are Lyon and Marseille")[0].name == "distance_between_cities"
