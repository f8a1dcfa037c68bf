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


#: Each hands the name on later, and not by a call that a snippet says.
LATER = {
    "a thread": "import threading\nt = threading.Thread(target=f, kwargs={Name('path'): 1})\nt.start()\nt.join()",
    "a schedule": "import sched\ns = sched.scheduler()\ns.enter(0, 1, f, kwargs={Name('path'): 1})\ns.run()",
    "a method in part": "class M(functools.partialmethod): pass\nm = M(g)\nm.keywords = {Name('path'): 1}\n"
    "class A: of = m\nA().of()",
}


@pytest.mark.parametrize("source", LATER.values(), ids=LATER)
def test_a_name_that_is_handed_on_later_is_a_plain_string(run, source):
    told = "told = []\ndef f(**rest): told.extend(map(type, rest))\ng = lambda self, **rest: f(**rest)\n"
    assert run(f"{_NAMES}{told}{source}\ntold, asked").value == ([str], [])


@pytest.mark.parametrize(
    "kept",
    [
        "functools.partial(guard).keywords",
        "vars(type('A', (), {'m': functools.partialmethod(guard)}))['m'].keywords",
        "__import__('sched').scheduler().enter(0, 1, guard).kwargs",
    ],
)
def test_nothing_but_plain_strings_is_stored_among_kept_names(run, kept):
    begin = "import sched\n" + _NAMES + f"kept = {kept}\n".replace("__import__('sched')", "sched")
    assert run(begin + "kept['path'] = 1\nkept").value == {"path": 1}
    assert run(begin + "kept[Name('path')] = 1").failure.type == "TypeError"


def test_a_partial_function_is_called_with_the_names_that_were_stored(run):
    source = "p = functools.partial(dict, a=1)\np.keywords['b'] = 2\np.keywords, p(c=3)"
    assert run(_NAMES + source).value == ({"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3})
