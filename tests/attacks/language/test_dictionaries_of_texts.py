"""Dictionaries of names that texts run with: what is gone through is counted, and nothing in them stands for our hooks."""

from __future__ import annotations

import pytest

MANY = "d = {f'n{i}': i for i in range(20_000)}\n"

COUNTED = {
    "one text after another": "for i in range(2_000): exec('x = 1', d)",
    "a function of a text": "exec('def f(): pass', d)\nf = d['f']\nfor i in range(2_000): f()",
    "a function that binds a global name": "exec('def f():\\n  global x\\n  for x in range(2_000): pass', d)\nd['f']()",
    "a generator": "exec('def f():\\n  while True: yield', d)\ng = d['f']()\nfor i in range(2_000): next(g)",
    "builtins of its own": "d['__builtins__'] = {}\nfor i in range(2_000): exec('x = 1', d)",
    "variables": "for i in range(2_000): eval('1', {}, d)",
    "variables, within a text": "exec('for i in range(2_000): eval(\"1\", None, d)', {'d': d})",
}


@pytest.mark.parametrize("source", COUNTED.values(), ids=COUNTED)
def test_names_that_are_gone_through_each_time_are_counted(run, source):
    failure = run(MANY + source, operations=200_000).failure
    assert failure is not None
    assert failure.type == "LimitReached"


OVER = """
def again():
    try:
        while True: pass
    finally:
        print('went on')
builtins = {'BaseException': BaseException, 'print': print, 'again': again}
"""

SWALLOWING = {
    "a handler": "try:\n  while True: pass\nexcept BaseException: print('went on')",
    "a way out": "try:\n  while True: pass\nfinally: print('went on')",
    "a name that is looked for": "again()\nprint('went on')",
}


@pytest.mark.parametrize("source", SWALLOWING.values(), ids=SWALLOWING)
@pytest.mark.parametrize(
    "mapping", ["builtins", "type('Mapping', (dict,), {'__missing__': lambda self, name: builtins[name]})()"]
)
def test_a_text_with_builtins_of_its_own_does_not_outlive_the_budget(run, printed, source, mapping):
    failure = run(f"{OVER}exec({source!r}, {{'__builtins__': {mapping}}})").failure
    assert failure is not None
    assert failure.type == "LimitReached"
    assert printed == []
