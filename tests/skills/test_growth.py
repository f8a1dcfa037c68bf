"""What the growth benchmark claims holds."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from benchmarks.growth import PLANTED, Tried, all_tried

_NOTHING_CLAIMED = ("ungated", "planted, no answer checked")  # shown by the benchmark


def _tried(folder: Path, without: tuple[str, ...]) -> list[Tried]:
    """Its thousands of inline steps each take longer in a process where other tests have had libraries imported."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(all_tried, folder, without=without).result()


@pytest.mark.slow
def test_a_gated_library_saves_steps_and_tokens(tmp_path: Path) -> None:
    planted = ("planted", "planted, every 2nd answer checked")
    off, on = _tried(tmp_path, without=(*_NOTHING_CLAIMED, *planted))
    assert (off.name, on.name) == ("off", "on")
    assert sum(on.steps) < 0.6 * sum(off.steps)
    assert sum(on.tokens) < sum(off.tokens)
    assert all(on.right)


@pytest.mark.slow
@pytest.mark.parametrize("checked", ["planted", "planted, every 2nd answer checked"])
def test_wrong_skills_do_not_stay(tmp_path: Path, checked: str) -> None:
    others = {"off", "on", "planted", "planted, every 2nd answer checked"} - {checked}
    (planted,) = _tried(tmp_path, without=(*_NOTHING_CLAIMED, *others))
    assert planted.name == checked
    assert all(planted.right)
    assert planted.planted_left == 0 < PLANTED
