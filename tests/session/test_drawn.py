"""Figures a step leaves open: they are seen once, and the program's own are its own."""

from __future__ import annotations

from typing import Literal

import pytest

from codeact import Policy, Session


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.filterwarnings("ignore:isolation")
def test_open_figures_come_out_as_pictures_and_are_closed(isolation: Literal["caged", "inline"]) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="charts are an extra")
    draw = "import matplotlib.pyplot as plt\nplt.figure()\nplt.plot([1, 2])\nNone"
    kept = pyplot.figure()  # of the program
    own = pyplot.get_fignums()
    with Session(policy=Policy(imports=["matplotlib"]), isolation=isolation) as session:
        seen = session.run(draw)
        assert [(image.media_type, image.data[:4]) for image in seen.images] == [("image/png", b"\x89PNG")]
        after = session.run("plt.get_fignums()")
        assert (after.value, after.images) == ([], ())
        saved = session.run(f"{draw}\nplt.savefig('chart.png')")
        assert [image.name for image in saved.images] == ["chart.png"]
    assert pyplot.get_fignums() == own
    pyplot.close(kept)
