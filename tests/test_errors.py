"""What is raised is short, whatever was given, and reaches other processes: a pool of them hands errors on as pickles."""

import pickle

import pytest

from codeact import Agent, Limits, Policy, Session, SkillLibrary, errors, tool
from codeact.testing import ScriptedModel

_RAISED = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.mark.parametrize("kind", _RAISED)
def test_an_error_is_the_same_behind_a_pickle(kind):
    error = kind("network", "the kernel refuses", "Do this") if kind is errors.CageError else kind("so it went")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))


def test_a_wall_that_cannot_be_put_up_is_told_whole():
    told = str(errors.CageError("network", "the kernel refuses", "Do this"))
    assert told == "the network wall cannot be put up: the kernel refuses. Do this"


@pytest.mark.parametrize(
    "call",
    [
        lambda text: Session(tools=text),
        lambda text: Session(tools=[text]),
        lambda text: Session(tools={text: print}),
        lambda text: Session(isolation=text),
        lambda text: Session(without=text),
        lambda text: Session(without=[None, [], text]),
        lambda text: Session(files={text: b""}),
        lambda text: Session(journal=text),
        Session.resume,
        lambda text: Session().assign({text: 1}),
        lambda text: Limits(operations=text),
        Policy,
        lambda text: Policy([text]),
        lambda text: Policy(check_first=text),
        lambda text: tool(effect=text),
        lambda text: Agent(ScriptedModel([]), output_type=text),
        lambda text: Agent(ScriptedModel([]), runs=None).run("go", inputs={text: 1}),
        lambda text: Agent(ScriptedModel([]), runs=None).run("go", files=[text]),
        lambda text: Agent(ScriptedModel([])).resume(text),
        SkillLibrary,
    ],
)
def test_the_text_of_a_file_where_something_else_belongs_is_told_in_short(call):
    with pytest.raises(errors.CodeactError) as refused:
        call("row\n" * 50_000)
    assert 20 < len(str(refused.value)) < 400


@pytest.mark.parametrize("given", [{"type": "object"}, "", "no type", 5])
def test_what_is_no_type_of_an_answer_is_refused_by_name(given):
    with pytest.raises(errors.UsageError, match=r"Agent\(output_type=.*\): a type is needed, such as"):
        Agent(ScriptedModel([]), output_type=given)


@pytest.mark.parametrize("path", ["", "a" * 256, "a/" * 2048])
def test_what_names_no_place_is_refused_as_a_path(path):
    with pytest.raises(
        errors.UsageError, match=r"journal=.*: a path is needed(, and no part of one has more than 255 bytes)?$"
    ):
        Session(journal=path)
