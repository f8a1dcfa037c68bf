"""A listener that fails: what happened stays what happened, and who listens hears of it."""

import pytest

from codeact import events
from codeact.agent import replay
from codeact.journal import read
from codeact.toolbox import tool
from tests.agent.parts import code


def failing_at(kind, error=BrokenPipeError):
    failed = []

    def listen(event):
        if isinstance(event.event if isinstance(event, events.Nested) else event, kind) and not failed:
            failed.append(event)
            raise error("nobody listens")

    return listen


@pytest.mark.parametrize("kind", [events.ToolStarted, events.ToolEnded])
@pytest.mark.parametrize("error", [BrokenPipeError, KeyboardInterrupt])
def test_a_call_that_happened_is_written_once_and_as_it_was(world, tmp_path, kind, error):
    agent, record = world.agent(tmp_path, [code("order('pear')")]), tmp_path / "run.jsonl"
    if error is KeyboardInterrupt:
        assert agent.run("go", record=record, on_event=failing_at(kind, error)).ended == "interrupted"
    else:
        with pytest.raises(error, match="nobody listens"):
            agent.run("go", record=record, on_event=failing_at(kind, error))
    written = list(read(record).of("call"))
    assert [call["error"] for call in written] == [None] * len(world.calls)


def test_the_run_goes_on_from_the_step_whose_call_nobody_heard_of(world, tmp_path):
    record = tmp_path / "run.jsonl"
    with pytest.raises(BrokenPipeError):
        world.agent(tmp_path, [code("a = order('pear')")]).run(
            "go", record=record, on_event=failing_at(events.ToolEnded)
        )
    assert world.agent(tmp_path, [code("final_answer(a)")]).resume(record).answer == "no. 1"
    assert (replay(record).answer, world.calls) == ("no. 1", ["order pear"])


def test_a_pause_nobody_heard_of_is_a_pause(world, tmp_path):
    record, model = tmp_path / "run.jsonl", [code("final_answer(order('pear'))")]
    with pytest.raises(BrokenPipeError):
        world.agent(tmp_path, model, approve="pause").run("go", record=record, on_event=failing_at(events.Paused))
    assert world.agent(tmp_path, [], approve="pause").resume(record, decision=True).answer == "no. 1"


def test_an_inner_agent_does_its_work_whoever_listens(make, world, tmp_path):
    inner = world.agent(tmp_path, [code("a = order('pear')"), code("final_answer(a)")]).as_tool("trader", "Trades.")
    outer = make([code("final_answer(trader('go'))")], tools=[inner])
    record = tmp_path / "outer.jsonl"
    with pytest.raises(BrokenPipeError):
        outer.run("go", record=record, on_event=failing_at(events.ToolEnded))
    assert [call["result"] for call in read(record).of("call")] == ["no. 1"]


def test_a_call_of_an_async_tool_stays_as_it_was_too(make, tmp_path):
    @tool(effect="write")
    async def send(to: str) -> str:
        """Sends."""
        return to

    record = tmp_path / "run.jsonl"
    with pytest.raises(BrokenPipeError):
        make([code("send('Ann')")], tools=[send]).run("go", record=record, on_event=failing_at(events.ToolEnded))
    assert [call["result"] for call in read(record).of("call")] == ["Ann"]
