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
    "by what says what it is in JSON": "got = []\nclass Own:\n    def __getattr__(self, asked):\n"
    "        if asked != '__get_pydantic_json_schema__': raise AttributeError(asked)\n"
    "        return lambda schema, handler: schema.clear() or schema.update(globals()['schema']) or {}\n"
    "class M(pydantic.BaseModel): x: Annotated[int, Own()] = 1\nM.model_json_schema()",
    "by what passes for a class of fields": f"{_FIELDS}read(Own())",
    "by a metaclass": "class Meta(type): __dict__ = property(lambda cls: {'__pydantic_core_schema__': schema})\n"
    "@dataclasses.dataclass\nclass D(metaclass=Meta): x: int = 1\nread(D)",
    "by what a metaclass is built on": "class Has: __dict__ = property(lambda cls: {'__pydantic_core_schema__': schema})\n"
    "class Meta(Has, type): pass\n@dataclasses.dataclass\nclass D(metaclass=Meta): x: int = 1\nread(D)",
}


_TAKING = """
class Taking:
    def __init__(self, **settings): pass
    def generate(self, asked, mode='validation'): return self.take(asked)
    def generate_definitions(self, inputs): return self.take(inputs[0][2])
    def take(self, asked):
        asked.clear()
        asked.update(schema)
        return {}
class M(pydantic.BaseModel): x: int = 1
"""
HANDED |= {
    f"by what is handed a schema, {how}": f"{_TAKING}{source}\nread(M)"
    for how, source in {
        "of a model": "M.model_json_schema(schema_generator=Taking)",
        "of a model, by its place": "M.model_json_schema(True, '#/{model}', schema_generator=Taking)",
        "of an adapter": "pydantic.TypeAdapter(M).json_schema(schema_generator=Taking)",
        "of adapters": "pydantic.TypeAdapter.json_schemas([(1, 'validation', pydantic.TypeAdapter(M))], schema_generator=Taking)",
        "by a function": "import pydantic.json_schema as j\nj.model_json_schema(M, schema_generator=Taking)",
        "by a function, of models": "import pydantic.json_schema as j\nj.models_json_schema([(M, 'validation')], schema_generator=Taking)",
    }.items()
}


@pytest.mark.parametrize("source", HANDED.values(), ids=HANDED)
def test_no_schema_is_taken_from_a_snippet(source):
    failure = Step(check_first=False, imports=("pydantic",)).run(f"{_SCHEMA}{source}").failure
    assert failure.type in ("RuntimeError", "TypeError")
    assert "is refused: " in failure.message or "may not" in failure.message


def test_types_of_libraries_have_their_schemas():
    source = """
import dataclasses
from typing import Annotated, Any, Generic, TypeVar
from pydantic import *
from pydantic import json_schema
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
names = sorted(M.model_json_schema(mode='serialization')['properties'])
names += [*TypeAdapter(Row).json_schema(schema_generator=json_schema.GenerateJsonSchema)['properties']]
[names, m.s.get_secret_value(), m.j, m.t, m.w, m.b.x, m.r.x, Kind.tell()]
"""
    outcome = Step(check_first=False, imports=("pydantic",)).run(source)
    assert (outcome.failure, outcome.value) == (None, [[*"bjrstwx"], "a", [1], "a", 5, 1, 2, "told"])
