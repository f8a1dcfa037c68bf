"""A text that is given a dictionary for its names lives in it, as in CPython, or is refused."""

from __future__ import annotations

import pytest

from tests.snippet.running import failure_of, value_of

_TEXTS = {
    "a later change": ("d = {'x': 1}\nexec('def f(): return x', d)\nd['x'] = 2\nd['f']()", 2),
    "a later change, by a lambda": ("d = {'x': 1}\ng = eval('lambda: x', d)\nd['x'] = 5\ng()", 5),
    "a later name": ("d = {}\nexec('def f(): return helper()', d)\nd['helper'] = lambda: 3\nd['f']()", 3),
    "what the text binds on its way": ("d = {}\nexec('x = 1\\ndef f(): return x\\nx = 2\\ny = f()', d)\nd['y']", 2),
    "two dictionaries": ("d, l = {'a': 1}, {}\nexec('def f(): return a', d, l)\nd['a'] = 9\nl['f']()", 9),
    "the variables of a function": ("def f(a):\n    b = 2\n    return eval('a + b')\nf(1)", 3),
    "what is bound": ("d = {}\nexec('import math\\nx = math.pi > 3', d)\n(d['x'], 'math' in d)", (True, True)),
}


@pytest.mark.parametrize(("source", "value"), _TEXTS.values(), ids=_TEXTS)
def test_a_text_sees_its_dictionary(source: str, value: object) -> None:
    assert value_of(source) == value


def test_a_deleted_name_is_gone() -> None:
    source = "d = {'x': 1}\nexec('def f(): return x', d)\ndel d['x']\nd['f']()"
    assert failure_of(source) == ("raised", "NameError")


def test_a_dictionary_is_told_what_a_function_of_its_text_binds() -> None:
    assert value_of("d = {}\nexec('def f():\\n    global x\\n    x = 1', d)\nd['f']()\nd['x']") == 1


@pytest.mark.parametrize(
    "builtins", ["{}", "None", "{'sum': sum}", "{' over': False, ' ending': KeyError, ' calls': None}"]
)
def test_builtins_of_its_own_do_not_keep_a_text_running(builtins: str) -> None:
    text = "def f():\\n    while True:\\n        try: f()\\n        except Exception: pass\\n        finally: f()"
    source = f"d = {{'__builtins__': {builtins}, 'Exception': BaseException}}\nexec('{text}', d)\nd['f']()"
    assert failure_of(source, operations=1_000) == ("limit", "LimitReached")


@pytest.mark.parametrize(
    "said", ["d['__builtins__']['len'] = print", "d['__builtins__'].clear()", "del d['__builtins__']['len']"]
)
def test_the_builtins_a_text_ran_with_cannot_be_changed(said: str) -> None:
    assert failure_of(f"d = {{}}\nexec('x = 1', d)\n{said}")[0] == "refused"


@pytest.mark.parametrize(
    "said", ["[n for n in d if not n.isidentifier()]", "[n for n in d['__builtins__'] if n[0] in ' _']"]
)
def test_no_hook_is_shown_in_a_dictionary(said: str) -> None:
    assert value_of(f"d = {{}}\nexec('for i in range(3): pass\\ndef f(): return i', d)\nd['f']()\n{said}") == []


@pytest.mark.parametrize("name", ["__build_class__", "__import__"])
def test_builtins_of_its_own_say_nothing_of_statements(name: str) -> None:
    text = "import math" if name == "__import__" else "class math: pass"
    source = f"d = {{'__builtins__': {{'{name}': lambda *given, **named: 5}}}}\nexec('{text}', d)"
    assert failure_of(source)[0] == "raised"


def test_a_dictionary_cannot_stand_for_our_hooks() -> None:
    source = "d = {}\nexec('def f():\\n    while True: pass', d)\nd[' loops'] = iter(int, 1)\nd['f']()"
    assert failure_of(source, operations=1_000) == ("limit", "LimitReached")


def test_a_function_of_a_text_may_read_what_it_declares_global() -> None:
    source = "d, l = {'x': 1}, {}\nexec('def f():\\n    x = 2\\n    def g():\\n        global x\\n        return x\\n    return g()', d, l)\nl['f']()"
    assert value_of(source) == 1


_MAPPING = """
class Cells:
    def __init__(self): self.held, self.asked = {}, []
    def __getitem__(self, name):
        self.asked.append(name)
        return self.held[name]
    def __setitem__(self, name, value): self.held[name] = value
    def __delitem__(self, name): del self.held[name]
    def keys(self): return list(self.held)
cells = Cells()
"""
_ASKED = {
    "what it holds": ("exec('x = 1\\ny = x + 1\\ndel x', {}, cells)\ncells.held", {"y": 2}),
    "a cell that asks for others": (
        "cells['a'], cells['b'] = '5', 'a * 2'\nCells.__getitem__ = lambda self, name: eval(self.held[name], globals(), self)\ncells['b']",
        10,
    ),
    "what finds names that it does not hold": (
        "class Upper(dict):\n    def __missing__(self, name):\n        if name.isupper(): return name.lower()\n        raise KeyError(name)\n"
        "eval('NAME + str(1)', {}, Upper())",
        "name1",
    ),
    "a text inside the text": ("exec('x = 1\\ny = eval(\"x + 1\")\\nexec(\"z = y\")', {}, cells)\ncells.held['z']", 2),
    "itself": ("eval('locals()', {}, cells) is cells", True),
    "its names": ("cells['b'] = cells['a'] = 1\neval('dir()', {}, cells)", ["a", "b"]),
}


@pytest.mark.parametrize(("source", "value"), _ASKED.values(), ids=_ASKED)
def test_any_mapping_is_asked_for_the_variables_of_a_text(source: str, value: object) -> None:
    assert value_of(_MAPPING + source) == value


def test_a_mapping_is_not_asked_for_our_hooks() -> None:
    text = "i = 0\\nwhile i < 3:\\n    i += 1\\nclass A: pass\\na = A()\\na.x = 1\\na.x += 1\\nfor a.y in [1]: pass\\n[j for j in range(3)]"
    source = f"{_MAPPING}exec('{text}', {{}}, cells)\n[name for name in [*cells.asked, *cells.held] if not name.isidentifier()]"
    assert value_of(source) == []


def test_a_text_without_names_of_its_own_sees_those_of_the_text_around_it() -> None:
    source = "x = 0\nd = {'x': 1}\nexec('y = eval(\"x\")\\nexec(\"z = 2\")\\nw = globals()[\"x\"]', d)\n(d['y'], d['z'], d['w'], x)"
    assert value_of(source) == (1, 2, 1, 0)
