"""The attacks that ship: none gets through, and they are not blind."""

from __future__ import annotations

import pytest

from codeact.session.attacks.run import KINDS, attack, sources

# The endings take their sessions' time to the last: the test of `codeact doctor --attack` makes these, with all others.
QUICK = [kind for kind in KINDS if kind != "endings"]


@pytest.mark.parametrize("kind", QUICK)
def test_no_attack_gets_through(kind):
    attempts = list(attack(kinds=[kind]))

    assert [attempt.what for attempt in attempts] == list(sources(kind))
    assert [attempt for attempt in attempts if attempt.through] == []


@pytest.mark.parametrize(
    ("wall", "kind", "what"),
    [
        ("landlock", "files", "list the root"),
        ("files", "files", "see the list of users"),
        ("limits", "memory", "memory mapped"),  # none of it is touched, so it takes no time
        ("processes", "processes", "processes without end"),
    ],
)
def test_an_attack_gets_through_where_its_wall_is_missing(wall, kind, what):
    assert what in {attempt.what for attempt in attack(without=[wall], kinds=[kind]) if attempt.through}
