"""Random programs full of aliases and changes in place: the slice gives what the whole gives, on other inputs too."""

from __future__ import annotations

import ast
import os
import random

import pytest

from codeact.records import Observation, Run, Step
from codeact.skills.join import join, with_return
from codeact.skills.slice import slices

FORMS = (
    "{n} = {v} + 1", "{n} = {m} * 2", "{n} += {m}", "{x} = [{n}, {m}]", "{x} = list({y})", "{x} = {y}", "{x}.append({n})",
    "{x}[0] = {n}", "{x}[-1] += {n}", "{x}.extend({y}[:2])", "{x} = sorted({y})", "{x}.sort()", "{x}.reverse()", "{n} = sum({x})",
    "{n} = len({x})", "{n} = {x}[0]", "{n} = max({x})", "{x} = [i + {n} for i in {y}]", "for i in {x}:\n    {n} += i",
    "for i in list({x}):\n    if i > {m}:\n        {y}.append(i)", "if {n} > {m}:\n    {x} = {y}\nelse:\n    {n} = {m}",
    "{d} = {{'a': {x}, 'b': {y}}}", "{d}['a'] = {x}", "{x} = {d}['a']", "{d}['b'].append({n})", "{e} = {d}", "{e} = dict({d})",
    "{n} = len({d}['a']) + len({d}['b'])", "def f(q):\n    q.append({n})\n    return len(q)", "{n} = f({x})", "{n} = f({d}['a'])",
    "def g(q):\n    return q + {n}", "{m} = g({m})", "h = lambda q: q * {m}", "{n} = h({n})", "{x} = list(map(g, {y}))",
    "def k():\n    global {n}\n    {n} = {n} + 1", "k()", "{x}, {y} = {y}, {x}", "{n}, {m} = {m}, {n}", "{x} = {y} + [{n}]",
    "w = iter({x})", "{n} = next(w, 0)", "{x} = [r for r in w]", "{x} = {y}[:]", "del {x}[0]", "{x}.insert(0, {n})",
    "pair = ({x}, {n})", "{y} = pair[0]", "{x} += [{n}]", "while {n} > 50:\n    {n} = {n} // 2", "print({n}, {x})",
    "try:\n    {n} = {x}[5]\nexcept IndexError:\n    {n} = -1", "{x} = {x}[:20] * 2", "{e}['a'].append({n})", "{y} = {e}['b']",
    "def g(q, by={n}):\n    return q + by", "h = (lambda by: lambda q: q + by)({n})", "{x}[:1] = [{n}, {m}]",
    "{n} = sum(i for i in {x} if i > {m})", "view = {d}.values()", "{n} = sum(map(len, view))", "P.n = {n}", "{n} = P.n",
    "class P:\n    n = {n}", "z = zip({x}, {y})", "{n} = len(list(z))", "def k():\n    {x}.append({n})", "P.of = {x}",
    "P.of.append({n})", "{d}.setdefault('c', {x}).append({n})", "{x} = [g(i) for i in {y}][:9]", "def h(q):\n    return g(q) + {n}",
    "s = gen({x})", "{n} = next(s, 1)", "{x} = {x} and [i for i in s][:9]",
)  # fmt: skip
SEEDS = int(os.environ.get("CODEACT_SEEDS", "40"))
START = "a, b, c = 1, 2, 3\nx = [a, b]\ny = list(given)\nd = {'a': [1], 'b': y}\ne = d\nw = iter([])\npair = (x, 1)\nview = d.values()\nz = zip(x, y)\ns = iter([])\n"
CALLED = (
    "def f(q): return len(q)\ndef g(q): return q\ndef h(q): return q\ndef k(): return 0\n"
    "def gen(q):\n    for i in q:\n        yield i * 2\nclass P:\n    n, of = 1, []\n"
)


def _program(seed: int) -> list[str]:
    chance = random.Random(seed)
    names = {"n": "abc", "m": "abc", "v": "abc", "x": "xy", "y": "xy", "d": "de", "e": "de"}
    lines = []
    for _ in range(chance.randint(8, 22)):
        form = chance.choice(FORMS)
        lines.append(form.format(**{name: chance.choice(among) for name, among in names.items()}))
    answer = chance.choice(["a", "b", "x", "y", "d", "e", "(a, x)", "(d, c)", "pair"])
    return [START, CALLED, *lines, f"final_answer({answer})"]


def _whole(lines: list[str], given: list[int]) -> object:
    answers: list[object] = []
    names = {"given": list(given), "final_answer": answers.append, "print": lambda *_: None}
    exec("\n".join(lines), names)
    return repr(answers[0])


def _skill(lines: list[str]) -> str:
    seen = Observation(ok=True)
    steps = [Step(index, "", code, seen) for index, code in enumerate(lines[:-1])]
    steps.append(Step(len(lines), "", lines[-1], Observation(ok=True, answered=True)))
    sliced = next(slices(Run("r", "", {"given": []}, "answered", steps=tuple(steps)), {}))
    program = with_return(join(list(sliced.nodes), outside=["given"]))
    body = "\n".join("    " + line for node in program.body for line in ast.unparse(node).split("\n"))
    return f"def skill(given):\n{body}\n" + "\n".join(map(ast.unparse, program.helpers))


@pytest.mark.parametrize("block", range(4))
def test_a_slice_gives_what_the_whole_program_gives(block: int) -> None:
    ran = 0
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        lines = _program(seed)
        names: dict = {}
        exec(_skill(lines), names)
        for given in ([3, 1, 2], [9, -4], [60, 70, 80, 90, 100, 5, 7]):
            try:
                wanted = _whole(lines, given)
            except (
                IndexError,
                ValueError,
                TypeError,
                KeyError,
                AttributeError,
                RecursionError,
            ):  # such a run would have failed
                continue
            ran += 1
            assert repr(names["skill"](list(given))) == wanted, "\n".join([*lines, "---", _skill(lines)])
    assert ran > SEEDS // 2
