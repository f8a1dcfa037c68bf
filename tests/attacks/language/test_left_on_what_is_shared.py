"""What libraries leave on classes and functions that everybody shares is gone when a step without a cage ends."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest

from codeact import Session
from tests.attacks.language.uncaged import uncaged

_LINE = "import shlex\nfrom matplotlib.lines import Line2D\nline = Line2D([0], [1])\n"

#: A class or a function, its attribute, and what has a library set it.
LEFT = {
    "of a class that has one above it": (
        ("matplotlib.lines", "Line2D", "stale"),
        f"{_LINE}line.axes = Line2D\nline.set_color('r')",
    ),
    "of a function": (("shlex", "quote", "stale"), f"{_LINE}line.axes = shlex.quote\nline.set_color('r')"),
    "of a class that a library asks for": (
        ("matplotlib.lines", "Line2D", "idf_"),
        f"{_LINE}from sklearn.feature_extraction.text import TfidfVectorizer\nclass Own(TfidfVectorizer):\n"
        "    _tfidf = Line2D\n    def _validate_vocabulary(self): self.vocabulary_ = {'a': 0}\n"
        "    def __getattribute__(self, name):\n        if name == '_tfidf': return Line2D\n"
        "        return object.__getattribute__(self, name) if name[0] != '_' else super().__getattribute__(name)\n"
        "Own().idf_ = [1.0]",
    ),
}


@pytest.fixture
def session() -> Iterator[Session]:
    with uncaged("matplotlib", "sklearn", "scipy") as session:
        yield session


@pytest.mark.parametrize(("shared", "source"), LEFT.values(), ids=LEFT)
def test_what_a_library_was_made_to_set_is_gone_when_the_step_ends(session, shared, source):
    module, name, attribute = shared
    subject = getattr(importlib.import_module(module), name)
    session.run(source)
    left = vars(subject).get(attribute, "nothing")
    if left != "nothing":
        delattr(subject, attribute)
    assert left == "nothing"


def test_what_was_set_before_is_set_again(session, monkeypatch):
    patches = importlib.import_module("matplotlib.patches")
    monkeypatch.setattr(patches.Patch, "stale", "by the host", raising=False)
    source = f"{_LINE}from matplotlib.patches import Patch\nline.axes = Patch\nline.set_color('r')\nPatch.stale"
    assert session.run(source).value is True
    assert patches.Patch.stale == "by the host"


def test_what_a_library_puts_on_its_own_classes_stays(session):
    assert session.run("from scipy import stats\nx = stats.Normal(mu=1.5)\nfloat(x.mu)").value == 1.5
    assert session.run("float(x.mu)").value == 1.5


def test_what_a_module_nobody_reviewed_keeps_on_its_class_stays(tmp_path, monkeypatch):
    (tmp_path / "made_once.py").write_text(
        "class Once:\n    found = False\n\n    @classmethod\n    def one(cls):\n"
        "        cls.found = cls.found or Once()\n        return cls.found\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with uncaged("made_once") as session:
        session.run("from made_once import Once\nx = Once.one()")
        assert session.run("Once.one() is x").value is True
