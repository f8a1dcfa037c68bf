"""What draws charts is machine code, which goes by the sizes it is given."""

from __future__ import annotations

import pytest

from codeact import Policy, Session

pytest.importorskip("matplotlib")

BEGIN = "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots(figsize=(1, 1))\nnan = float('nan')\n"
SIZES = {
    "too large": "axes.imshow([[1, 2]], interpolation='lanczos').set_filterrad(1e9)",
    "no number": "axes.imshow([[1, 2]], interpolation='lanczos').set(filterrad=nan)",
    "as it is made": "axes.imshow([[1, 2]], interpolation='lanczos', filterrad=nan)",
}


@pytest.mark.parametrize("source", SIZES.values(), ids=SIZES)
def test_a_filter_of_an_image_has_a_size_that_there_is_room_for(source):
    with Session(policy=Policy(("matplotlib",), check_first=False)) as session:
        assert session.run(f"{BEGIN}{source}\nfigure.canvas.draw()").failure.type == "ValueError"


def test_a_filter_of_an_image_has_the_size_it_is_given():
    with Session(policy=Policy(("matplotlib",), check_first=False)) as session:
        drawn = "image = axes.imshow([[1, 2]], interpolation='lanczos', filterrad=2)\nfigure.canvas.draw()\n"
        assert session.run(f"{BEGIN}{drawn}image.get_filterrad()").value == 2.0


DRAWN = {
    "lines that are neither smooth nor not": "axes.scatter([1, 2], [1, 2], [1, 2]).set_antialiased([])\nfigure.canvas.draw()",
    "a collection of such lines": "from matplotlib.collections import LineCollection\n"
    "axes.add_collection(LineCollection([[(0, 0), (1, 1)]] * 2, antialiaseds=[]))\nfigure.canvas.draw()",
    "a mesh of few corners": "from matplotlib.transforms import Affine2D\nimport numpy as np\n"
    "r, t, z = figure.canvas.get_renderer(), Affine2D(), np.zeros((1, 4))\n"
    "r.draw_quad_mesh(r.new_gc(), t, 9, 9, np.zeros((2, 2, 2)), z[:, :2], t, z, True, edgecolors=z)",
    **{
        f"a part of a figure {where}": "from matplotlib.transforms import Bbox\nfigure.canvas.draw()\n"
        f"figure.canvas.restore_region(figure.canvas.copy_from_bbox(Bbox({box})))"
        for where, box in {
            "that is too large": "[[0, 0], [46341, 46341]]",
            "far away": "[[-1e9, 0], [1e9, 9]]",
            "nowhere": "[[nan, 0], [9, 9]]",
            "from right to left": "[[9, 9], [0, 0]]",
        }.items()
    },
}


@pytest.mark.parametrize("source", DRAWN.values(), ids=DRAWN)
def test_what_is_drawn_and_copied_is_as_large_as_it_says(source):
    with Session(policy=Policy(("numpy", "matplotlib"), check_first=False)) as session:
        assert session.run(f"{BEGIN}{source}").failure.type == "ValueError"


def test_what_is_drawn_and_copied_is_what_it_was():
    source = f"""{BEGIN}
import numpy as np
from matplotlib.transforms import Bbox
axes.scatter([1, 2], [1, 2], [1, 2], antialiaseds=[True, False], hatch='/')
axes.pcolormesh(np.arange(9.).reshape(3, 3), shading='nearest')
figure.canvas.draw()
before = figure.canvas.copy_from_bbox(figure.bbox)
seen = np.array(figure.canvas.buffer_rgba())
figure.canvas.get_renderer().clear()
figure.canvas.restore_region(before)
bool((seen == np.array(figure.canvas.buffer_rgba())).all()), len(np.unique(seen)) > 9
"""
    with Session(policy=Policy(("numpy", "matplotlib"), check_first=False)) as session:
        assert session.run(source).value == (True, True)
