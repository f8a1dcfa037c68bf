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


DRAWING = {
    "networkx": "import networkx as nx\nnx.draw(nx.path_graph(3))",
    "sklearn": "from sklearn import metrics\nmetrics.ConfusionMatrixDisplay.from_predictions([1, 0], [1, 1])",
    "scipy": "from scipy.cluster import hierarchy as h\nh.dendrogram(h.linkage([[1], [2], [4]]))",
    "pandas": "import pandas as pd\npd.Series([1, 2]).plot()",
}


@pytest.mark.parametrize("library", DRAWING)
def test_a_library_draws_with_one_that_it_imports_itself(library: str) -> None:
    pytest.importorskip("matplotlib", reason="charts are an extra")
    pytest.importorskip(library, reason="it is an extra")
    with Session(policy=Policy(imports=[library, "matplotlib"])) as session:
        seen = session.run(f"{DRAWING[library]}\nNone")
        assert (seen.failure, len(seen.images)) == (None, 1)
