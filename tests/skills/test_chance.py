"""What chance decides is no skill, however often it comes out as the run did."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.skills.library import SkillLibrary
from codeact.skills.record import Declined, Promoted
from tests.skills.playing import ORDERS, Played, play

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

DRAWN = "import random\nrng = random.Random({seed})\nfinal_answer(rng.random() < 0.5 and len(book))"


def promoted(folder: Path, seed: str) -> Promoted | Declined:
    run = play(Played("test", "test", "Count the orders, or do not", (DRAWN.format(seed=seed),), {"book": ORDERS}))
    return SkillLibrary(folder, isolation="inline").promote(run)


def test_an_answer_that_chance_gave_is_declined(tmp_path: Path) -> None:
    outcomes = [promoted(tmp_path / str(number), seed="") for number in range(10)]
    assert {type(found) for found in outcomes} == {Declined}


def test_an_answer_drawn_from_a_seed_is_a_skill(tmp_path: Path) -> None:
    found = promoted(tmp_path / "skills", seed="7")
    assert isinstance(found, Promoted), found
