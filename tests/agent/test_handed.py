"""What is handed to an agent besides tools is called at once: what is async would do nothing, and pass for done."""

import numpy
import pytest

from codeact import errors
from codeact.session.settings import Listener
from codeact.toolbox import tool
from tests.agent.parts import code


async def _later(*given):
    """Never waited for."""
    return "no"


def test_what_is_async_or_takes_something_else_is_refused_where_it_is_handed_over(make):
    for given in (_later, lambda: None):
        with pytest.raises(errors.UsageError, match=r"on_event=.*: a function of an event, not async"):
            make([]).run("go", on_event=given)
        with pytest.raises(errors.UsageError, match=r"Listener\(call_started=.*: a function of 2 arguments, not async"):
            Listener(call_started=given)
        for declared in ({"undo": given}, {"approve": given}):
            with pytest.raises(errors.ToolError, match="not async"):
                tool(**declared)


def test_what_does_not_say_what_it_takes_is_called(make):
    assert make(["done"], final_answer_checks=[str.strip, max.__call__]).final_answer_checks


@pytest.mark.parametrize("said", [0, ["too small"], (False, "too small"), "later"])
@pytest.mark.filterwarnings("error")
def test_a_check_that_says_neither_yes_nor_why_not_takes_no_answer(make, said):
    checks = [lambda answer: _later() if said == "later" else said]
    with pytest.raises(errors.UsageError, match=r"the check '<lambda>' of final_answer_checks said .*needed"):
        make([code("final_answer(1)")], final_answer_checks=checks).run("go")


def test_a_check_may_say_no_as_numpy_does(make):
    steps = [code("final_answer(1)"), code("final_answer(2)")]
    run = make(steps, final_answer_checks=[lambda answer: numpy.float64(answer) > 1]).run("go")
    assert (run.answer, run.checked) == (2, True)


@pytest.mark.filterwarnings("error")
def test_a_change_whose_undo_only_begins_is_not_said_to_be_taken_back(make):
    @tool(effect="write", undo=lambda call: _later())
    def pay(amount: int) -> int:
        """Pays."""
        return amount

    agent = make([code("final_answer(pay(3))")], tools=[pay])
    run = agent.run("go")
    assert all("nobody waits for what is async" in done.problem for done in agent.undo(run.journal) * 2)


@pytest.mark.filterwarnings("error")
def test_an_approval_that_only_begins_is_none(make):
    @tool(effect="write")
    def pay(amount: int) -> int:
        """Pays."""
        raise AssertionError("nobody has agreed to it")

    with pytest.raises(errors.UsageError, match="nobody waits for what is async"):
        make([code("final_answer(pay(3))")], tools=[pay], approve=lambda tool, arguments: _later()).run("go")
