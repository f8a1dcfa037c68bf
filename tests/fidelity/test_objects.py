"""Objects that are asked and changed by their special names, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "an attribute whose name is a member of an enum": """
import enum
class Column(enum.StrEnum):
    PRICE = "price"
class Field(str, enum.Enum):
    NAME = "name"
class Text(str):
    pass
class Row:
    price, name = 3, "tea"
row = Row()
setattr(row, Text("count"), 2)
print([getattr(row, Column.PRICE), getattr(row, Field.NAME), hasattr(row, Text("absent")), vars(row)])
delattr(row, Text("count"))
print(vars(row), getattr(row, Text("count"), "gone"))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_object_answers_as_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])


@pytest.mark.parametrize("asked", ["__hash__", "__eq__"])
@pytest.mark.parametrize("use", ["getattr({})", "hasattr({})", "setattr({}, 1)", "delattr({})"])
def test_an_attribute_name_that_answers_for_itself_is_none(asked: str, use: str) -> None:
    source = f"""
class Name(str):
    __hash__ = str.__hash__
    def {asked}(self, *others): return hash("__globals__")
def f(): pass
{use.format("f, Name('x')")}
"""
    failure = in_ours(source)[1]
    assert failure is not None
    assert "must be exactly a string" in failure.message
