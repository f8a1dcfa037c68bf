"""Code of a snippet's that a library, a collection or our own work calls: the guards inside libraries hold there too."""

from __future__ import annotations

import collections.abc
import importlib.util

import pytest

from codeact.limits import Policy
from codeact.snippet.running import StepOf, in_a_snippet, our_own_work
from codeact.worker.namespace import Namespace
from tests.snippet.running import Step

_LIBRARIES = ("sympy", "sklearn")
pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in _LIBRARIES), reason="sympy and scikit-learn are not installed"
)
_PATH = "'/tmp/codeact-was-here'"
_TEXT = f"\"__import__('os').rmdir({_PATH})\""

#: Each has `seen` tell what became of a formula that is none, evaluated while our own work went on.
CALLED = {
    "when an object is gone": "a = A()\nr = weakref.ref(a, told)",
    "when an object is gone, by a proxy": "a = A()\nr = weakref.proxy(a, told)",
    "when a method is gone": "a = A()\nr = weakref.WeakMethod(a.go, told)",
    "when a generator ends": "def numbers():\n    try: yield\n    finally: told()\na = numbers()\nnext(a)",
}
_BEFORE = f"""
import sympy, weakref, functools
class A:
    def go(self): pass
seen = []
def told(*given):
    try: sympy.sympify({_TEXT})
    except Exception as e: seen.append(type(e).__name__)
"""


@pytest.fixture
def step() -> Step:
    """Has a function `own_work`, during which the snippet's `a` goes."""
    step = Step(check_first=False, imports=_LIBRARIES)

    def own_work() -> None:
        with our_own_work():
            step.namespace._names.pop("a")

    step.namespace.protect("own_work", own_work)
    return step


@pytest.mark.parametrize("source", CALLED.values(), ids=CALLED)
def test_a_snippets_code_is_guarded_whoever_calls_it_and_when(step, source):
    assert step.run(_BEFORE + source, "own_work()\nseen").value == ["RuntimeError"]


COLLECTIONS = {
    "of another class": "class X:\n    data = set()\n    _pending_removals = []\nx = X()\n"
    "x._remove = functools.partial(seen.append, 'called')\nweakref.WeakSet.add(x, a)",
    "of one below it": "class X(weakref.WeakValueDictionary): pass\nx = X(a=a)\nx._remove = functools.partial(seen.append, 'called')\nx['b'] = a",
    "of one below it, in another way": "class X(weakref.WeakKeyDictionary): pass\nx = X()\n"
    "x._remove = functools.partial(seen.append, 'called')\nx.setdefault(a, 1)",
}  # fmt: skip


@pytest.mark.parametrize("source", COLLECTIONS.values(), ids=COLLECTIONS)
def test_a_collection_of_weak_references_calls_nothing_of_a_snippets(step, source):
    failure = step.run(_BEFORE + "a = A()\n" + source).failure
    assert failure is not None
    assert "works for no class of your own" in failure.message
    step.namespace._names.pop("a")
    assert step.run("seen").value == []


def test_between_steps_nothing_is_called_when_an_object_is_gone(step, capfd):
    kept = "kept = []\na = A()\nr = weakref.ref(a, kept.append)\np = weakref.proxy(a, functools.partial(int, 'none'))"
    step.run(_BEFORE + kept)
    step.namespace._names.pop("a")

    assert step.run("kept").value == []
    assert capfd.readouterr().err == ""


def test_between_steps_no_file_is_opened(tmp_path):
    namespace = Namespace(Policy(check_first=False), folder=str(tmp_path), output=str)
    source = "import io, functools\nclass F(io.IOBase): close = functools.partial(open, 'late.txt', 'w')\nf = F()"
    assert namespace.run(source, operations=1_000, text_chars=10).failure is None
    namespace._names.pop("f")

    assert list(tmp_path.iterdir()) == []


def _make_much(seen: list[str]) -> int:
    """Make what collections are due after, and tell how much was seen meanwhile."""
    with our_own_work():
        before = len(seen)
        assert [[number] for number in range(200_000)]
        return len(seen) - before


def test_what_a_snippet_left_behind_is_not_collected_while_our_own_work_goes_on(step):
    left = (
        "import io\nclass S:\n    readable = writable = seekable = lambda self: False\n    closed = False\n"
        "    flush = lambda self: None\n    close = staticmethod(functools.partial(seen.append, 'closed'))\n"
        "for _ in range(50):\n    b = [io.TextIOWrapper(S())]\n    b.append(b)\n"
    )
    step.namespace.protect("make_much", _make_much)
    assert step.run(_BEFORE + left, "make_much(seen)").value == 0


def test_a_class_of_references_that_a_dictionary_holds_takes_no_callback(step):
    source = "d = weakref.WeakValueDictionary()\na = A()\nd[1] = a\ntype(d.valuerefs()[0])(a, print, 1)"
    assert step.run(_BEFORE + source).failure.type == "TypeError"


def test_our_own_work_is_not_the_snippets():
    with StepOf(Step().namespace._facades.room):
        assert in_a_snippet()
        with our_own_work():
            assert not in_a_snippet()
        assert in_a_snippet()
    assert not in_a_snippet()


ANSWERING_FOR_ALL = {
    "a metaclass of abstract classes": "class M(abc.ABCMeta):\n    def __subclasscheck__(cls, sub): return True\n"
    "class A(cabc.Mapping, metaclass=M): pass",
    "a metaclass that inherits it": "class N(type):\n    def __subclasscheck__(cls, sub): return True\n"
    "class M(N, abc.ABCMeta): pass\nclass A(cabc.Mapping, metaclass=M): pass",
    "a metaclass, registered": "class M(type):\n    def __subclasscheck__(cls, sub): return True\n"
    "class A(metaclass=M): pass\ncabc.Mapping.register(A)",
    "a class that was registered below": "class A(cabc.Mapping): pass\nA.register(range)",
}


@pytest.mark.parametrize("source", ANSWERING_FOR_ALL.values(), ids=ANSWERING_FOR_ALL)
def test_a_snippet_does_not_say_of_all_objects_of_the_process_what_they_are(source):
    outcome = Step(check_first=False).run("import abc, collections.abc as cabc\n" + source)

    assert outcome.failure is not None
    assert not isinstance(range(1), collections.abc.Mapping)


def test_a_class_is_registered_where_that_is_its_own_affair():
    source = (
        "import abc, collections.abc as cabc\nclass A(abc.ABC): pass\nA.register(range)\n"
        "class B: pass\ncabc.Sized.register(B)\n[isinstance(range(1), A), isinstance(B(), cabc.Sized)]"
    )
    assert Step(check_first=False).run(source).value == [True, True]
