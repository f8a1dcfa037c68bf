"""Annotations that are texts: what a library evaluates for a snippet is the snippet's own code, and no more."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

MODEL = "import pydantic\nclass M(pydantic.BaseModel):\n    x: {text!r}\nM(x=5)"
LEADING_OUT = {
    "of a model": MODEL.format(text="[__import__('os'), int][1]"),
    "of a model that says it is from elsewhere": "import pydantic\nclass M(pydantic.BaseModel):\n"
    "    __module__ = 'subprocess'\n    model_config = {'arbitrary_types_allowed': True}\n    x: 'Popen' = None\nM()",
    "by the hints of another library": "import typing_extensions\nclass M:\n    x: '[().__class__, int][1]'\n"
    "typing_extensions.get_type_hints(M)",
    "of a reference": "import typing\ntyping.ForwardRef(\"__import__('os').getpid()\").evaluate()",
    "of a reference into a module": "import typing\ntyping.ForwardRef('system', module='os').evaluate()",
    "of a reference into a class": "import typing\nclass M: __module__ = 'os'\ntyping.ForwardRef('system', owner=M).evaluate()",
}


@pytest.mark.parametrize("source", LEADING_OUT.values(), ids=LEADING_OUT)
def test_a_text_that_stands_for_a_type_leads_nowhere_outside_whoever_evaluates_it(source):
    step = Step(check_first=False, imports=("pydantic", "typing_extensions"))
    assert step.run(source).failure is not None


def test_models_are_made_of_texts_that_stand_for_types():
    source = """
import datetime, pydantic, typing_extensions
from typing import Optional, TypeVar, Generic
T = TypeVar("T")
class Item(pydantic.BaseModel):
    when: "datetime.date"
    below: "list[Item]" = []
    other: Optional["Item"] = None
class Box(pydantic.BaseModel, Generic[T]):
    held: "list[T]"
def local():
    class A(pydantic.BaseModel): x: "int"
    class B(pydantic.BaseModel): a: "A"
    return B(a={"x": "1"}).a.x
class Plain:
    x: "Item | None"
[
    Item(when="2020-01-01", below=[{"when": "2020-01-02"}], other={"when": "2020-01-03"}).model_dump(mode="json"),
    Box[int](held=["1"]).held, local(), typing_extensions.get_type_hints(Plain)["x"] == Item | None,
]
"""
    step = Step(check_first=False, imports=("pydantic", "typing_extensions"))
    day = {"when": "2020-01-02", "below": [], "other": None}
    item = {"when": "2020-01-01", "below": [day], "other": {**day, "when": "2020-01-03"}}
    assert step.run(source).value == [item, [1], 1, True]
