"""States of numpy's generators that say that numbers before or behind those of the generator come next."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

pytest.importorskip("numpy")

OUTSIDE = {
    "before": "b = r.Philox(1)\ns = b.state\ns['buffer_pos'] = -50\nb.state = s",
    "behind": "b = r.MT19937(1)\ns = b.state\ns['state']['pos'] = 3000\nb.state = s",
    "as numpy had it": "b = r.RandomState(1)\nname, key, pos, *more = b.get_state()\nb.set_state((name, key, 3000))",
    "a number of numpy's": "b = r.Philox(1)\ns = b.state\ns['buffer_pos'] = np.int64(-1)\nb.state = s",
    "through a descriptor": "b = r.Philox(1)\ns = b.state\ns['buffer_pos'] = -50\ntype(b).state.fset(b, s)",
}


def run(source: str):
    return Step(check_first=False, imports=("numpy",)).run("import numpy as np\nr = np.random\n" + source)


@pytest.mark.parametrize("source", OUTSIDE.values(), ids=OUTSIDE)
def test_a_generator_gives_none_of_the_memory_around_it(source):
    failure = run(source).failure
    assert failure.type == "ValueError"
    assert "is from 0 to" in failure.message


CHANGING = {
    "a number": "class N:\n    told = [4]\n    def __index__(self): return N.told.pop() if N.told else -50\ns['buffer_pos'] = N()",
    "a name": "class S(str):\n    asked = []\n    def __hash__(self): return hash('buffer_pos')\n"
    "    def __eq__(self, other):\n        S.asked.append(1)\n        return len(S.asked) > 1\n"
    "del s['buffer_pos']\ns[S('q')] = -50",
}


@pytest.mark.parametrize("change", CHANGING.values(), ids=CHANGING)
def test_a_state_says_to_numpy_what_it_said_before(change):
    begin = f"b = r.Philox(1)\ns = b.state\n{change}\nb.state = s\n"
    seen = run(begin + "b.random_raw(4).tolist() == r.Philox(1).random_raw(4).tolist()")
    assert seen.failure is not None or seen.value is True


def test_states_are_kept_and_given_back():
    source = """
def again(generator, keep, give):
    state = keep(generator)
    first = generator.random_raw(3).tolist() if hasattr(generator, 'random_raw') else generator.random(3).tolist()
    give(generator, state)
    return first == (generator.random_raw(3).tolist() if hasattr(generator, 'random_raw') else generator.random(3).tolist())
def put(generator, state): generator.state = state
bits = [again(kind(1), lambda b: b.state, put) for kind in (r.MT19937, r.Philox, r.PCG64, r.SFC64)]
old = [again(r.RandomState(1), lambda g: g.get_state(legacy=way), lambda g, s: g.set_state(s)) for way in (True, False)]
bits + old
"""
    assert run(source).value == [True] * 6


def test_the_memory_of_a_generator_is_not_handed_on():
    assert "it hands out memory" in run("r.PCG64(1).capsule").failure.message


EMPTY = {
    "made past it": "kind = r.PCG64\nkind.__new__(kind).state",
    "of its own": "class Own(r.Philox):\n    def __init__(self): pass\nOwn().state",
    "of its own, with no numbers at all": "class Own(r.BitGenerator): pass\nr.Generator",
}


@pytest.mark.parametrize("source", EMPTY.values(), ids=EMPTY)
def test_no_generator_is_without_numbers(source):
    failure = run(source).failure
    assert failure.type in ("TypeError", "AttributeError")
    assert "may not inherit" in failure.message or "is empty" in failure.message
