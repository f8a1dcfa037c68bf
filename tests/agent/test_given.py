"""A recorded call is known by what it was given, also where that does not say whether it is equal."""

import dataclasses
import datetime
import typing
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pydantic
import pytest

from codeact import Agent
from codeact.errors import UsageError
from codeact.limits import Policy
from codeact.testing import ScriptedModel, replays
from tests.agent.parts import code

PATH = type(Path()).__name__


@dataclasses.dataclass
class Order:
    number: int
    tags: list[str] = dataclasses.field(default_factory=list)


CONVERTED = {
    "a dataclass": (Order, "{'number': 1, 'tags': ['a']}"),
    "a date": (datetime.date, "'2024-02-29'"),
    "a path": (Path, "'a/b'"),
    "items of a list": (list[Order], "[{'number': '1'}]"),
    "values of a dict": (dict[str, uuid.UUID], "{'id': '00000000-0000-0000-0000-000000000005'}"),
    "a number": (int, "str(1)"),
}


@pytest.mark.parametrize("asynchronous", [False, True], ids=["", "async"])
@pytest.mark.parametrize(("annotation", "said"), CONVERTED.values(), ids=CONVERTED)
def test_a_run_is_replayed_whose_calls_said_less_than_their_tools_were_given(make, annotation, said, asynchronous):
    def look(at: Any, times: int = 1) -> str:
        """Looks."""
        return type(at).__name__

    async def look_later(at: Any, times: int = 1) -> str:
        """Looks."""
        return type(at).__name__

    function = look_later if asynchronous else look
    function.__annotations__["at"] = annotation
    source = f"looked = {function.__name__}.map([{said}])\nfinal_answer(looked + [{function.__name__}(at={said})])"
    run = make([code(source)], tools=[function]).run("go")
    assert run.answer == [(typing.get_origin(annotation) or annotation).__name__.replace("Path", PATH)] * 2
    assert replays(run.journal)


GIVEN = {
    "no number": "float('nan')",
    "an array": "np.array([1.0, np.nan])",
    "a table": "pd.DataFrame({'a': [1, None]})",
    "what holds them": "{'rows': [np.arange(3)], 1: pd.Series([float('nan')])}",
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_recorded_call_is_known_by_arguments_that_do_not_say_whether_they_are_equal(make, given):
    def look(at: Any) -> str:
        """Looks."""
        return type(at).__name__

    source = code(f"import numpy as np, pandas as pd\nfinal_answer(look({given}))")
    settings = {"policy": Policy(imports=["numpy", "pandas"]), "tools": [look]}
    run = make([source], **settings).run("go")
    assert run.answer == type(eval(given, {"np": np, "pd": pd})).__name__
    assert replays(run.journal)

    paused = make([source], approve="pause", **settings).run("go")
    assert paused.ended == "paused"
    resumed = Agent(ScriptedModel([]), **settings).resume(paused.journal, decision=True)
    assert resumed.answer == run.answer


@dataclasses.dataclass
class Parcel:
    weight: int


@pytest.mark.parametrize("again", ["weigh(parcel)", "weigh_all([parcel, parcel])", "weigh_any({'of': parcel})"])
def test_a_run_is_replayed_whose_calls_were_given_a_record_that_a_tool_returned(make, again):
    def weigh(parcel: Parcel) -> Parcel:
        """Weighs."""
        return parcel

    def weigh_all(parcels: list[Parcel]) -> int:
        """Weighs them."""
        return sum(parcel.weight for parcel in parcels)

    def weigh_any(what: Any) -> Any:
        """Weighs whatever it is."""
        return what

    snippet = f"parcel = weigh({{'weight': 3}})\nprint({again})\nfinal_answer(parcel.weight)"
    run = make([code(snippet)], tools=[weigh, weigh_all, weigh_any]).run("go")
    assert run.answer == 3
    assert replays(run.journal)


class Wordless:
    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        raise RuntimeError("it has no words")

    __str__ = __repr__


@pytest.mark.parametrize(
    "wanted", [Any, typing.Annotated[Any, pydantic.AfterValidator(Wordless)]], ids=["", "answered"]
)
def test_a_value_of_the_users_that_cannot_be_shown_ends_no_run(make, wanted):
    def look(at: typing.Annotated[Any, pydantic.BeforeValidator(Wordless)]) -> int:
        """Looks."""
        return at.number

    run = make([code("final_answer(look(3))")], tools=[look], output_type=wanted).run("go")
    assert getattr(run.answer, "number", run.answer) == 3
    assert replays(run.journal)
    with pytest.raises(UsageError, match=r"the value of 'at' cannot be handed to a snippet: .*Wordless"):
        make([]).run("go", inputs={"at": Wordless(3)})
