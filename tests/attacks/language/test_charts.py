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
