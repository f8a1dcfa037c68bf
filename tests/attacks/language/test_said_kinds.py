"""What an object says its class is, is a class: libraries call it, and set up what it gives."""

from __future__ import annotations

import shlex

import pytest

from tests.snippet.running import Step

_SAID = (
    "import shlex\nfrom email.policy import EmailPolicy\nfrom xml.dom import minidom\n"
    "class Giving:\n    def __getattribute__(self, name): return lambda *given: shlex.quote\ngiving = Giving()\n"
)
_CLONED = "o = Own()\no.__dict__['noted'] = 1\nEmailPolicy.clone(o)"

#: Each has a library set an attribute of a function of the host's.
SAID = {
    "a policy that is cloned": f"class Own:\n    __class__ = property(lambda self: giving)\n{_CLONED}",
    "an object that stands for a class": f"class Own:\n    __class__ = giving\n{_CLONED}",
    "by the method that is asked": "class Own:\n    def __getattribute__(self, name):\n"
    f"        return giving if name == '__class__' else {{'noted': 1}}\n{_CLONED}",
    "by the method that is asked last": "class Own:\n    def __getattr__(self, name): return giving\n"
    f"    @property\n    def __class__(self): raise AttributeError\n{_CLONED}",
    "by type": f"Own = type('Own', (), {{'__class__': property(lambda self: giving)}})\n{_CLONED}",
    "by a metaclass": "class M(type):\n    def __new__(mcs, name, bases, names):\n"
    "        names['__class__'] = property(lambda self: giving)\n        return super().__new__(mcs, name, bases, names)\n"
    f"class Own(metaclass=M): pass\n{_CLONED}",
    "a text that is split": "class Own(minidom.Text):\n    __class__ = property(lambda self: lambda: shlex.quote)\n"
    "t = Own()\nt.data = 'noted'\nt.ownerDocument = minidom.Document()\nt.splitText(1)",
}


@pytest.mark.parametrize("source", SAID.values(), ids=SAID)
def test_nothing_but_a_class_is_told_as_the_class_of_an_object(run, source):
    try:
        assert run(_SAID + source).failure.type == "TypeError"
        assert vars(shlex.quote) == {}
    finally:
        vars(shlex.quote).clear()


def test_an_object_passes_for_one_of_another_class_as_ever(run):
    source = (
        "class Other: pass\nclass Own:\n    @property\n    def __class__(self): return Other\n"
        "class Text:\n    __class__ = str\nclass Asked:\n    def __getattribute__(self, name):\n"
        "        return int if name == '__class__' else object.__getattribute__(self, name)\n"
        "class Same:\n    __getattribute__ = object.__getattribute__\n    x = 5\n"
        "[isinstance(Own(), Other), Own().__class__ is Other, isinstance(Text(), str), isinstance(Asked(), int), Same().x]"
    )
    assert run(source).value == [True, True, True, True, 5]


def test_what_an_object_says_its_class_is_gets_no_attribute_by_a_name_that_was_put_together():
    stats, message = pytest.importorskip("scipy.stats"), pytest.importorskip("email.message").Message
    step = Step(check_first=False, imports=("scipy",))
    source = "from email.message import Message\nfrom scipy import stats\nclass Own(stats.Normal):\n    __class__ = Message\nOwn(mu=1.0)"
    failure = step.run(source).failure
    found = vars(message).keys() & {"mu", "sigma"}
    for name in found:
        delattr(message, name)
    assert (found, failure.kind, failure.type) == (set(), "refused", "AttributeError")
    assert step.run("class Own(stats.Normal): pass\nfloat(Own(mu=1.0).mu + stats.Normal(sigma=2.0).sigma)").value == 3.0
    assert stats.Normal(mu=1.5).mu == 1.5


PASSING_ON = "class Own:\n    def __getattribute__(self, name): return {0}.__getattribute__(self, name)\nown = Own()\n"
STORED = {
    "by its method": "own.__setattr__('__class__', int)",
    "by object's": "object.__getattribute__(own, '__setattr__')('__class__', int)",
    "by its method's method": "own.__getattribute__('__setattr__')('__dict__', {})",
}


@pytest.mark.parametrize("how", STORED)
def test_what_an_object_passes_on_is_checked_as_ever(run, how):
    failure = run(PASSING_ON.format("object") + STORED[how]).failure
    assert failure is not None
    assert failure.kind == "refused"


def test_what_an_object_of_a_library_passes_on_is_checked_as_ever(run):
    source = (
        "import io\nopen('a', 'w').close()\nseen = []\nclass Own(io.BufferedReader):\n"
        "    def __getattribute__(self, name):\n        seen.append(found := super().__getattribute__(name))\n"
        "        return found\nOwn(open('a', 'rb')).raw"
    )
    failure = run(source).failure
    assert failure is not None
    assert failure.kind == "refused"
