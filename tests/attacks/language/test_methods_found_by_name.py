"""Python's own modules find a method by what a class is called: a name of the snippet's own names no other attribute."""

from __future__ import annotations

import json

import pytest

_CALLED = (
    "import ast, json, reprlib\nclass S(str):\n    def __contains__(self, part): return False\n"
    "    def __radd__(self, before): return str.__str__(self)\n"
    "class M(type):\n    __name__ = property(lambda cls: S(wanted))\nclass N(str, metaclass=M): pass\n"
    "def f(): pass\nf.generic_visit = 1\n"
)

#: Each has a module of Python's read or call an attribute that a class of the snippet's is called by.
BY_NAME = {
    "a function's globals": "wanted = '__getattribute__'\nast.NodeVisitor.visit(f, N('__globals__'))",
    "a function's code": "wanted = '__getattribute__'\nast.NodeTransformer.visit(f, N('__code__'))",
    "a store on a function": "wanted = '__setattr__'\nreprlib.Repr.repr1(json.dumps, N('__doc__'), 'changed')",
}


@pytest.mark.parametrize("source", BY_NAME.values(), ids=BY_NAME)
def test_a_class_is_called_by_no_attribute_that_may_not_be_said(run, source):
    documented = json.dumps.__doc__
    try:
        assert run(_CALLED + source).failure.type == "TypeError"
        assert json.dumps.__doc__ == documented
    finally:
        json.dumps.__doc__ = documented


def test_methods_are_found_by_the_names_of_classes_as_ever(run):
    source = (
        "class V(ast.NodeVisitor):\n    def visit_Name(self, node): seen.append(node.id)\n"
        "class R(reprlib.Repr):\n    def repr_A(self, x, level): return 'an A'\nclass A: pass\n"
        "seen = []\nV().visit(ast.parse('a + b'))\n(seen, R().repr(A()), ast.unparse(ast.parse('f\"{a}\"')))"
    )
    assert run("import ast, reprlib\n" + source).value == (["a", "b"], "an A", "f'{a}'")
