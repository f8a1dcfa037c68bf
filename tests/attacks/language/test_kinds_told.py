"""What a library tells of the kind of what it was given, in what it gives and in what it raises: what stands for it."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step, value_of

_FOUND = """
class Number:
    @classmethod
    def as_integer_ratio(cls): return (1, 1)
def told(function, *arguments):
    try:
        return function(*arguments)[0]
    except TypeError as error:
        return error.args[0]
"""


@pytest.mark.parametrize("name", ["_sum", "_ss"])
def test_a_sum_of_classes_is_not_said_to_be_of_the_type_of_types(name):
    assert value_of(f"{_FOUND}import statistics\ntold(statistics.{name}, [Number]) is type") is True


#: How the arguments of an exception are read.
READ = {
    "by their name": "error.args[0]",
    "by getattr": "getattr(error, 'args')[0]",
    "from the class": "BaseException.args.__get__(error)[0]",
}


@pytest.mark.parametrize("how", READ.values(), ids=READ)
def test_an_exception_tells_what_stands_for_the_type_of_a_class(how):
    pytest.importorskip("pandas")
    running = Step(check_first=False, imports=("pandas",))
    outcome = running.run(
        "from pandas.api.types import DatetimeTZDtype\n"
        f"try: DatetimeTZDtype('ns', int)\nexcept TypeError as error: found = {how}\nfound is type"
    )
    assert outcome.failure is None, outcome.failure
    assert outcome.value is True


def test_the_arguments_of_exceptions_are_what_they_were():
    source = """
import statistics
class Own(Exception):
    def __init__(self, code): super().__init__("failed", code)
class Named(Exception): args = "mine"
key, error = (1, "a"), ValueError("x", 2)
given = (key, error)
held = KeyError(*given)
error.args = [3, 4]
[Own(5).args, Named().args, held.args[0] is key, held.args[1] is error, error.args, str(error),
 str(KeyError((int, str)).args),
 str(statistics._sum([1, 2.5])), repr(BaseException.args)]
"""
    assert value_of(source) == [
        ("failed", 5), "mine", True, True, (3, 4), "(3, 4)", "((<class 'int'>, <class 'str'>),)",
        "(<class 'float'>, Fraction(7, 2), 2)", "<attribute 'args' of 'BaseException' objects>",
    ]  # fmt: skip


def test_the_arguments_of_an_annotation_of_a_library_are_told_as_its_classes_are():
    annotated = "asyncio.Timeout.__aexit__.__annotations__['exc_tb']"
    source = f"import asyncio, types, typing\nfound = {annotated}\ntyping.get_args(found) == found.__args__"
    assert value_of(f"{source} and types.TracebackType in typing.get_args(found)") is True
