"""A library of two skills, for tests that need any."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    fill(library, [skill("add_one"), skill("greet_guests", "Greet the guests by name.")])
    return library
