"""Models that need no provider: a script, and a recording."""

import pytest

from codeact import errors
from codeact.journal import Journal
from codeact.models import ReplayModel, ScriptedModel, open_model
from codeact.records import Reply
from codeact.testing import FakeProvider, Says
from tests.models.parts import ASK


def test_a_script_gives_its_lines_in_order_and_says_when_it_is_over():
    model = ScriptedModel(["one", Reply("two", prompt_tokens=5), errors.RateLimited("wait")])
    assert [model.reply(ASK).text, model.reply(ASK).prompt_tokens] == ["one", 5]
    with pytest.raises(errors.RateLimited):
        model.reply(ASK)
    with pytest.raises(errors.ModelError, match=r"script \(3\) are used up, and one more was asked for"):
        model.reply(ASK)
    assert model.seen[0] == tuple(ASK)


def test_a_script_may_be_a_function_of_the_messages():
    assert ScriptedModel(lambda messages: messages[-1]["content"].upper()).reply(ASK).text == "HI"


@pytest.mark.parametrize("script", ["one text", None, 5, {"a": "b"}], ids=str)
def test_a_script_that_is_none_is_refused_when_it_is_made(script):
    with pytest.raises(errors.UsageError, match="a list of replies, or a function of messages, is needed"):
        ScriptedModel(script)


def test_a_recording_answers_as_it_was_recorded_and_says_how_its_replies_came_about(tmp_path):
    with Journal.create(tmp_path / "run.jsonl", replies="written by hand") as journal:
        journal.append("reply", text="one", prompt_tokens=3)
        journal.append("step", index=1)
        journal.append("reply", text="", calls=["print(2)"])
    model = ReplayModel(tmp_path / "run.jsonl")
    assert model.provenance == "written by hand"
    assert [model.reply(ASK).prompt_tokens, model.reply(ASK).calls] == [3, ("print(2)",)]
    with pytest.raises(errors.JournalError, match=r"\(2\) are used up, and one more was asked for"):
        model.reply(ASK)


def test_a_recording_that_does_not_say_where_its_replies_are_from_is_refused(tmp_path):
    Journal.create(tmp_path / "run.jsonl", task="x").close()
    with pytest.raises(errors.JournalError, match='how its replies came about: "replies": '):
        ReplayModel(tmp_path / "run.jsonl")


def test_a_model_may_be_a_name_a_model_a_function_or_a_recording(tmp_path):
    Journal.create(tmp_path / "run.jsonl", replies="by hand").close()
    scripted = ScriptedModel(["x"])
    assert open_model(scripted) is scripted
    assert open_model("openai/x").name == "openai/x"
    assert open_model(lambda messages: "yes").reply(ASK).text == "yes"
    assert open_model(f"recorded:{tmp_path}/run.jsonl").name == "recorded:run.jsonl"


class Nameless:
    def reply(self, messages):
        return "yes"


@pytest.mark.parametrize("given", [42, Nameless()], ids=["a number", "an object without a name"])
def test_what_is_no_model_is_told_all_that_one_has(given):
    with pytest.raises(
        errors.UsageError, match=r"an object with a `name` and reply\(messages, \*, on_token, stop\) is"
    ):
        open_model(given)


@pytest.mark.parametrize("answers", [[], Says("one"), None], ids=str)
def test_a_provider_without_a_list_of_answers_is_refused_when_it_is_made(answers):
    with pytest.raises(errors.UsageError, match=r"FakeProvider\(.*\): a list of one answer or more is needed"):
        FakeProvider(answers)
