"""Requests in other words find their skill; requests no skill fits find none."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.records import Parameter, ToolSpec
from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill

DATA = Path(__file__).parent / "data"
ROWS = [line.split(" | ") for line in (DATA / "skills.txt").read_text().splitlines() if not line.startswith("#")]
REQUESTS = [(request.strip(), name) for name, _, requests in ROWS for request in requests.split(";")]
NO_FIT = (DATA / "no_fit.txt").read_text().splitlines()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> SkillLibrary:
    library = SkillLibrary(tmp_path_factory.mktemp("library"))
    fill(library, [skill(name, words) for name, words, _ in ROWS])
    return library


def test_the_set_is_as_large_as_it_claims() -> None:
    assert len(ROWS) >= 150
    assert len(REQUESTS) >= 200


def test_nineteen_of_twenty_requests_find_their_skill_among_five(library: SkillLibrary) -> None:
    found = [name in [card.name for card in library.search(request, 5)] for request, name in REQUESTS]
    assert sum(found) / len(found) >= 0.95


def test_nine_of_ten_requests_no_skill_fits_get_none(library: SkillLibrary) -> None:
    # some share a word by chance ("the key of c" and a key column), which words alone cannot tell
    assert sum(bool(library.search(request, 5)) for request in NO_FIT) <= len(NO_FIT) // 10


@pytest.mark.parametrize("request_", ["", "   ", "?!", "the of and", '"; --', "a* OR ^b", "(", "\x00", "🦜"])
def test_odd_requests_find_nothing_and_break_nothing(library: SkillLibrary, request_: str) -> None:
    assert library.search(request_, 5) == []


def test_a_skill_that_failed_in_use_ranks_below_one_that_did_not(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path)
    fill(library, [skill("convert_money", "Convert money."), skill("convert_money_again", "Convert money.")])
    for _ in range(3):
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


def test_requests_nobody_tuned_for_find_their_skill_as_often_as_the_page_says(library: SkillLibrary) -> None:
    asked = [line.split(" | ") for line in (DATA / "held_out_last.txt").read_text().splitlines()[1:]]
    assert len(asked) >= 100
    found = [name in [card.name for card in library.search(request, 5)] for request, name in asked]
    assert sum(found) / len(found) >= 0.85
    strange = (DATA / "held_out_last_no_fit.txt").read_text().splitlines()
    assert len(strange) >= 40
    assert sum(bool(library.search(request, 5)) for request in strange) <= 8


def test_names_of_people_and_places_do_not_stand_in_the_way(library: SkillLibrary) -> None:
    assert library.search("how far apart are Lyon and Marseille")[0].name == "distance_between_cities"
