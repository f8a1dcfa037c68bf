"""A slip in what is said of an agent or a run: named where it is made, with what to give instead."""

import pytest

from codeact import Session, errors
from codeact.agent import Agent
from codeact.records import Reply
from codeact.skills.library import SkillLibrary
from codeact.testing import ScriptedModel


async def _later(*given):
    """Never waited for."""


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"skills": "skills"}, r'SkillLibrary\("skills"\)'),
        ({"final_answer_checks": len}, "list of functions"),
        ({"final_answer_checks": [5]}, "list of functions"),
        ({"final_answer_checks": [_later]}, "none of them async"),
        ({"final_answer_checks": [lambda answer, memory: True]}, "functions of the answer"),
        ({"limits": 5}, "Limits"),
        ({"budget": {"steps": 5}}, "Budget"),
        ({"policy": ["math"]}, r"Policy\(imports"),
        ({"candidates": "3"}, "1 to 100"),
        ({"candidates": 1.5}, "1 to 100"),
        ({"instructions": None}, "a text"),
        ({"dry_run": "no"}, "True or False"),
        ({"deterministic": 1}, "True or False"),
        ({"skill_count": -1}, "a number of skills"),
        ({"approve": "yes"}, "pause"),
        ({"approve": 5}, "pause"),
        ({"approve": _later}, "not async"),
        ({"approve": lambda arguments: True}, "a tool's name and its arguments"),
        ({"approval_seconds": float("nan")}, "seconds"),
        ({"isolation": "none"}, "caged.* or .*inline"),
        ({"without": "network"}, r'\["network"\]'),
        ({"memory_tokens": "x"}, "number of tokens"),
        ({"skill_count": None}, "number of skills"),
        ({"runs": 5}, "a folder"),
        ({"model_settings": 5}, "a mapping"),
        ({"model_settings": {1: 1}}, "a mapping of settings by name"),
    ],
)
def test_an_option_that_will_not_do_is_refused_when_the_agent_is_made(option, said):
    with pytest.raises(errors.UsageError, match=rf"Agent\({next(iter(option))}=.*{said}"):
        Agent(ScriptedModel([]), **option)


@pytest.mark.parametrize("options", [{"skills": True}, {"ask_model": True}])
def test_a_tool_with_the_name_of_one_that_comes_with_the_agent_is_refused_at_once(tmp_path, options):
    def search_skills(what: str) -> str:
        """Skills of the staff."""

    def ask_model(what: str) -> str:
        """The model of a car."""

    if "skills" in options:
        options = {"skills": SkillLibrary(tmp_path)}
    with pytest.raises(errors.UsageError, match=r"has the name of one that comes with the agent"):
        Agent(ScriptedModel([]), tools=[search_skills, ask_model], **options)
    Agent(ScriptedModel([]), tools=[search_skills, ask_model])


def test_no_tool_of_an_agent_takes_the_place_of_final_answer():
    def final_answer(value: int) -> int:
        """Mine."""
        return value + 1

    with pytest.raises(errors.UsageError, match="comes with the agent"):
        Agent(ScriptedModel([]), tools=[final_answer])
    with Session([final_answer]) as session:  # which has no run to end
        assert session.run("final_answer(1)").value == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"inputs": {1: 2}}, "1 is no variable's name"),
        ({"inputs": {"class": 2}}, "'class' is no variable's name"),
        ({"inputs": {"__builtins__": 2}}, "'__builtins__' is no variable's name"),
        ({"inputs": [("a", 1)]}, "a mapping of name to value"),
        ({"inputs": "abc"}, "a mapping of name to value"),
        ({"files": [None]}, r"run\(files=\[None\]\): a path is needed"),
        ({"files": {"x": 5}}, r"run\(files={…: 5}\): a path is needed"),
        ({"files": [b"a"]}, r"\[b'a'\]\): bytes need a name"),
        ({"files": b"a"}, "a list of paths, or a mapping of name to path or bytes, is needed"),
        ({"files": 5}, "a list of paths"),
        ({"on_event": 5}, "on_event=5: a function of an event"),
    ],
)
def test_what_comes_with_a_task_is_looked_at_before_the_model_is_asked(given, said):
    with pytest.raises(errors.UsageError, match=said):
        Agent(ScriptedModel([]), runs=None).run("go", **given)


async def later(messages):
    return "done"


class Says:
    name = "mine"

    def __init__(self, given):
        self.given = given

    def reply(self, messages, *, on_token=None, stop=None):
        return self.given


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (lambda messages: None, "gave None: a text, a Reply or a ModelError"),
        (lambda messages: {"text": "x"}, "gave {'text': 'x'}"),
        (lambda messages: b"x", "gave b'x'"),
        (ScriptedModel([5]), "gave 5"),
        (later, "is an async function"),
        (Says("done"), "the model mine gave 'done': a Reply"),
        (Says(Reply("done", prompt_tokens=None)), "used .None, 0, 0.0.: whole numbers of tokens"),
        (Says(Reply("done", completion_tokens=-5)), "used .0, -5, 0.0."),
        (Says(Reply("done", prompt_tokens=len("done") / 4)), "used .1.0, 0, 0.0."),
        (Says(Reply("done", cost_usd=-0.5)), "used .0, 0, -0.5."),
        (Says(Reply("done", truncated=1)), "truncated=1, model='': True or False"),
        (Says(Reply("done", cost_usd=float("nan"))), "nan"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_model_that_gives_no_reply_is_named_with_what_it_gave(model, said):
    with pytest.raises(errors.UsageError, match=said):
        Agent(model, runs=None).run("go")


@pytest.mark.parametrize("path", [3, None, "a\0b"])
def test_what_is_no_path_of_a_run_is_a_usage_error(path):
    agent = Agent(ScriptedModel([]))
    for ask in (agent.resume, agent.undo, lambda path: list(agent.stream_resume(path))):
        with pytest.raises(errors.UsageError, match="a path is needed"):
            ask(path)


@pytest.mark.parametrize("path", [3, "a\0b"])
def test_what_is_no_path_to_record_to_is_a_usage_error(path):
    with pytest.raises(errors.UsageError, match=r"record=.*: a path is needed"):
        Agent(ScriptedModel([])).run("add", record=path)


@pytest.mark.parametrize(
    ("name", "description"), [(3, "Thinks."), ("a b", "Thinks."), ("", "Thinks."), ("think", ""), ("think", None)]
)
def test_an_agent_is_a_tool_by_a_name_and_what_it_does(name, description):
    with pytest.raises(errors.UsageError, match=r"as_tool\(.*\): a name snippets can call and a sentence are needed"):
        Agent(ScriptedModel([])).as_tool(name, description)
