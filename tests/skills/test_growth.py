"""What the growth benchmark claims holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.growth import PLANTED, all_tried

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.mark.slow
def test_a_gated_library_saves_steps_and_tokens_and_wrong_skills_do_not_stay(tmp_path: Path) -> None:
    without = ("ungated", "planted, no answer checked")  # shown by the benchmark, nothing is claimed of them
    tried = {one.name: one for one in all_tried(tmp_path, without=without)}
    off, on, planted, half = (tried[name] for name in ("off", "on", "planted", "planted, every 2nd answer checked"))
    assert sum(on.steps) < 0.6 * sum(off.steps)
    assert sum(on.tokens) < sum(off.tokens)
    assert all(on.right)
    assert all(planted.right)
    assert all(half.right)
    assert planted.planted_left == half.planted_left == 0 < PLANTED
