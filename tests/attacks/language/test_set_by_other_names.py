"""What is asked about before it is set has no other name to be set by: it went past the question."""

from __future__ import annotations

import pytest

from tests.attacks.language.uncaged import uncaged

ARRAY = "a = np.zeros((1, 1000)).view(A)\n"
RENAMED = {
    "in the body": "class A(np.ndarray): form = np.ndarray.shape\n" + ARRAY,
    "in a body above": "class B: form = np.ndarray.shape\nclass A(B, np.ndarray): pass\n" + ARRAY,
    "stored on the class": "class A(np.ndarray): pass\nA.form = np.ndarray.shape\n" + ARRAY,
    "stored on the class later": (
        f"class A(np.ndarray): pass\n{ARRAY}def note(): a.x = 1\nnote()\nA.form = np.ndarray.shape\n"
    ),
    "of a masked array": "class A(np.ma.MaskedArray): form = np.ma.MaskedArray.shape\n" + ARRAY,
    "by type": "A = type('A', (np.ndarray,), {'form': np.ndarray.shape})\n" + ARRAY,
    "by a field": (
        "import dataclasses\n@dataclasses.dataclass\n"
        "class A(np.ndarray):\n    form: object = dataclasses.field(default=np.ndarray.shape)\n" + ARRAY
    ),
}
WAYS = {
    "by a statement": "a.form = 1000, 1",
    "by name": "setattr(a, 'form', (1000, 1))",
    "by the method": "object.__setattr__(a, 'form', (1000, 1))",
    "by a proxy": "import weakref; weakref.proxy(a).form = 1000, 1",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("renamed", RENAMED.values(), ids=RENAMED)
def test_the_form_of_an_array_is_set_by_no_other_name(renamed, way):
    source = f"import numpy as np\n{renamed}{way}\na.shape"
    with uncaged("numpy") as session:
        seen = session.run(source)
    assert seen.failure.type == "AttributeError"
    assert "of a library as 'form'" in seen.failure.message


def test_the_precision_of_a_context_is_set_by_no_other_name():
    source = "import decimal\nclass C(decimal.Context): digits = decimal.Context.prec\nc = C()\nc.digits = 10**7"
    with uncaged() as session:
        assert "of a library as 'digits'" in session.run(source).failure.message


@pytest.mark.parametrize("stored", ["form", "_form"])
def test_a_method_that_dataclasses_writes_sets_no_form_by_another_name(stored):
    source = f"""
import dataclasses
import numpy as np
@dataclasses.dataclass
class A(np.ndarray): {stored}: object
A.{stored} = np.ndarray.shape
a = np.zeros((1, 1000)).view(A)
A.__init__(a, (1000, 1))"""
    with uncaged("numpy") as session:
        assert f"of a library as {stored!r}" in session.run(source).failure.message


@pytest.mark.parametrize(
    "source",
    [
        "@dataclass\nclass A(np.ndarray): shape: object",
        "@dataclass(frozen=True)\nclass A(np.ma.MaskedArray): dtype: object",
        "@dataclass\nclass A(decimal.Context): prec: int",
        "make_dataclass('A', ['prec'], bases=(decimal.Context,))",
        "@dataclass\nclass B: prec: int\nclass A(B, decimal.Context): pass",
    ],
)
def test_no_field_is_what_is_asked_about_before_it_is_set(source):
    with uncaged("numpy") as session:
        seen = session.run(f"import decimal, numpy as np\nfrom dataclasses import dataclass, make_dataclass\n{source}")
    assert seen.failure.type == "TypeError"


def test_what_has_no_other_name_is_set_as_ever():
    source = """
from dataclasses import dataclass
import numpy as np
class A(np.ndarray):
    shape_at_first = None
    def turned(self):
        self.info += ' on'
        return self.T
@dataclass
class Form:
    shape: tuple
    dtype: str
    prec: int = 3
class Read(np.ndarray):
    form = np.ndarray.shape
a = np.zeros((2, 3)).view(A)
a.info = 'kept'
A.more = 1
b = a.turned()[:1]
b.shape = 2, 1
[a.info, b.shape, a.more, Form((1, 2), 'f8').shape, a.view(Read).form]"""
    with uncaged("numpy") as session:
        assert session.run(source).value == ["kept on", (2, 1), 1, (1, 2), (2, 3)]
