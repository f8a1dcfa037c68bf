"""A store that is not asked about again is one on the very object that was asked about."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step, failure_of, value_of

_OWN = """
import json
class Own: pass
own, foreign = Own(), json.JSONEncoder
"""

_REBOUND = {
    "by an assignment": "x = own; x.a = 1; x = foreign; x.a = 2",
    "by a loop's next turn": "\n for x in (own, foreign):\n  x.a = 1",
    "by a while loop": "\n x = own\n for turn in range(2):\n  x.a = turn\n  x = foreign",
    "by a walrus": "x = own; x.a = 1; (x := foreign); x.a = 2",
    "by a walrus in a comprehension": "x = own; x.a = 1; [(x := foreign) for i in [1]]; x.a = 2",
    "by an inner function": "\n x = own\n def change():\n  nonlocal x\n  x = foreign\n x.a = 1\n change()\n x.a = 2",
    "by an inner function of the turn before": """
 x, change = own, None
 for turn in range(2):
  x.a = 1
  if change: change()
  x.a = 2
  def change():
   nonlocal x
   x = foreign""",
    "by a class body": "\n x = own\n x.a = 1\n class Inner:\n  nonlocal x\n  x = foreign\n x.a = 2",
    "by with": "\n import contextlib\n x = own\n x.a = 1\n with contextlib.nullcontext(foreign) as x: pass\n x.a = 2",
    "by a pattern": "\n x = own\n x.a = 1\n match foreign:\n  case x: pass\n x.a = 2",
    "by a handler": "\n x = own\n x.a = 1\n try: raise ValueError\n except ValueError as x: pass\n x = foreign\n x.a = 2",
    "by an import": "x = own; x.a = 1; from json import JSONEncoder as x; x.a = 2",
    "in the branch not taken": "\n x = foreign\n if x is own: x.a = 1\n x.a = 2",
    "in a loop without turns": "\n x = foreign\n for x.a in []: pass\n x.a = 2",
    "in a block that was left": "\n x = foreign\n try:\n  1 / 0\n  x.a = 1\n except ZeroDivisionError: pass\n x.a = 2",
    "in a suppressed with": """
 import contextlib
 class Failing:
  def __enter__(self): raise ValueError
  def __exit__(self, *error): pass
 x = foreign
 with contextlib.suppress(ValueError), Failing() as x.a: pass
 x.a = 2""",
    "in a pattern's branch": "\n x = foreign\n match 1:\n  case 2: x.a = 1\n  case 1: x.a = 2",
    "in an and": "\n x = foreign\n [0 for i in [] for x.a in [1]]\n x.a = 2",
    "of a global": "\n global x\n x = own\n def change():\n  global x\n  x = foreign\n x.a = 1\n change()\n x.a = 2",
    "of a private name": "\n x = foreign\n if x is own: x._a = 1\n x._a = 2",
    "by a value that is worked out before its target": "x = own; x.a = 1; x.a: int = (x := foreign)",
    "by a generator that goes on later": "x = own; g = ((x := foreign) for i in [1]); x.a = 1; next(g); x.a = 2",
    "by an import of a part, in the turn before": """
 def go(os):
  os.a = 1
  for turn in range(2):
   os.a = 2
   import os.path
 go(own)""",
    "under its other spelling": """
 class A:
  def go(self, _A__x):
   _A__x.a = 1
   __x = foreign
   _A__x.a = 2
 A().go(own)""",
    "by an inner function, under its other spelling": """
 _A__x = own
 class A:
  def go(self):
   nonlocal __x
   __x = foreign
 _A__x.a = 1
 A().go()
 _A__x.a = 2""",
}


@pytest.mark.parametrize("how", _REBOUND)
def test_a_store_on_another_object_of_the_same_name_is_asked_about(how: str) -> None:
    assert failure_of(f"{_OWN}def f(): {_REBOUND[how]}\nf()") == ("refused", "AttributeError")


#: Reads of a private name after a store on the name has been asked about: what each does first is done before the read.
_READ = {
    "in the test of a loop": "\n while x._exit_callbacks: x = stack",
    "among the keys of a dictionary": "{1: (x := stack), str(x._exit_callbacks): 2}",
    "as a default": "\n def g(a=(x := stack), *, b=x._exit_callbacks): pass",
    "below a decorator": "\n @((x := stack) and callable)\n def g(a=x._exit_callbacks): pass",
}


@pytest.mark.parametrize("how", _READ)
def test_a_private_name_is_asked_about_wherever_it_is_read(how: str) -> None:
    made = "import contextlib\nclass Own: pass\nown, stack = Own(), contextlib.ExitStack()\n"
    source = f"{made}def f():\n x = own; x._exit_callbacks = 1\n {_READ[how]}\nf()"
    assert failure_of(source) == ("refused", "AttributeError")


def test_a_method_stores_on_its_own_instance() -> None:
    source = "class A:\n def __init__(self):\n  self.a = 1\n  self._b = 2\n  self._b += self.a\nA()._b"
    assert value_of(source) == 3


def test_a_metaclass_cannot_answer_for_its_classes_later() -> None:
    outcome = Step().run("class M(type): pass\nM.__eq__ = lambda a, b: True")
    assert outcome.failure is not None
    assert "metaclass" in outcome.failure.message
