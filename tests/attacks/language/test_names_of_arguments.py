"""Names of arguments that say one thing to a guard and another to the function behind it."""

from __future__ import annotations

import pytest

_NAMES = (
    "import functools\nasked = []\n"
    "class Name(str):\n    def __hash__(self): return hash('path')\n"
    "    def __eq__(self, other):\n        asked.append(other)\n        return len(asked) > 1 and str.__eq__(self, other)\n"
    "class Names:\n    def keys(self): return [Name('path')]\n    def __getitem__(self, name): return 1\n"
    "def guard(**rest): return 'path' in rest, behind(**rest)\n"
    "def behind(path=None, **rest): return path, [*map(type, rest)]\n"
)


@pytest.mark.parametrize(
    "call",
    [
        "guard(**{Name('path'): 1})",
        "guard(**{**{Name('path'): 1}})",
        "guard(**Names())",
        "functools.partial(guard, **{Name('path'): 1})()",
        "guard(**type('A', (dict,), {})({Name('path'): 1}))",
    ],
)
def test_a_name_is_the_same_to_a_guard_and_to_what_is_behind_it(run, call):
    assert run(_NAMES + call).value == (True, (1, []))
    assert run("asked").value == []
