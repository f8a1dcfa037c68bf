"""A method of C that is called without an object, where there was one each time before, says so and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import types

import pytest

from codeact import Session
from codeact.snippet import unbound

#: An object, its class, and a method that takes none of what it may be given.
METHODS = {
    "a text": ("'a b'", "str", "split"),
    "a text's end": ("' a'", "str", "strip"),
    "bytes": ("b'a'", "bytes", "decode"),
    "a table": ("{1: 2}", "dict", "pop"),
    "a list": ("[1]", "list", "pop"),
}

#: A function with so many variables that those of what it calls stand in memory nobody has used.
_WIDE = f"def wide(function, given):\n    {' = '.join(f'a{number}' for number in range(3_000))} = None\n"


@pytest.mark.parametrize(("call", "kind", "name"), METHODS.values(), ids=METHODS)
def test_nothing_that_was_left_in_memory_is_taken_for_the_object(call: str, kind: str, name: str) -> None:
    source = (
        f"kept = {call}\ndef ask(x):\n    held = (x, x, kept)\n    return x.{name}()\n"
        f"for number in range(1_000):\n    try: ask({call})\n    except TypeError: pass\n"
        f"try: ask({kind})\nexcept TypeError as error: told = str(error)\ntold"
    )
    with Session() as session:
        assert session.run(source).value == f"unbound method {kind}.{name}() needs an argument"


def test_a_library_does_not_either() -> None:
    source = (
        f"import email.utils\n{_WIDE}    return function(given)\nclass Text(str): pass\n"
        "for number in range(1_000): email.utils.parsedate('Mon, 1 Jan 2020 00:00:00 +0000')\n"
        "try: wide(email.utils.parsedate, Text)\nexcept TypeError as error: told = str(error)\ntold"
    )
    with Session() as session:
        assert session.run(source).value == "unbound method str.split() needs an argument"


def test_methods_are_called_as_ever() -> None:
    unbound.guard()
    text, numbers = "a,b", {1: 2}
    for _ in range(1_000):
        assert (text.split(), b"a".decode(), numbers.get(1), numbers.pop(2, 3)) == ([text], "a", 2, 3)
    assert text.split(sep=",") == str.split(text, ",") == ["a", "b"]
    assert (str.split.__name__, str.split.__objclass__, type("".split)) == ("split", str, types.BuiltinMethodType)


@pytest.mark.skipif(sys.version_info >= (3, 13, 4), reason="CPython looks by itself")
def test_each_is_told_once() -> None:
    unbound.guard()
    kept = len(unbound._told)
    unbound.keep(str)
    assert len(unbound._told) == kept


LATE = """
import builtins, sys, warnings
class Late:
    def __del__(self):
        for _ in range(100): "a b".split(), b"a".decode(), {}.get(1)
builtins.late, sys.late = Late(), Late()
warnings.simplefilter("ignore")
from codeact import Session
with Session(isolation="inline") as session: assert session.run("1 + 1").value == 2
"""


def test_a_program_with_a_session_in_it_ends_as_ever() -> None:
    cleared = {**os.environ, "PYTHONMALLOC": "debug"}  # memory that was given back is overwritten
    assert subprocess.run([sys.executable, "-c", LATE], env=cleared, check=False, timeout=120).returncode == 0
