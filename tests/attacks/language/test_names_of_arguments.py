"""Names of arguments that say one thing to a guard and another to the function behind it."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

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
        "def on(**rest):\n    rest[Name('path')] = 1\n    return guard(**rest)\non()",
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


#: Each makes an object of what it is given by name: of another class, it would have insides that nobody looked at.
MAKING = {
    "a policy": "email.policy.default.clone",
    "a policy anew": "email.policy.EmailPolicy",
    "an older policy": "email.message.Message().policy.clone",
    "a namespace": "argparse.Namespace",
    "a command line": "lambda **names: (p := argparse.ArgumentParser(), [p.add_argument('--x', dest=name, "
    "type=lambda text: names[name]) for name in names], p.parse_args(['--x', '1']))[2]",
}


@pytest.mark.parametrize("making", MAKING.values(), ids=MAKING)
@pytest.mark.parametrize("name", ["__class__", "__dict__"])
def test_nothing_is_made_of_another_class_by_the_name_of_an_argument(run, making, name):
    given = "{'__class__': logging.Logger, '__dict__': {'handlers': []}}['" + name + "']"
    source = f"import argparse, email.message, email.policy, logging\n({making})(**{{'{name}': {given}}})"
    assert run(source).failure.type in {"TypeError", "AttributeError"}


def test_what_is_made_by_names_has_them():
    source = "import argparse, email.policy\np = email.policy.default.clone(linesep='x') + email.policy.SMTP\n"
    outcome = Step().run(source + "p.linesep, argparse.Namespace(a=1, b=2).b")
    assert outcome.value == ("\r\n", 2)
