"""What a caller names by a relative path stays where it was named, wherever tools or the program go from there."""

import os

import pytest

from codeact.agent import Agent
from codeact.errors import UsageError
from codeact.journal import read
from codeact.session import Session
from codeact.skills.library import SkillLibrary
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import code


def test_a_tool_that_changes_the_folder_moves_neither_the_recording_nor_the_skills(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()

    @tool(effect="read")
    def go(folder: str) -> str:
        """Changes the current folder."""
        os.chdir(folder)
        return folder

    model = ScriptedModel([code("where = go('elsewhere')"), code("final_answer(sum(2 * amount for amount in book))")])
    run = Agent(model, tools=[go], skills=SkillLibrary("skills"), promote="verified").run(
        "Double the book", inputs={"book": [1, 2]}
    )
    assert run.ok
    assert read(run.journal).path.is_relative_to(tmp_path / ".codeact")
    assert [path.name for path in (tmp_path / "skills").glob("*-*")] == ["double-book"]
    assert os.listdir() == []


def test_a_run_that_paused_inside_an_inner_agent_goes_on_from_another_folder(world, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def agent(inner_replies, replies):
        inner = world.agent(tmp_path, inner_replies, runs="runs").as_tool("buyer", "Buys things.")
        return Agent(ScriptedModel(replies), tools=[inner], approve="pause", runs="runs")

    paused = agent([code("final_answer(mail('Ann'))")], [code("final_answer(buyer('mail Ann'))")]).run("Mail Ann")
    assert (paused.ended, world.calls) == ("paused", [])
    recording = paused.journal.absolute()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert agent([], []).resume(recording, decision=True).answer is True
    assert world.calls == ["mail Ann"]


@pytest.mark.parametrize(
    "named",
    [
        lambda _: Session(isolation="inline").save("kept"),
        lambda _: Session(isolation="inline", journal="kept"),
        lambda _: Session(isolation="inline", files={"orders.csv": "kept"}),
        lambda _: Agent(ScriptedModel([]), isolation="inline").run("Add", record="kept"),
        lambda _: SkillLibrary("kept"),
        lambda library: library.export("kept"),
        lambda library: library.import_("kept"),
    ],
)
@pytest.mark.filterwarnings("ignore:isolation")
def test_a_relative_path_is_refused_by_name_where_the_current_folder_is_gone(named, tmp_path, monkeypatch):
    library = SkillLibrary(tmp_path / "skills")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(UsageError, match=r"'kept'.*: the current folder is gone"):
        named(library)
