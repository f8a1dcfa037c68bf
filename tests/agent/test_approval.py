"""Calls that somebody is asked about: yes, no, other arguments, later, and in another process."""

import subprocess
import sys
import threading

import pytest

from codeact import errors, events
from codeact.agent import Agent, replay
from codeact.agent.calls import Calls
from codeact.agent.driving import drive
from codeact.agent.effects import Effects
from codeact.agent.ledger import Ledger
from codeact.agent.nesting import Caller
from codeact.agent.preparing import Setting, asked
from codeact.agent.tape import Tape
from codeact.journal import read
from codeact.limits import Budget, Limits
from codeact.models import Stop
from codeact.testing import ScriptedModel
from codeact.toolbox import Toolbox, tool
from tests.agent.parts import SENT, DrivenTime, code, price, send


def test_a_call_that_writes_waits_for_approval_and_may_be_refused_or_changed(make):
    SENT.clear()
    answers = {"Ann": True, "Ben": False, "Cid": {"to": "Dan"}}
    asked = []

    def approve(name, arguments):
        asked.append(name)
        return answers[arguments["to"]]

    steps = [code("price('pear')\nsend('Ann')"), code("send('Ben')"), code("final_answer(send('Cid'))")]
    run = make(steps, tools=[send, price], approve=approve).run("go")
    assert (run.answer, SENT, asked) == ("sent to Dan", ["Ann", "Dan"], ["send"] * 3)
    assert "was not approved" in run.steps[1].observation.failure.message
    assert replay(run.journal).answer == "sent to Dan"


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


def test_a_resumed_run_tells_first_what_was_done_and_then_what_is_new(world, tmp_path):
    steps = [code("n = stock('pear')"), code("final_answer(mail('Ann'))")]
    paused = world.agent(tmp_path, steps, approve="pause").run("go")
    told = list(world.agent(tmp_path, []).stream_resume(paused.journal, decision=True))
    assert [event.step for event in told if isinstance(event, events.StepStarted)] == [1, 2]
    assert told[-1].run.answer is True
    assert world.calls == ["stock pear", "mail Ann"]


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


def test_a_run_that_is_gone_on_with_without_its_tools_says_so_and_still_waits(world, tmp_path):
    paused = world.agent(tmp_path, [code("final_answer(mail('Ann'))")], approve="pause").run("go")
    before = paused.journal.read_bytes()
    with pytest.raises(errors.UsageError, match="tools that are not there: mail, order, stock"):
        Agent(ScriptedModel([]), runs=None).resume(paused.journal, decision=True)
    assert paused.journal.read_bytes() == before
    assert world.agent(tmp_path, []).resume(paused.journal, decision=True).answer is True


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


def test_an_approval_that_comes_when_the_step_is_over_makes_no_call(world):
    def approve(name, arguments):
        calls.live = False
        return True

    calls = Calls(Caller(Ledger(Budget()), Stop(), lambda event: None, Effects(approve)), Tape(), None)
    mail = next(made for made in Toolbox(world.tools()).tools.values() if made.name == "mail")
    with pytest.raises(PermissionError, match="when its step was over"):
        calls.watched(mail).function("Ann")
    assert world.calls == []


def test_a_refusal_is_told_apart_from_a_tool_that_may_not(world, tmp_path):
    def shut(name: str) -> str:
        """Opens a door."""
        raise PermissionError("the door is locked")

    steps = [
        code("mail('Ann')"),
        code("shut('door')"),
        code("try:\n    mail('Ben')\nexcept PermissionError:\n    said = 'caught'\nsaid"),
    ]
    agent = Agent(ScriptedModel(steps), tools=[*world.tools(), shut], approve=lambda name, _: name == "shut",
                  runs=tmp_path, budget=Budget(steps=3))  # fmt: skip
    run = agent.run("go")
    refused, failed, caught = (step.observation for step in run.steps)
    assert (refused.failure.type, failed.failure.type) == ("NotApproved", "PermissionError")
    assert [seen.calls[0].refused for seen in (refused, failed, caught)] == [True, False, True]
    assert caught.value == "caught"
    assert replay(run.journal).steps[0].observation.failure == refused.failure


def test_the_time_a_person_thinks_is_not_counted(world, tmp_path, monkeypatch):
    host, left = DrivenTime(), []
    monkeypatch.setattr("codeact.clock.time", host)
    stop = Stop()

    def approve(name, arguments):
        before = stop.seconds_left
        host.ahead += 3600  # longer than the step and the run may take
        left.append(stop.seconds_left == before)
        return True

    agent = world.agent(tmp_path, [code("final_answer(mail('Ann'))")], approve=approve,
                        limits=Limits(wall_seconds=300), budget=Budget(wall_seconds=600))  # fmt: skip
    run = drive(agent, asked("go", None, ()), Setting(lambda event: None, stop))
    assert (run.ended, run.answer, left) == ("answered", True, [True])
    assert run.cost.wall_seconds < 3600


def test_an_approval_that_does_not_come_pauses_the_run(world, tmp_path):
    never = threading.Event()
    agent = world.agent(tmp_path, [code("final_answer(mail('Ann'))")], approve=lambda *_: never.wait(),
                        approval_seconds=0.05)  # fmt: skip
    run = agent.run("go")
    never.set()
    assert (run.ended, world.calls) == ("paused", [])
    assert world.agent(tmp_path, []).resume(run.journal, decision=True).answer is True


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: 1 / 0, r"Agent\(approve=…\) failed: ZeroDivisionError"),
        (lambda: "yes", 'True, False, other arguments as a mapping, or "pause" is needed'),
        (lambda: {"whom": "Ben"}, "cannot be called with the changed arguments"),
    ],
)
def test_an_approval_that_makes_no_sense_is_the_users_error_and_not_the_models(world, tmp_path, answer, said):
    agent = world.agent(tmp_path, [code("mail('Ann')"), "never"], approve=lambda *_: answer())
    with pytest.raises(errors.UsageError, match=said):
        agent.run("go")
    assert world.calls == []


def test_changed_arguments_that_do_not_fit_leave_the_run_waiting(world, tmp_path):
    paused = world.agent(tmp_path, [code("final_answer(mail('Ann'))")], approve="pause").run("go")
    with pytest.raises(errors.UsageError, match="changed arguments"):
        world.agent(tmp_path, []).resume(paused.journal, decision={"whom": "Ben"})
    assert world.agent(tmp_path, []).resume(paused.journal, decision={"to": "Ben"}).answer is True
    assert world.calls == ["mail Ben"]


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


@pytest.mark.parametrize("names", [["a", "b", "c"], ["a", "a", "a"]])
def test_calls_side_by_side_are_decided_one_after_the_other_and_each_decision_is_for_the_call_that_was_named(
    world, tmp_path, names
):
    run = world.agent(tmp_path, [code(f"final_answer(mail.map({names}))")], approve="pause").run("go")
    named = []
    while run.ended == "paused":
        assert len(world.calls) == len(named)
        (*_, waiting) = read(run.journal).of("waiting")
        assert run.reason == f"mail({waiting['arguments']}) waits for a decision"
        named.append(f"mail {waiting['arguments']['to']}")
        run = world.agent(tmp_path, [], approve="pause").resume(run.journal, decision=True)
    assert run.answer == [True] * 3
    assert world.calls == named
    assert sorted(named) == [f"mail {name}" for name in names]
    assert replay(run.journal).answer == run.answer
