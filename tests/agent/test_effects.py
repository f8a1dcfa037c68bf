"""What a tool declares to do to the world, and what follows from it."""

import subprocess
import sys
import textwrap
import threading

import pytest

from codeact import errors, events
from codeact.agent import Agent, replay
from codeact.journal import read
from codeact.limits import Budget, Limits
from codeact.testing import ScriptedModel
from codeact.toolbox import tool


def code(source):
    return f"```python\n{textwrap.dedent(source).strip()}\n```"


class World:
    """What tools change, and how often each was called."""

    def __init__(self):
        self.calls, self.orders, self.failing = [], {}, []

    def tools(self, **declared):
        world = self

        @tool(effect="write", undo=lambda call: world.orders.pop(call.result))
        def order(item: str) -> str:
            """Orders something."""
            world.calls.append(f"order {item}")
            world.orders[f"no. {len(world.calls)}"] = item
            return f"no. {len(world.calls)}"

        @tool(effect="irreversible")
        def mail(to: str) -> bool:
            """Sends a mail."""
            world.calls.append(f"mail {to}")
            return True

        @tool(effect="read", **declared)
        def stock(item: str) -> int:
            """How many there are."""
            world.calls.append(f"stock {item}")
            if world.failing:
                raise world.failing.pop()
            return len(world.calls)

        return [order, mail, stock]

    def agent(self, tmp_path, replies, *, declared=None, **options):
        model = replies if hasattr(replies, "reply") else ScriptedModel(replies)
        return Agent(model, tools=self.tools(**(declared or {})), **{"runs": tmp_path / "runs", **options})


@pytest.fixture
def world():
    return World()


# ---------------------------------------------------------------------------------------------------- declaring
@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"effect": "maybe"}, "one of read"),
        ({"effect": "write", "cache": True}, "only what a read comes to"),
        ({"effect": "read", "undo": print}, "nothing to undo"),
        ({"effect": "irreversible", "undo": print}, "nothing to undo"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(declared, said):
    with pytest.raises(errors.ToolError, match=said):
        tool(**declared)


# ---------------------------------------------------------------------------------------------------- reads
def test_a_read_that_does_not_get_through_is_made_again_and_a_write_is_not(world, tmp_path):
    world.failing = [ConnectionResetError("gone"), TimeoutError("late")]
    assert world.agent(tmp_path, [code("final_answer(stock('pear'))")]).run("go").answer == 3
    writes = []

    @tool(effect="write")
    def save(x: int) -> int:
        """Saves."""
        writes.append(x)
        raise ConnectionResetError("gone")

    Agent(ScriptedModel([code("save(1)"), "no"]), tools=[save], runs=None).run("go")
    assert writes == [1]


def test_a_read_that_fails_for_another_reason_is_not_made_again(world, tmp_path):
    world.failing = [ValueError("no such item")]
    run = world.agent(tmp_path, [code("stock('pear')"), "no"]).run("go")
    assert world.calls == ["stock pear"]
    assert "no such item" in run.steps[0].observation.failure.message


def test_an_async_read_is_made_again_too(tmp_path):
    failing = [ConnectionResetError("gone")]

    @tool(effect="read")
    async def look(x: int) -> int:
        """Looks."""
        if failing:
            raise failing.pop()
        return x

    assert Agent(ScriptedModel([code("final_answer(look(4))")]), tools=[look], runs=None).run("go").answer == 4


def test_a_read_that_may_be_kept_is_made_once_until_something_changes(world, tmp_path):
    steps = [code("a = [stock('pear'), stock('pear'), stock('fig')]"), code("1 / 0"),
             code("b = stock('pear')\norder('x')\nfinal_answer([a, b, stock('pear')])")]  # fmt: skip
    run = world.agent(tmp_path, steps, declared={"cache": True}).run("go")
    assert run.answer == [[1, 1, 2], 1, 4]
    assert world.calls == ["stock pear", "stock fig", "order x", "stock pear"]
    assert replay(run.journal).answer == run.answer


def test_reads_are_not_kept_unless_that_is_said(world, tmp_path):
    assert world.agent(tmp_path, [code("final_answer([stock('a'), stock('a')])")]).run("go").answer == [1, 2]


# ---------------------------------------------------------------------------------------------------- dry runs
def test_a_dry_run_reads_and_lists_what_it_would_change(world, tmp_path):
    model = ScriptedModel([code("n = stock('pear')\nr = order('pear')\nok = mail('Ann')\nfinal_answer([n, r, ok])")])
    run = world.agent(tmp_path, model, dry_run=True).run("go")
    assert world.calls == ["stock pear"]
    assert run.answer == [1, "(dry run: order was not called)", True]
    assert [(call.tool, call.arguments) for call in run.withheld] == [
        ("order", {"item": "pear"}),
        ("mail", {"to": "Ann"}),
    ]
    assert "This is a dry run" in model.seen[0][1].content
    assert world.agent(tmp_path, []).undo(run.journal) == ()
    assert replay(run.journal).answer == run.answer


def test_a_dry_run_that_is_gone_on_with_stays_dry(world, tmp_path):
    run = world.agent(tmp_path, [code("order('a')")], dry_run=True, budget=Budget(steps=1)).run("go")
    resumed = world.agent(tmp_path, [code("order('b')"), "done"]).resume(run.journal)
    assert (resumed.answer, world.calls) == ("done", [])


# ---------------------------------------------------------------------------------------------------- undo
def test_what_a_run_changed_is_taken_back_in_reverse_order_and_once(world, tmp_path):
    steps = [code("order('a')\nmail('Ann')\nstock('a')"), code("order('b')"), code("final_answer(1)")]
    agent = world.agent(tmp_path, steps)
    run = agent.run("go")
    assert list(world.orders.values()) == ["a", "b"]
    undone = agent.undo(run.journal)
    assert [(done.call.tool, done.problem) for done in undone] == [
        ("order", ""), ("mail", "it is irreversible"), ("order", ""),
    ]  # fmt: skip
    assert undone[0].call.arguments == {"item": "b"}
    assert world.orders == {}
    assert [done.call.tool for done in agent.undo(run.journal)] == ["mail"]


def test_a_change_that_cannot_be_taken_back_is_named_and_those_before_it_still_are(world, tmp_path):
    agent = world.agent(tmp_path, [code("order('a')\norder('b')"), "done"])
    run = agent.run("go")
    del world.orders["no. 2"]
    assert [done.problem for done in agent.undo(run.journal)] == ["KeyError: 'no. 2'", ""]


def test_a_run_that_was_taken_back_is_not_gone_on_with(world, tmp_path):
    agent = world.agent(tmp_path, [code("order('a')")], budget=Budget(steps=1))
    run = agent.run("go")
    agent.undo(run.journal)
    with pytest.raises(errors.JournalError, match="taken back: start it anew"):
        agent.resume(run.journal)


# ---------------------------------------------------------------------------------------------------- approval
def test_a_run_pauses_at_the_very_call_and_goes_on_from_it_after_a_yes(world, tmp_path):
    steps = [code("n = stock('pear')\na = order('first')\nb = mail('Ann')\nfinal_answer([n, a, b])")]
    told = []

    def approve(name, arguments):
        return "pause" if name == "mail" else True

    run = world.agent(tmp_path, steps, approve=approve).run("go", on_event=told.append)
    assert (run.ended, run.reason) == ("paused", "mail({'to': 'Ann'}) waits for a decision")
    assert events.Paused(1, "mail", {"to": "Ann"}) in told
    assert world.calls == ["stock pear", "order first"]
    run = world.agent(tmp_path, ["never"]).resume(run.journal, decision=True)
    assert run.answer == [1, "no. 2", True]
    assert world.calls == ["stock pear", "order first", "mail Ann"]
    assert replay(run.journal).answer == run.answer


@pytest.mark.parametrize(
    ("decision", "sent", "answer"),
    [(False, [], "not approved"), ({"to": "Ben"}, ["mail Ben"], "True"), (True, ["mail Ann"], "True")],
)
def test_a_paused_call_may_be_refused_or_changed(world, tmp_path, decision, sent, answer):
    snippet = "try:\n    r = str(mail('Ann'))\nexcept PermissionError as error:\n    r = str(error)\nfinal_answer(r)"
    paused = world.agent(tmp_path, [code(snippet)], approve="pause").run("go")
    assert (paused.ended, world.calls) == ("paused", [])
    run = world.agent(tmp_path, [], approve="pause").resume(paused.journal, decision=decision)
    assert answer in run.answer
    assert world.calls == sent


def test_a_run_pauses_again_at_the_next_call(world, tmp_path):
    paused = world.agent(tmp_path, [code("final_answer([mail(x) for x in 'ab'])")], approve="pause").run("go")
    paused = world.agent(tmp_path, [], approve="pause").resume(paused.journal, decision=True)
    assert (paused.ended, world.calls) == ("paused", ["mail a"])
    run = world.agent(tmp_path, [], approve="pause").resume(paused.journal, decision=True)
    assert (run.answer, world.calls) == ([True, True], ["mail a", "mail b"])


def test_a_decision_is_only_for_a_run_that_waits_for_one(world, tmp_path):
    run = world.agent(tmp_path, [code("1")], budget=Budget(steps=1)).run("go")
    with pytest.raises(errors.UsageError, match="does not wait for a decision"):
        world.agent(tmp_path, []).resume(run.journal, decision=True)


def test_what_was_drawn_by_chance_before_the_pause_is_drawn_again(world, tmp_path):
    snippet = "import random\nx = random.random()\nfinal_answer([x, order(str(x))])"
    paused = world.agent(tmp_path, [code(snippet)], approve="pause").run("go")
    (waiting,) = read(paused.journal).of("waiting")
    run = world.agent(tmp_path, []).resume(paused.journal, decision=True)
    assert str(run.answer[0]) == waiting["arguments"]["item"]


def test_a_tool_may_say_itself_whether_it_is_asked_about(tmp_path):
    made = []

    @tool(effect="write", approve=lambda arguments: arguments["amount"] < 10)
    def pay(amount: int) -> str:
        """Pays."""
        made.append(amount)
        return "paid"

    @tool(effect="write", approve=False)
    def log(text: str) -> None:
        """Logs."""
        made.append(text)

    @tool(effect="read", approve=True)
    def peek(secret: str) -> str:
        """Looks at a secret."""
        made.append(secret)
        return secret

    def ask(name, arguments):
        raise AssertionError("nobody is asked about log")

    agent = Agent(ScriptedModel([code("log('x')\npay(5)\npay(50)"), "no"]), tools=[pay, log], approve=ask, runs=None)
    run = agent.run("go")
    assert made == ["x", 5]
    assert "pay() was not approved" in run.steps[0].observation.failure.message
    paused = Agent(ScriptedModel([code("peek('s')")]), tools=[peek], runs=tmp_path).run("go")
    assert (paused.ended, made) == ("paused", ["x", 5])


def test_an_approval_that_comes_when_the_step_is_over_makes_no_call(world, tmp_path):
    comes, came = threading.Event(), threading.Event()

    def approve(name, arguments):
        comes.wait(30)
        came.set()
        return True

    def reply(messages):
        if len(messages) == 2:
            return code("mail('Ann')")
        comes.set()
        came.wait(30)
        return "I gave up."

    agent = world.agent(tmp_path, ScriptedModel(reply), approve=approve, limits=Limits(wall_seconds=0.5))
    run = agent.run("go")
    assert (run.answer, run.steps[0].observation.failure.kind) == ("I gave up.", "limit")
    assert world.calls == []


PROGRAM = """
import sys
from codeact.agent import Agent
from codeact.testing import ScriptedModel
from codeact.toolbox import tool

@tool(effect="irreversible")
def mail(to: str) -> str:
    "Sends a mail."
    print("mail to", to)
    return "sent"

script = ["```python\\nx = [1, 2]\\nfinal_answer([x, mail('Ann')])\\n```"]
if sys.argv[2] == "run":
    run = Agent(ScriptedModel(script), tools=[mail], approve="pause", runs=None).run("go", record=sys.argv[1])
else:
    run = Agent(ScriptedModel([]), tools=[mail], runs=None).resume(sys.argv[1], decision={"to": "Ben"})
print(run.ended, run.answer)
"""


def test_a_paused_run_goes_on_in_another_process(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)

    def ran(what):
        command = [sys.executable, tmp_path / "program.py", tmp_path / "run.jsonl", what]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert ran("run") == "paused None\n"
    assert ran("resume") == "mail to Ben\nanswered [[1, 2], 'sent']\n"


def test_a_paused_run_that_is_gone_on_with_without_a_decision_pauses_again(world, tmp_path):
    paused = world.agent(tmp_path, [code("mail('Ann')")], approve="pause").run("go")
    assert world.agent(tmp_path, []).resume(paused.journal).ended == "paused"
    assert world.calls == []
