"""Garbage that is collected in the middle of C: nothing of a snippet's runs there, and what it had for the end comes later."""

from __future__ import annotations

import pytest

_TRIED = """
import gc, weakref
def last(armed):
    me = yield
    try: yield
    finally:
        if armed: places.clear()
def generator(armed):
    made = last(armed)
    next(made)
    made.send(made)
def reference(armed):
    def gone(): pass
    gone.me = gone
    held[:] = [weakref.ref(gone, lambda reference: places.clear() if armed else None)]
def tried(count, more):
    global places
    armed, places = [], [1, 2, 3]
    {made}(armed)
    others = [[] for _ in range(count)]
    if more > 0: others = [others]
    if more > 1: others = [others]
    if more > 2: others = [others]
    armed.append(True)
    copied.append(places.copy())
    armed.clear()
held, copied = [], []
for more in range(4):
    for count in range(640, 720):
        gc.collect()
        tried(count, more)
assert all(each == [1, 2, 3] for each in copied)
"""


@pytest.mark.parametrize("made", ["generator", "reference"])
def test_what_ends_in_the_middle_of_a_copy_takes_nothing_from_it(session, made):
    ran = session.run(_TRIED.format(made=made))
    assert ran.failure is None


_CYCLES = """
import gc, weakref
told = []
def last(name):
    me = yield
    try: yield
    finally: told.append(name)
def made(name):
    one = last(name)
    next(one)
    one.send(one)
"""


def test_a_generator_of_a_cycle_ends_where_the_snippet_collects(run):
    assert run(f"{_CYCLES}made('a cycle')\ngc.collect()\ntold").value == ["a cycle"]
    assert run(f"{_CYCLES}made('a cycle')\nothers = [[] for _ in range(9000)]\ngc.collect()\ntold").value == ["a cycle"]


def test_what_is_called_when_something_is_gone_is_called_when_the_step_waits(run):
    source = f"""{_CYCLES}import time
def gone(): pass
gone.me = gone
reference = weakref.ref(gone, lambda reference: told.append(reference() is None))
del gone
others = [[] for _ in range(9000)]
time.sleep(0)
told
"""
    assert run(source).value == [True]


def test_a_generator_without_a_cycle_ends_at_once(run):
    assert run(f"{_CYCLES}one = last('at once')\nnext(one)\nnext(one)\ndel one\ntold").value == ["at once"]
