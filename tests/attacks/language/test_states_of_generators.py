"""Generators of numpy that would read memory of others: by what their states say, by their seeds and their sources."""

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


_SEEDS = """
class Seeds(r.SeedSequence):
    def generate_state(self, size, dtype=np.uint32): return np.zeros(8, np.uint8)
"""


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "SFC64", "MT19937", "Philox", "default_rng"])
def test_a_generator_is_made_of_nothing_that_lies_behind_its_seeds(kind):
    assert "SeedSequence" in run(f"{_SEEDS}r.{kind}(Seeds(1))").failure.message


#: What is given a source of numbers that is none, and has to keep the one it has.
_NO_SOURCE = """
class Own:
    capsule = 5
class Late:
    def __getattr__(self, name): return 5
def tried(function, *given):
    try: function(*given)
    except (TypeError, ValueError): return
    raise RuntimeError('it was taken')
"""
KEPT = {
    "for all": "r.seed(3)\ntried(r.set_bit_generator, b'x')\ntried(r.set_bit_generator, Own())\n"
    "[r.random() == r.RandomState(3).random(), r.get_state(legacy=False)['bit_generator']] == [True, 'MT19937']",
    "an older one": "class R(r.RandomState): pass\ng = R(3)\nfor each in (Own(), Late(), r.PCG64): tried(g.__init__, each)\n"
    "[g.get_state(legacy=False)['bit_generator'], g.random()] == ['MT19937', r.RandomState(3).random()]",
    "a newer one": "class R(r.Generator): pass\ng = R(r.PCG64(3))\nfor each in (Own(), Late(), r.PCG64): tried(g.__init__, each)\n"
    "[type(g.bit_generator) is r.PCG64, g.random()] == [True, r.default_rng(3).random()]",
}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_a_generator_keeps_its_source_where_it_is_given_none(source):
    assert run(f"{_NO_SOURCE}{source}").value is True


def test_generators_are_made_as_ever():
    source = """
import enum
class Seed(enum.IntEnum): three = 3
made = [r.RandomState(each).random() for each in (3, Seed.three, np.int64(3), [3], (3,), np.array([3]))]
made += [r.RandomState(r.MT19937(3)).random(), r.Generator(bit_generator=r.PCG64(3)).random(), r.default_rng(Seed.three).random()]
made += [r.PCG64(r.SeedSequence(3)).random_raw(), r.PCG64(r.SeedSequence(3).spawn(2)[1]).random_raw(), r.Philox(key=5).random_raw()]
before = r.get_bit_generator()
r.set_bit_generator(r.PCG64(3))
made.append(r.random())
r.set_bit_generator(before)
made
"""
    import numpy as np

    r, plain = np.random, np.random.RandomState
    made = [plain(each).random() for each in (3, 3, 3, [3], [3], 3)]
    made += [plain(r.MT19937(3)).random(), r.Generator(r.PCG64(3)).random(), r.default_rng(3).random()]
    made += [r.PCG64(r.SeedSequence(3)).random_raw(), r.PCG64(r.SeedSequence(3).spawn(2)[1]).random_raw()]
    assert run(source).value == [*made, r.Philox(key=5).random_raw(), r.default_rng(3).random()]
