"""Models of pydantic: what they import, read, open and set by a name, and what their machine code believes."""

from __future__ import annotations

import importlib
import textwrap

import pytest

from tests.attacks.language.uncaged import uncaged
from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")

_READING = (
    "import pydantic, pathlib, fractions\nclass M(pydantic.BaseModel):\n    model_config = {'from_attributes': True}\n"
)
_OF_ALIAS = "import pydantic, pathlib\nclass M(pydantic.BaseModel): x: object = pydantic.Field(alias='__class__')\n"
_PATH = "    x: object = pydantic.Field(validation_alias=pydantic.AliasPath('joinpath', '__func__', '__globals__'))\n"

LEADING_OUT = {
    "a module by its name": "import pydantic\npydantic.TypeAdapter(pydantic.ImportString).validate_python('os.system')",
    "a module by its name, of a field": "import pydantic\nclass M(pydantic.BaseModel): x: pydantic.ImportString\nM(x='os')",
    "an older pydantic": "from pydantic.v1 import PyObject",
    "a pickle": "import pydantic\npydantic.BaseModel.parse_raw(b'.', content_type='x/pickle', allow_pickle=True)",
    "a file": "import pydantic\nclass M(pydantic.BaseModel): pass\nM.parse_file('/etc/hostname')",
    "whether there is a file": "import pydantic\npydantic.TypeAdapter(pydantic.FilePath).validate_python('/etc/hostname')",
    "an attribute's attributes": f"{_READING}{_PATH}M.model_validate(pathlib.PurePath('a'))",
    "an attribute": f"{_READING}    x: object = pydantic.Field(alias='__class__')\nM.model_validate(fractions.Fraction(1))",
    "a private attribute": f"{_READING}    x: object = pydantic.Field(alias='_hash')\nM.model_validate(pathlib.PurePath('a'))",
    "an attribute of a part": f"{_READING}    x: object = pydantic.Field(alias='_raw_paths')\n"
    "class N(pydantic.BaseModel): m: M\nN(m=pathlib.PurePath('a'))",
    "an attribute by an alias that is made": f"{_READING.replace('True', 'True, ' + repr('alias_generator') + ': lambda n: n')}"
    "    x: object = pydantic.Field(validation_alias=pydantic.AliasChoices('y', '_hash'))\nM.model_validate(pathlib.PurePath('a'))",
    "an attribute when asked to": f"{_OF_ALIAS}M.model_validate(pathlib.PurePath('a'), from_attributes=True)",
    "an attribute when an adapter is asked to": f"{_OF_ALIAS}"
    "pydantic.TypeAdapter(list[M]).validate_python([pathlib.PurePath('a')], from_attributes=True)",
    "what validates for an adapter": "import pydantic, operator\noperator.attrgetter('validator')(pydantic.TypeAdapter(int))",
    "a schema of one's own": "import pydantic\npydantic.GetPydanticSchema(lambda source, handler: {'type': 'int'})",
    "a schema that is changed": "import pydantic\npydantic.TypeAdapter(int).core_schema['type'] = 'any'",
    "a schema that is handed on": "from pydantic.json_schema import GenerateJsonSchema\nclass Own(GenerateJsonSchema): pass",
    "a schema of one's own, serialized": "import pydantic\ntype(pydantic.TypeAdapter(int).serializer)({'type': 'int'})",
}


_REFUSALS = ("RuntimeError", "AttributeError", "ImportError", "PermissionError", "TypeError")


@pytest.mark.parametrize("source", LEADING_OUT.values(), ids=LEADING_OUT)
def test_models_lead_nowhere_outside(source):
    failure = Step(check_first=False, imports=("pydantic",)).run(source).failure
    assert failure is not None
    assert failure.type in _REFUSALS or "is refused" in failure.message or "in dictionaries" in failure.message


def test_what_a_model_takes_besides_its_fields_is_no_address():
    pytest.importorskip("numpy")
    source = (
        "import pydantic, numpy as np\nclass M(pydantic.BaseModel): model_config = {'extra': 'allow'}\n"
        "m = M(**{'__array_interface__': {'data': (id(1), True), 'shape': (8,), 'typestr': '|u1', 'version': 3}})\n"
        "np.array(m).dtype == object"
    )
    assert Step(check_first=False, imports=("pydantic", "numpy")).run(source).value is True


SET = {
    "made a class of fields": "from pydantic.dataclasses import dataclass\ndataclass(textwrap.TextWrapper)",
    "made one with settings": "from pydantic.dataclasses import dataclass\ndataclass(init=False)(textwrap.TextWrapper)",
    "configured": "import pydantic\npydantic.with_config({})(textwrap.TextWrapper)",
    "configured by a part": "from pydantic.config import with_config\nwith_config(title='x')(textwrap.TextWrapper)",
}


@pytest.mark.parametrize("source", SET.values(), ids=SET)
def test_no_class_of_pythons_is_set_up_by_pydantic(source):
    before = {name for name in vars(textwrap.TextWrapper) if "array" not in name}
    failure = Step(check_first=False, imports=("pydantic",)).run(f"import textwrap\n{source}").failure
    assert failure.type == "AttributeError"
    assert {name for name in vars(textwrap.TextWrapper) if "array" not in name} == before


def test_settings_of_all_models_are_the_hosts_after_a_step():
    with uncaged("pydantic") as session:
        assert session.run("import pydantic\npydantic.BaseModel.model_config['extra'] = 'allow'").failure is None
        assert importlib.import_module("pydantic").BaseModel.model_config == {}


def test_the_table_of_a_model_shows_nothing_of_what_makes_and_validates_it():
    source = "import pydantic\nclass M(pydantic.BaseModel):\n    x: int = 1\n    def f(self): pass\nsorted(M.__dict__)"
    names = Step(check_first=False, imports=("pydantic",)).run(source).value
    assert not [name for name in names if "pydantic" in name]
    assert {"f", "__module__", "model_config", "__doc__"} <= {*names}


def test_a_model_of_the_hosts_refers_to_what_stands_where_it_is_made():
    with uncaged("pydantic") as session:
        assert session.run("import pydantic\nclass M(pydantic.BaseModel): x: int = 1").failure is None
    pydantic = importlib.import_module("pydantic")
    Own = int
    made = type(pydantic.BaseModel)(
        "Made", (pydantic.BaseModel,), {"__module__": __name__, "__annotations__": {"x": "Own", "y": "real"}}
    )
    assert made.model_fields["x"].annotation is Own
    assert type(made.model_fields["y"].annotation).__name__ == "ForwardRef"  # what we look at classes by has no say


def test_models_do_what_they_did():
    source = """
import dataclasses, json, operator, pydantic
from typing import Annotated, Literal
from pydantic.dataclasses import dataclass
from pydantic.functional_validators import AfterValidator
class Own:
    def __init__(self, v, *below): self._v, self.below, self.query, self.style = v, below, "q", 1
class Tree(pydantic.BaseModel):
    v: int = pydantic.Field(alias="_v")
    below: list["Tree"] = []
    query: str = ""
    style: int = 0
    model_config = pydantic.ConfigDict(from_attributes=True, populate_by_name=True)
class Plain(pydantic.BaseModel):
    x: Annotated[int, AfterValidator(lambda x: x + 1)]
    url: pydantic.HttpUrl = "https://a.b"
class Found(pydantic.BaseModel): title: str = pydantic.Field(validation_alias=pydantic.AliasPath("_source", "_title"))
class A(pydantic.BaseModel): kind: Literal["a"] = pydantic.Field(alias="__type__")
class B(pydantic.BaseModel): kind: Literal["b"] = pydantic.Field(alias="__type__")
@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
@dataclasses.dataclass
class Row: x: str
@pydantic.with_config(pydantic.ConfigDict(str_to_lower=True))
class Low: pass
open("a.json", "w").write(json.dumps({"x": 1}))
[
    Tree.model_validate(Own(1, Own(2), {"_v": "3"})).model_dump(),
    [Tree(v=1).v, Tree.model_validate_json('{"_v": 4}').v],
    Plain.model_validate(Row("3"), from_attributes=True).x,
    pydantic.TypeAdapter(list[Plain]).validate_python([{"x": 1}, Row("2")], from_attributes=True)[1].x,
    Found.model_validate({"_source": {"_title": "t"}}).title,
    pydantic.TypeAdapter(Annotated[A | B, pydantic.Field(discriminator="kind")]).validate_python({"__type__": "b"}).kind,
    dataclasses.astuple(Point("1")), Plain.parse_file("a.json").x,
    str(pydantic.TypeAdapter(pydantic.FilePath).validate_python("a.json")),
    pydantic.TypeAdapter(int).validate_json("5"), sorted(Tree.model_json_schema()["$defs"]["Tree"]["properties"]),
]
"""
    outcome = Step(check_first=False, imports=("pydantic",)).run(source)
    assert outcome.failure is None, outcome.failure
    leaf = {"below": [], "query": "q", "style": 1}
    tree = {**leaf, "v": 1, "below": [{**leaf, "v": 2}, {"v": 3, "below": [], "query": "", "style": 0}]}
    told = [[1, 4], 4, 3, "t", "b", (1, 0), 2, "a.json", 5, ["_v", "below", "query", "style"]]
    assert outcome.value == [tree, *told]
