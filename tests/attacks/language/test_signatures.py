"""What a function takes is told of anything; no value of a library's inside comes with it, and no text is evaluated."""

from __future__ import annotations

import sys

import pytest

_BEFORE = """
import copy, difflib, enum, functools, inspect, json, math, types, typing, weakref
class Evil:
    def __get__(self, *given): return self
    def __call__(self): pass
    def __getattr__(self, name):
        if name == '__text_signature__': return '(x=sys.executable)'
        if name == '__module__': return 'sys'
        raise AttributeError(name)
def f(): pass
def told(subject):
    try: found = inspect.signature(subject)
    except (ValueError, TypeError) as error: return str(error)
    return str(found)
class Word:
    def __call__(self, a, b=1): pass
"""

EVALUATED = {
    "an object with a text of its own": "told(Evil())",
    "a method of one": "told(types.MethodType(Evil(), 1))",
    "what is wrapped": "f.__wrapped__ = Evil()\ntold(f)",
    "what is wrapped twice": "g = functools.lru_cache(f)\ng.__wrapped__ = Evil()\ntold(g)",
    "what is cached": "told(functools.lru_cache(Evil()))",
    "a partial of one": "told(functools.partial(Evil(), 1))",
    "a partial of a class of ones own": "class P(functools.partial):\n    @property\n    def func(self): return Evil()\ntold(P(f))",
    "a partial method": "f._partialmethod = functools.partialmethod(Evil())\ntold(f)",
    "a class made by one": "class A:\n    __init__ = Evil()\ntold(A)",
    "a class made by another": "class A:\n    __new__ = Evil()\ntold(A)",
    "a class that says it in its text": "class A:\n    '''A(x=sys.executable)\\n--\\n\\n'''\ntold(A)",
    "a class below a library's": "class A(dict):\n    '''A(x=sys.executable)\\n--\\n\\n'''\ntold(A)",
    "a metaclass that answers": "class M(type):\n    __call__ = Evil()\nclass A(metaclass=M): pass\ntold(A)",
    "a proxy of one": "e = Evil()\ntold(weakref.proxy(e))",
    "an alias of a class": "class A: pass\nA.__wrapped__ = Evil()\ntold(types.GenericAlias(A, (int,)))",
    "a loop": "f.__wrapped__ = f\ntold(f)",
    "the older form": "inspect.getfullargspec(functools.partial(Evil()))",
    "the class itself": "str(inspect.Signature.from_callable(Evil()))",
    "the class of a signature": "str(type(inspect.signature(f)).from_callable(Evil()))",
    "annotations": "def g(x: '__import__(\"os\").mkdir(canary)'): pass\ninspect.signature(g, eval_str=True)",
    "annotations by the class": "def g(x: '__import__(\"os\").mkdir(canary)'): pass\ninspect.Signature.from_callable(g, eval_str=True)",
}


@pytest.mark.parametrize("source", EVALUATED.values(), ids=EVALUATED)
def test_no_text_is_evaluated_for_a_signature(run, canary, source):
    outcome = run(_BEFORE + source)
    assert sys.executable not in f"{outcome}"
    assert outcome.failure is None or outcome.failure.type in ("TypeError", "ValueError", "RuntimeError")
    assert not canary.exists()


WITHHELD = {
    "a default": "inspect.signature(difflib.ndiff).parameters['charjunk'].default('x')",
    "an annotation": "inspect.signature(typing.assert_never).return_annotation[int]",
    "the text of what is shown": "inspect.signature(difflib.ndiff).parameters['charjunk'].default._text",
    "frames": "inspect.currentframe()",
    "the stack": "inspect.stack()",
    "a file": "inspect.getfile(json)",
    "a source of a library's": "inspect.getsource(json.dumps)",
    "a module": "inspect.getmodule(json.dumps)",
    "its modules": "inspect.sys",
    "past the rules": "inspect.getattr_static(json, 'decoder')",
    "what a closure holds": "inspect.getclosurevars(f)",
    "the class below": "inspect.Signature.__bases__",
    "a parameter for all": "inspect.Parameter.empty = 1",
    "a parameter that is set": "inspect.signature(f).parameters['x'] = 1",
    "a signature that is set": "inspect.signature(f).parameters = {}",
    "globals among members": "dict(inspect.getmembers(f))['__globals__']",
    "code among members": "dict(inspect.getmembers(f))['__code__']",
    "builtins among members": "dict(inspect.getmembers(json))['__builtins__']",
    "classes below among members": "dict(inspect.getmembers(int))['__subclasses__']",
}


@pytest.mark.parametrize("source", WITHHELD.values(), ids=WITHHELD)
def test_nothing_inside_is_asked_for(run, source):
    failure = run(_BEFORE + source).failure
    assert failure is not None
    assert failure.type in ("AttributeError", "RuntimeError", "TypeError", "KeyError"), failure


def test_what_libraries_take_is_told_with_their_values_as_text(run):
    source = (
        "import dataclasses, statistics, textwrap, decimal\n[str(inspect.signature(textwrap.wrap)), str(inspect.signature(statistics.quantiles)), "
        "str(inspect.signature(Word())), str(inspect.signature(difflib.ndiff)), str(inspect.signature(decimal.Decimal.quantize)), str(inspect.signature(dataclasses.field))]"
    )
    wrap, quantiles, word, ndiff, quantize, field = run(_BEFORE + source).value
    assert (wrap, quantiles, word) == (
        "(text, width=70, **kwargs)",
        "(data, *, n=4, method='exclusive')",
        "(a, b=1)",
    )
    assert ndiff == "(a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK)"
    assert quantize == "(self, /, exp, rounding=None, context=None)"
    assert field.startswith("(*, default=<_MISSING_TYPE>, ")
