"""Keys of ordered dictionaries, which say what they are equal to in the middle of C's work, undo none of it.

The first three let go of the same memory twice in CPython 3.11 to 3.13. Run in a cage.
"""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import printed_in_folders

_KEYS = """
import collections
class Key:
    asked = None
    def __hash__(self): return 1
    def __eq__(self, other):
        global asked
        if asked:
            asked = False
            act()
        return self is other
    def __repr__(self): return 'key'
def act():
    global kept
    ordered.clear()
    kept = [bytearray(39) for _ in range(999)]
asked, keys = False, [Key() for _ in range(6)]
ordered = collections.OrderedDict((key, 1) for key in keys)
each = iter(ordered)
next(each)
asked = True
"""

ASKED = {
    "removed": "ordered.pop(keys[5], 'none')",
    "deleted": "del ordered[keys[5]]",
    "moved": "ordered.move_to_end(keys[5])",
    "moved to the beginning": "ordered.move_to_end(keys[5], last=False)",
    "gone through": "list(each)",
    "said": "repr(ordered)",
    "the first": "ordered.popitem(last=False)",
    "grown past it": "def act():\n    for number in range(9999): dict.__setitem__(ordered, number, number)\n"
    "ordered[keys[5]] = ordered.pop(keys[4])\n[*reversed(ordered)]",
}


@pytest.mark.parametrize("source", ASKED.values(), ids=ASKED)
def test_a_key_that_empties_its_dictionary_is_survived(session, source):
    failure = session.run(_KEYS + source).failure
    assert failure is None or failure.type in {"KeyError", "RuntimeError"}


_TAKEN_MEANWHILE = """
import collections
class Key:
    def __hash__(self): return 9_999
    def __eq__(self, other):
        global asking
        if asking:
            asking = False
            ordered.popitem(last=False)
        return self is other
asking = False
ordered = collections.OrderedDict.fromkeys([*range(700), Key(), Key()])
asking = True
for _ in range(300): ordered.popitem(last=False)
asking
"""


def test_a_key_may_take_the_first_one_while_places_are_closed(session):
    assert session.run(_TAKEN_MEANWHILE).value is False


AS_EVER = """
import collections, copy, json, pprint
class Own(collections.OrderedDict):
    def __delitem__(self, key): print('del', key); super().__delitem__(key)
    def __getitem__(self, key): print('get', key); return super().__getitem__(key)
    def __setitem__(self, key, value): print('set', key); super().__setitem__(key, value)
    def __contains__(self, key): print('in', key); return super().__contains__(key)
    def __missing__(self, key): print('missing', key); return 9
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
    def __hash__(self): return hash(self.x)
    def __repr__(self): return f'Point({self.x})'
own, ordered, kept = Own(a=1, b=2), collections.OrderedDict([(1, 'one'), (2, 'two'), ('x', 3)]), Point(1)
own.update(c=3, d=4)
points = collections.OrderedDict([(kept, 1), (Point(2), 2)])
points.move_to_end(Point(1))
ordered.move_to_end(True)
print(points, [*points][1] is kept, points.popitem(last=False), points.pop(Point(1)), points, ordered, [*reversed(ordered)], [*ordered.items()], ordered.keys(), ordered.values())
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
tried(lambda: own.pop('a'), lambda: own.popitem(), lambda: own.popitem(False), lambda: own.pop('z', 7), lambda: own.pop('zz'), lambda: own.setdefault('q', 1),
      lambda: own.setdefault('q', 2), lambda: own.move_to_end('q', False), lambda: own.move_to_end('zz'), lambda: own, lambda: copy.copy(own), lambda: own['none'],
      lambda: Own.fromkeys('xy'), lambda: own | {'m': 1}, lambda: {'m': 1} | own, lambda: dict(own), lambda: {**own}, lambda: own.popitem(last=False), lambda: own.get('q'), lambda: [*reversed(own.items())],
      lambda: own.items(), lambda: own.clear(), lambda: own, lambda: own.popitem(), lambda: own.popitem(last=False))
ordered['itself'] = ordered
tried(lambda: ordered, lambda: ordered.pop('itself') is ordered, lambda: dict(ordered), lambda: {**ordered}, lambda: json.dumps(ordered), lambda: ordered | ordered, lambda: ordered.copy(),
      lambda: copy.deepcopy(ordered), lambda: ordered == dict(ordered), lambda: ordered == collections.OrderedDict(reversed(ordered.items())), lambda: ordered.keys() & {1}, lambda: len(ordered))
pprint.pprint(collections.OrderedDict((letter * 20, letter) for letter in 'abcdefg'))
many = collections.OrderedDict.fromkeys(range(2000))
print(sum(many.popitem(last=False)[0] for _ in range(1500)), [*many][:3], len(many))
many |= {5: 6}
del many[1500]
print([*many][:2], [*many][-1])
"""


def test_an_ordered_dictionary_does_what_it_does_in_cpython(tmp_path):
    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours.splitlines() == plain.splitlines()
