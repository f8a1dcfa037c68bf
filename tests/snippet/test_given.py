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


def test_a_text_with_a_dictionary_cannot_bind_globals() -> None:
    assert failure_of("exec('def f():\\n    global x\\n    x = 1', {})")[0] == "refused"


def test_a_dictionary_cannot_stand_for_our_hooks() -> None:
    source = "d = {}\nexec('def f():\\n    while True: pass', d)\nd[' loops'] = iter(int, 1)\nd['f']()"
    assert failure_of(source, operations=1_000) == ("limit", "LimitReached")
