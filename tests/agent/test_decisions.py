"""A decision is about one call: what becomes of it where that call does not come again."""

import time

import pytest

from codeact.agent import Agent
from codeact.errors import UsageError
from codeact.journal import read
from codeact.limits import Limits
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import UNRECORDED, code


@pytest.mark.parametrize("approve", ["pause", None])
def test_a_call_that_comes_with_other_arguments_than_those_decided_about_is_asked_about_anew(world, tmp_path, approve):
    asked = code(f"{UNRECORDED}final_answer(mail(f'Ann {{time.time_ns()}}'))")
    first = world.agent(tmp_path, [asked], approve="pause").run("go")
    again = world.agent(tmp_path, [], approve=approve, limits=Limits(wall_seconds=20)).resume(
        first.journal, decision=True
    )
    assert (again.ended, world.calls) == ("paused", [])
    assert "in place of the call that was decided about" in again.reason
    named = [entry["arguments"]["to"] for entry in read(first.journal).of("waiting")]
    assert named[0] != named[1]
    assert repr(named[1]) in again.reason


def test_a_call_that_was_decided_about_is_waited_for_while_others_are_under_way(tmp_path):
    done = []

    @tool(effect="read")
    def look(seconds: float) -> float:
        """Looks."""
        time.sleep(seconds)
        return seconds

    @tool(effect="write", parallel=True)
    def send(to: str) -> str:
        """Sends."""
        done.append(to)
        return to

    source = """
        import asyncio
        async def slow():
            await look.aio(1.0)
            return await send.aio('slow')
        final_answer(await asyncio.gather(slow(), send.aio('quick')))
    """
    agent = Agent(ScriptedModel([code(source)]), tools=[look, send], approve="pause", runs=tmp_path)
    record = agent.run("go").journal
    record.write_text(record.read_text().replace('"to": "quick"', '"to": "slow"'))  # what was decided about
    again = Agent(ScriptedModel([]), tools=[look, send], approve="pause").resume(record, decision=True)
    assert (done, again.ended) == (["slow"], "paused")


@pytest.mark.parametrize("decision", ["yes", "pause", 1, 0, ["Ann"], ("to", "Ann")])
def test_what_is_no_decision_is_refused_and_the_call_still_waits(world, tmp_path, decision):
    record = world.agent(tmp_path, [code("final_answer(mail('Ann'))")], approve="pause").run("go").journal
    with pytest.raises(UsageError, match=r"decision=.*: True, False, or other arguments as a mapping is needed"):
        world.agent(tmp_path, []).resume(record, decision=decision)
    again = world.agent(tmp_path, []).resume(record, decision=True)
    assert (again.ended, len(world.calls)) == ("answered", 1)


def test_the_model_is_told_what_became_of_a_call_also_when_it_is_played_back(world, tmp_path):
    def decide(tool, arguments):
        return {"to": "Eve"} if arguments == {"to": "Ann"} else "pause"

    first = world.agent(tmp_path, [code("mail('Ann')"), code("mail('Ben')")], approve=decide).run("go")
    model = ScriptedModel(["done"])
    world.agent(tmp_path, model).resume(first.journal, decision=False)
    changed, refused = [message.content for message in model.seen[0] if message.role == "user"][1:]
    assert changed.endswith("The user changed the arguments of a call: it was made as mail(to='Eve').")
    assert refused.endswith("\n  mail(to='Ben') was not made")


@pytest.mark.parametrize(
    ("decision", "made"),
    [
        (True, "Ann, Ben; {'cc': 1}"),
        ({"to": "Eve", "more": ["Zoe"], "copies": {"bcc": 2}}, "Eve, Zoe; {'bcc': 2}"),
        ({"to": "Eve"}, "Eve; {}"),
        ({"to": "Eve", "bcc": 2}, "Eve; {'bcc': 2}"),
    ],
)
def test_arguments_that_have_a_place_or_stars_are_decided_about_by_name(tmp_path, decision, made):
    @tool(effect="write")
    def post(to: str, /, *more: str, **copies: int) -> str:
        """Posts."""
        return f"{', '.join((to, *more))}; {copies}"

    def agent(*replies):
        return Agent(ScriptedModel(replies), tools=[post], approve="pause", runs=tmp_path)

    paused = agent(code("final_answer(post('Ann', 'Ben', cc=1))")).run("go")
    assert agent().resume(paused.journal, decision=decision).answer == made


@pytest.mark.parametrize(
    "decision", [{"more": ["Zoe"]}, {"to": "Eve", "more": 3}, {"to": "Eve", "copies": 3}, {"to": 3}]
)
def test_arguments_that_do_not_fit_places_or_stars_are_refused(tmp_path, decision):
    @tool(effect="write")
    def post(to: str, /, *more: str, **copies: int) -> str:
        """Posts."""
        return to

    agent = Agent(ScriptedModel([code("final_answer(post('Ann'))")]), tools=[post], approve="pause", runs=tmp_path)
    record = agent.run("go").journal
    with pytest.raises(UsageError, match=r"post\(\) cannot be called with the changed arguments: "):
        agent.resume(record, decision=decision)
