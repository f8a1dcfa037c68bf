"""Schemas of pydantic that a snippet hands it as its own: machine code reads any attribute by what they say."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")
pytest.importorskip("pydantic")

_SCHEMA = """
import dataclasses, fractions, pydantic, types
from typing import Annotated, Any
path = ['limit_denominator', '__func__', '__globals__']
field = {'type': 'model-field', 'schema': {'type': 'any'}, 'validation_alias': [path]}
schema = {'type': 'model-fields', 'fields': {'x': field}, 'from_attributes': True}
def read(kind, *given): return pydantic.TypeAdapter(kind).validate_python(fractions.Fraction(1), from_attributes=True)
name = '__get_pydantic_core_schema__'
class Own:
    def __getattr__(self, asked):
        if asked == name: return lambda source, handler: schema
        raise AttributeError(asked)
class Secret(pydantic.SecretStr):
    def __getattribute__(self, asked):
        return (lambda source, handler: schema) if asked == name else object.__getattribute__(self, asked)
"""
_FIELDS = """
class Own:
    x: int = 1
    __dict__ = property(lambda self: {'__pydantic_core_schema__': schema})
    def __getattr__(self, asked):
        if asked in ('__qualname__', '__module__'): return 'Own'
        raise AttributeError(asked)
Own = dataclasses.dataclass(Own)
"""

HANDED = {
    "by what stands beside a type": "read(Annotated[Any, Own()])",
    "by what stands for a type": "read(Own())",
    "by a namespace": "read(Annotated[Any, types.SimpleNamespace(**{name: lambda source, handler: schema})])",
    "in place of a library's": "read(Annotated[Any, Secret('x')])",
    "by what passes for a class of fields": f"{_FIELDS}read(Own())",
    "by a metaclass": "class Meta(type): __dict__ = property(lambda cls: {'__pydantic_core_schema__': schema})\n"
    "@dataclasses.dataclass\nclass D(metaclass=Meta): x: int = 1\nread(D)",
    "by what a metaclass is built on": "class Has: __dict__ = property(lambda cls: {'__pydantic_core_schema__': schema})\n"
    "class Meta(Has, type): pass\n@dataclasses.dataclass\nclass D(metaclass=Meta): x: int = 1\nread(D)",
}


@pytest.mark.parametrize("source", HANDED.values(), ids=HANDED)
def test_no_schema_is_taken_from_a_snippet(source):
    failure = Step(check_first=False, imports=("pydantic",)).run(f"{_SCHEMA}{source}").failure
    assert failure.type in ("RuntimeError", "TypeError")
    assert "is refused: a schema" in failure.message or "may not" in failure.message


def test_types_of_libraries_have_their_schemas():
    source = """
import dataclasses
from typing import Annotated, Any, Generic, TypeVar
from pydantic import *
T = TypeVar('T')
class Box(BaseModel, Generic[T]): x: T
@dataclasses.dataclass
class Row: x: int
class Mixin:
    def tell(cls): return 'told'
class Meta(Mixin, type): pass
class Kind(metaclass=Meta): pass
class Bag:
    def __getattr__(self, name): raise AttributeError(name)
class M(BaseModel):
    s: SecretStr
    j: Json[list[int]]
    t: Annotated[str, StringConstraints(strip_whitespace=True), Bag()]
    w: Annotated[int, WrapValidator(lambda value, handler: handler(value))]
    b: Box[int]
    r: Row
m = M(s='a', j='[1]', t=' a', w='5', b={'x': '1'}, r={'x': '2'})
[m.s.get_secret_value(), m.j, m.t, m.w, m.b.x, m.r.x, Kind.tell()]
"""
    outcome = Step(check_first=False, imports=("pydantic",)).run(source)
    assert (outcome.failure, outcome.value) == (None, ["a", [1], "a", 5, 1, 2, "told"])
