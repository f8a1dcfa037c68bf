"""What `except*` takes from an exception group: CPython believes that `split` gives a pair, and crashes where it is none."""

from __future__ import annotations

import pytest

_RAISED = "\ntry: raise e\nexcept* TypeError: pass\nexcept* ValueError as caught: found = len(caught.exceptions)\nfound"

#: Each lets a group's `split` be a function of its own, or is told that it may not.
SPLITS = {
    "on a group": "e = ExceptionGroup('e', [ValueError()])\ne.split = lambda kind: 5",
    "by setattr": "e = ExceptionGroup('e', [ValueError()])\nsetattr(e, 'split', lambda kind: 5)",
    "by object's own way": "e = ExceptionGroup('e', [ValueError()])\nobject.__setattr__(e, 'split', lambda kind: 5)",
    "on a class": "class E(ExceptionGroup): pass\nE.split = lambda self, kind: 5\ne = E('e', [ValueError()])",
    "in a class": "class E(ExceptionGroup):\n    def split(self, kind): return 5\ne = E('e', [ValueError()])",
    "by its attributes": "class E(ExceptionGroup):\n    def __getattribute__(self, name): return lambda kind: 5\n"
    "e = E('e', [ValueError()])",
    "by a base's attributes": "class B:\n    def __getattribute__(self, name): return lambda kind: 5\n"
    "class E(B, ExceptionGroup): pass\ne = E('e', [ValueError()])",
    "in a slot": "class E(ExceptionGroup): __slots__ = ('split',)\ne = E('e', [ValueError()])",
    "by a dataclass": "import dataclasses\n@dataclasses.dataclass(eq=False)\nclass E(ExceptionGroup):\n    split: object\n"
    "    def __new__(cls, *given): return super().__new__(cls, 'e', [ValueError()])\ne = E(lambda kind: 5)",
}

#: Each stores or inherits a `split` that is nobody's business.
IGNORED = {
    "in an instance's dictionary": "class E(ExceptionGroup): pass\ne = E('e', [ValueError()])\n"
    "e.__dict__['split'] = lambda kind: 5",
    "from a base": "class B:\n    def split(self, kind): return 5\nclass E(B, ExceptionGroup): pass\ne = E('e', [ValueError()])",
    "on a derived group": "class D(ExceptionGroup): pass\nclass E(ExceptionGroup):\n    def derive(self, found):\n"
    "        made = D('d', found)\n        made.__dict__['split'] = lambda kind: 5\n        return made\n"
    "e = E('e', [TypeError(), ValueError()])",
}


@pytest.mark.parametrize("source", SPLITS.values(), ids=SPLITS)
def test_a_group_is_split_by_no_function_of_the_snippets(run, source):
    assert run(source + _RAISED).failure.type in ("AttributeError", "TypeError", "ValueError")


@pytest.mark.parametrize("source", IGNORED.values(), ids=IGNORED)
def test_a_group_is_split_as_ever_whatever_else_is_called_split(run, source):
    assert run(source + _RAISED).value == 1


def test_a_group_of_ones_own_is_told_and_split_as_in_python(run):
    source = (
        "class E(ExceptionGroup):\n    def derive(self, found): return E(self.message, found)\n"
        "e = E('e', [ValueError(), TypeError()])\ne.code = 5\n"
        "[*map(type, e.split(ValueError))], 'split' in vars(E), vars(e), type(E.split(e, ValueError)[0]) is E"
    )
    kinds, listed, held, own = run(source).value
    assert ([kind.__name__ for kind in kinds], listed, held, own) == (["E", "E"], False, {"code": 5}, True)


def test_split_is_an_ordinary_name_elsewhere(run):
    source = "class A: pass\na = A()\na.split = 1\nA.split = 2\na.split += 1\nsplit, = [a.split]\ndel a.split\n[split, a.split]"
    assert run(source).value == [2, 2]
