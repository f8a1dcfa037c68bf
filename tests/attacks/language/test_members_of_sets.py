"""Members that change the set they are in while C looks for a place in it lead to nothing that is gone. Run in a cage.

In CPython 3.11 to 3.13 the set counts one too many for each of them, and the process ends where it is emptied.
"""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import printed_in_folders

_MEMBER = """
class Member:
    def __hash__(self): return 7
    def __eq__(self, other):
        global depth
        if depth:
            depth -= 1
            CHANGE
        return False
"""
_SET = """
depth, members = 0, set()
add, adding, join, fill, exchange = members.add, set.add, members.__ior__, members.__init__, members.__ixor__
"""
_EMPTIED = """
first = Member()
members.update([first, Member()])
members.discard(first)
depth = 61
CHANGE
told = len(members) - len([*members])
members.clear()
told"""
CHANGES = {
    "added": "members.add(Member())",
    "added by what was picked up": "add(Member())",
    "added by what is of all sets": "adding(members, Member())",
    "updated": "members.update([Member(), Member()])",
    "updated by what is gone through": "members.update(Member() for _ in 'ab')",
    "joined": "members |= {Member()}",
    "joined by what was picked up": "join({Member()})",
    # Every second time, as what is exchanged is first looked for, to be taken out.
    "exchanged": "if depth % 2: members ^= {Member()}",
    "exchanged by a method": "if depth % 2: members.symmetric_difference_update([Member()])",
    "exchanged by what was picked up": "if depth % 2: exchange({Member()})",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_set_that_its_members_add_to_counts_those_it_has(session, change):
    declared = _MEMBER.replace("global depth", "global depth, members")
    source = _SET + (declared + _EMPTIED).replace("CHANGE", change)
    assert session.run(source).value == 0


def test_a_class_that_is_made_in_the_middle_counts_as_well(session):
    source = f"""{_SET}
def given():
    global first, depth
    exec_class()
    first = Member()
    yield first
    yield Member()
    members.discard(first)
    depth = 60
    yield Member()
def exec_class():
    global Member
{"".join(f"    {line}{chr(10)}" for line in _MEMBER.replace("CHANGE", "members.add(Member())").strip().splitlines())}
members.update(given())
told = len(members) - len([*members])
members.clear()
told"""
    assert session.run(source).value == 0


def test_records_may_add_to_the_set_they_are_in(session):
    source = f"""import dataclasses
{_SET}
@dataclasses.dataclass(frozen=True)
class Member: x: int = dataclasses.field(hash=False)
def asked(self):
    global depth
    if depth:
        depth -= 1
        members.add(Member())
    return id(self)
Member.__init__, Member.x = lambda self: None, property(asked)
{_EMPTIED.replace("CHANGE", "members.add(Member())")}"""
    assert session.run(source).value == 0


def test_members_may_change_sets_in_any_way(session):
    source = """
import random
random.seed(5)
class Member:
    def __init__(self, number): self.number = number
    def __hash__(self): return ask() or self.number
    def __eq__(self, other): return ask() or random.random() < .3
depth, sets = 0, [set(), set(), set()]
def some(): return [Member(random.choice((1, 1, 2, 9, 33))) for _ in range(random.choice((1, 3, 9)))]
def ask():
    global depth
    if depth > 3 or random.random() > .1: return 0
    depth += 1
    try: change()
    finally: depth -= 1
    return 0
def change():
    one, other, (member, *more) = random.choice(sets), random.choice(sets), some()
    try:
        random.choice((
            one.clear, one.pop, lambda: one.add(member), lambda: one.remove(random.choice([*one, member])),
            lambda: one.update(more), lambda: one.__ior__(other), lambda: one.__ixor__(other), lambda: one.__iand__(other),
            lambda: one.__isub__(other), lambda: one.symmetric_difference_update(more), lambda: one.__init__(more),
            lambda: one.difference_update(more), lambda: one.intersection_update([*one, member]), lambda: one ^ other,
        ))()
    except (KeyError, RuntimeError): pass
wrong = 0
for turn in range(6_000):
    change()
    if turn % 9 == 0: sets = [set(), set(), set()]
    wrong += sum(len(one) != len([*one]) for one in sets)
wrong"""
    assert session.run(source).value == 0


AS_EVER = """
class Member:
    def __init__(self, number): self.number = number
    def __hash__(self): return hash(self.number)
    def __eq__(self, other): return isinstance(other, Member) and self.number == other.number
class Own(set):
    def __iter__(self): return iter('xyz')
def broken():
    yield 1
    raise ValueError('broken')
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
def changed(one, name, *given):
    tried(lambda: getattr(one, name)(*given))
    print(sorted(map(str, set.__iter__(one))), len(one))
for kind in (set, Own):
    for name in ('update', 'symmetric_difference_update', '__ior__', '__ixor__', '__isub__', '__iand__', '__init__'):
        for given in ({2, 3}, frozenset([4]), Own([3, 5]), {6: 1}, [1, 1], 'ab', (x for x in (1, 7)), broken(), 5, [[]], {2: 1}.keys()):
            changed(kind([1, 2, 3]), name, given)
one = {Member(1)}
one.add(Member(1)), one.add(Member(2)), one.update({Member(2): 1, Member(3): 2}, [Member(4)], one)
print(sorted(each.number for each in one), one.add(1), one.update(), one.update([1], [2]))
kept = one
one |= {8}
one ^= {8, 9}
one ^= one
print(one, kept is one, kept.add.__name__, set.add.__doc__ is not None, set.__ior__.__name__)
tried(lambda: set.add(5, 1), lambda: set.add([], 1), lambda: set.update(5), lambda: set.__ior__(5, {1}),
      lambda: one.add([]), lambda: one.__init__(1, 2), lambda: set.symmetric_difference_update(5, []), lambda: one.update([1], 5), lambda: frozenset([1]).__or__({2}))
frozen = frozenset([1])
frozen |= {2}
frozen ^= {1}
print(frozen, type(frozen).__name__)
"""


def test_sets_are_changed_as_ever(tmp_path):
    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours.splitlines() == plain.splitlines()
