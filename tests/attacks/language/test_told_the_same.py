"""A snippet counts as coming to the same each time only where no address is in reach."""

from __future__ import annotations

import pytest

from codeact.snippet.program import Program, compile_snippet

OWN = "class A:\n    def __repr__(self): return 'a'\n"

ADDRESSES = {
    "what its class said is gone, by a computed name": "type.__delattr__(A, '__re' + 'pr__')\nf'{A()}'",
    "it says another thing, by a computed name": "type.__setattr__(A, '__re' + 'pr__', None)\nf'{A()}'",
    "by another name": "drop = type.__delattr__\ndrop(A, '__re' + 'pr__')\nf'{A()}'",
    "by super": "class M(type):\n    def drop(cls, name): super().__delattr__(name)",
}


@pytest.mark.parametrize("source", ADDRESSES.values(), ids=ADDRESSES)
def test_what_may_show_an_address_is_not_taken_for_the_same(source):
    program = compile_snippet(OWN + source, protected=frozenset())
    assert isinstance(program, Program)
    assert not program.steady
