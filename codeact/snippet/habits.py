"""What programs take for granted out of habit: names of notebooks and modules, and lines that are no Python."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

#: Name → what to write.
_NAMES: dict[str, str] = {
    "display": "`display` is there in notebooks alone: print(value), or end the step with the value.",
    "get_ipython": "A snippet is Python alone, and no notebook.",
    **{
        short: f"Write `import {module} as {short}` first."
        for short, module in {
            "np": "numpy",
            "pd": "pandas",
            "plt": "matplotlib.pyplot",
            "sns": "seaborn",
            "nx": "networkx",
        }.items()
    },
}

_OF_A_SHELL = re.compile(
    r"\s*(!\s*[a-z]|%%?(matplotlib|time|timeit|pip|conda|load_ext|autoreload|config|capture|bash)\b"
    r"|(pip3?|conda) install\b)"
)


def about_name(name: str) -> str:
    """What to write instead of, or before, a name that is not defined; empty where nothing is certain."""
    return _NAMES.get(name) or (f"`{name}` is a module: import it first." if name in sys.stdlib_module_names else "")


def about_line(line: str, before: Sequence[str] = ()) -> str:
    """Why a line of a shell or a notebook does not parse, or the first one that says anything; empty for any other."""
    if _OF_A_SHELL.match(line) is None:
        first = line[:1].isspace() and all(one.strip() == "" or one.strip().startswith("#") for one in before)
        return "A snippet begins at the left margin: textwrap.dedent(source) moves it there." if first else ""
    return "A snippet is Python alone: no commands of a shell or a notebook, and nothing can be installed."
