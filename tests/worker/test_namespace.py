"""A session's state: what a step leaves behind, what it gives back, and what it cannot touch."""

from __future__ import annotations

import decimal
import sys

import pytest

from codeact.limits import Policy
from codeact.records import Parameter, SkillSource, ToolSpec
from codeact.worker.namespace import Namespace
from tests.snippet.running import Step, failure_of, value_of


def test_the_last_expression_is_the_value() -> None:
    outcome = Step().run("x = 20\nx + 1")
    assert (outcome.value, outcome.has_value, outcome.text) == (21, True, "21")


@pytest.mark.parametrize(
    "source", ["x = 1", "if 1: 5", "with open('l1-test.txt', 'w') as f: f.write('a')", "", "def f(): 1"]
)
def test_a_statement_has_no_value(source: str) -> None:
    outcome = Step().run(source)
    assert (outcome.value, outcome.has_value, outcome.failure) == (None, False, None)


def test_an_exception_keeps_what_was_assigned_before_it() -> None:
    step = Step()
    assert step.run("a = 1\nb = a / 0\nc = 2").failure is not None
    assert sorted(step.namespace.variables()) == ["a"]


@pytest.mark.parametrize(
    "last",
    [
        "del x\nx",
        "missing += 1",
        "import subprocess",
        "from subprocess import run",
        "missing",
        "def f():\n    x\nf(), missing",
    ],
)
def test_what_is_certain_to_fail_is_said_before_a_name_is_bound(last: str) -> None:
    step = Step(check_first=True)
    step.run("x = 1")
    for _ in range(2):  # compiled once, checked each time
        failure = step.run(f"bound = x\n{last}").failure
        assert failure is not None
        assert failure.kind == "refused"
    assert sorted(step.namespace.variables()) == ["x"]


def test_what_is_refused_and_what_is_certain_to_fail_is_reported_together() -> None:
    failure = (
        Step(check_first=True).run("print(1)\nx = ().__subclasses__\nimport socket\nfinal_answer = missing").failure
    )
    assert failure is not None
    assert failure.message == "4 things to put right before this can run"
    for told in ("__subclasses__", "the module 'socket'", "name of the session", "'missing' is not defined"):
        assert told in failure.excerpt


def test_a_name_that_a_function_of_an_earlier_step_may_bind_is_not_reported() -> None:
    step = Step(check_first=True)
    step.run("def begin():\n    global started\n    started = 1")
    assert step.run("begin()\nstarted").value == 1
    step.run("def other():\n    exec('late = 2', globals())")
    assert step.run("x = 1\nlate").failure is not None  # CPython says so, not the check
    assert sorted(step.namespace.variables()) == ["begin", "other", "started", "x"]


def test_a_repeated_call_is_held_against_the_tool_there_is_now() -> None:
    step = Step(check_first=True)
    step.namespace.protect("twice", lambda n: 2 * n, ToolSpec("twice", (Parameter("n", annotation="int"),)))
    assert [step.run("twice(n=4)").value for _ in range(2)] == [8, 8]
    step.namespace.protect("twice", lambda m: 2 * m, ToolSpec("twice", (Parameter("m", annotation="int"),)))
    failure = step.run("twice(n=4)").failure
    assert failure is not None
    assert "no parameter 'n'" in failure.message + failure.excerpt


def test_variables_are_described_without_running_code() -> None:
    step = Step()
    step.run(
        "class A:\n    def __repr__(self):\n        print('ran')\n        return 'A'\na = A()\nimport math\nn = [1, 2]"
    )
    variables = step.namespace.variables()
    assert sorted(variables) == ["A", "a", "n"]
    assert (variables["n"].type, variables["n"].text) == ("list", "[1, 2]")
    assert step.printed == ""


def test_inputs_are_variables_and_tools_are_not() -> None:
    step = Step()
    step.namespace.assign({"rows": [1, 2, 3]})
    step.namespace.protect("tool", sum)
    assert step.run("tool(rows)").value == 6
    assert sorted(step.namespace.variables()) == ["rows"]
    with pytest.raises(ValueError, match="tool"):
        step.namespace.assign({"tool": 1})


def test_awaiting_at_the_top_works() -> None:
    assert (
        value_of(
            "import asyncio\nasync def f(x): return x * 2\na, b = await asyncio.gather(f(1), f(2))\nawait f(a + b)"
        )
        == 12
    )


def test_an_exception_that_writes_its_own_message_may() -> None:
    failure = Step().run("class E(Exception):\n    def __str__(self): return 'mine'\nraise E(1)").failure
    assert failure is not None
    assert (failure.type, failure.message) == ("E", "mine")


def test_a_message_that_never_ends_ends_with_the_budget() -> None:
    source = "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E(1)"
    failure = Step().run(source, operations=1000).failure
    assert failure is not None
    assert failure.kind == "limit"


def test_a_repr_that_never_ends_ends_with_the_budget() -> None:
    failure = Step().run("class R:\n    def __repr__(self):\n        while True: pass\nR()", operations=1000).failure
    assert failure is not None
    assert failure.kind == "limit"


@pytest.mark.parametrize(
    "source", ["raise SystemExit(3)", "raise KeyboardInterrupt", "raise GeneratorExit", "raise BaseException('x')"]
)
def test_no_exception_leaves_the_namespace(source: str) -> None:
    failure = Step().run(source).failure
    assert failure is not None
    assert failure.kind == "raised"


def test_a_step_leaves_the_process_as_it_was() -> None:
    before = (sys.getrecursionlimit(), sys.unraisablehook, decimal.getcontext().prec, sys.stdout)
    step = Step()
    step.run(
        "import decimal\ndecimal.getcontext().prec = 5\ndef f(): return f()\ntry: f()\nexcept RecursionError: pass"
    )
    assert (sys.getrecursionlimit(), sys.unraisablehook, decimal.getcontext().prec, sys.stdout) == before
    assert str(step.run("decimal.Decimal(1) / 3").value) == "0.33333"


def test_two_namespaces_share_nothing() -> None:
    first, second = Step(), Step()
    first.run("import math, decimal\nx = 1\ndecimal.getcontext().prec = 3")
    assert second.run("import decimal\ndecimal.getcontext().prec").value == 28
    assert sorted(second.namespace.variables()) == []


SKILL = SkillSource(
    "double_rate",
    "import math\ndef double_rate(x):\n    return helper(x) * rate()\ndef helper(x): return math.floor(x)\n",
    (),
    ("rate",),
)


def test_a_skill_has_globals_of_its_own() -> None:
    step = Step()
    step.namespace.protect("rate", lambda: 2)
    step.namespace.protect("secret", lambda: "no")
    step.namespace.define_skill(SKILL)
    assert step.run("double_rate(4.7)").value == 8
    assert sorted(step.namespace.variables()) == []
    step.namespace.define_skill(SkillSource("peek", "def peek(): return secret()"))
    failure = step.run("peek()").failure
    assert failure is not None
    assert failure.type == "NameError"


def test_a_skill_is_counted_and_cannot_be_rebound() -> None:
    step = Step()
    step.namespace.define_skill(SkillSource("spin", "def spin(n):\n    for i in range(n): pass"))
    assert step.run("spin(100)").loops == 100
    assert step.run("spin = 1").failure is not None
    failure = step.run("spin(10**9)", operations=1000).failure
    assert failure is not None
    assert failure.kind == "limit"


@pytest.mark.parametrize(
    "skill",
    [
        SkillSource("s", "def other(): pass"),
        SkillSource("s", "def s(): pass", tools=("missing",)),
        SkillSource("s", "def s(:"),
        SkillSource("s", "s = ().__subclasses__"),
        SkillSource("s", "while True: pass"),
    ],
)
def test_a_broken_skill_is_an_error_that_says_why(skill: SkillSource) -> None:
    with pytest.raises((NameError, SyntaxError, RuntimeError), match=r"\w"):
        Step().namespace.define_skill(skill)


def test_unchecked_code_runs_as_it_is() -> None:
    namespace = Namespace(Policy(), folder=".", output=print, checked=False)
    assert namespace.run("().__class__.__name__", operations=0, text_chars=100).value == "tuple"


def test_a_recursion_limit_holds_for_the_steps_that_follow() -> None:
    deep = "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nf(3000)"
    assert failure_of(deep) == ("raised", "RecursionError")
    assert value_of("import sys\nsys.setrecursionlimit(5000)", f"{deep}\n(f(3000), sys.getrecursionlimit())") == (
        3000,
        5000,
    )


def test_a_recursion_limit_that_cannot_be_kept_is_refused() -> None:
    assert failure_of("import sys\nsys.setrecursionlimit(100)") == ("refused", "RuntimeError")


def test_an_exception_of_a_task_that_nobody_waits_for_is_not_written_to_the_host(capfd) -> None:
    source = (
        "import asyncio, gc\nasync def bad(): raise ValueError('lost')\n"
        "async def main():\n    asyncio.create_task(bad())\n    await asyncio.sleep(0)\n    gc = None\n"
    )
    assert value_of(f"{source.replace(', gc', '')}asyncio.run(main())\n1") == 1
    assert value_of(f"{source.replace(', gc', '')}await main()\n1") == 1
    assert "lost" not in capfd.readouterr().err
