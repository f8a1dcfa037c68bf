"""What a handler of a signal raises is told apart from what the system and libraries say."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from codeact.alarms import is_an_alarms, is_of_the_system
from codeact.errors import ProtocolError
from codeact.wire.values import pack, unpack


class Rung(Exception):
    """What an alarm of a program's own raises."""


class Bell:
    """What handlers of signals can be: a function, a method, an object."""

    def __call__(self, *_: object) -> None:
        raise Rung

    def method(self, *_: object) -> None:
        raise Rung


def function(*_: object) -> None:
    raise Rung


HANDLERS = pytest.mark.parametrize("handler", [function, Bell().method, Bell()], ids=["function", "method", "object"])


def raised_by(do: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011  # whatever it is
        do()
    return caught.value


@pytest.fixture(autouse=True)
def as_before() -> Any:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)


@HANDLERS
def test_what_a_handler_raises_is_known_as_that_as_long_as_it_is_the_handler(handler: Callable[..., None]) -> None:
    signal.signal(signal.SIGALRM, handler)
    assert is_an_alarms(raised_by(lambda: signal.raise_signal(signal.SIGALRM)))
    assert not is_an_alarms(raised_by(lambda: int("x")))
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    assert not is_an_alarms(raised_by(handler))


def test_what_the_system_says_has_a_number_and_what_others_say_has_none() -> None:
    assert is_of_the_system(raised_by(lambda: os.close(-1)))
    assert not is_of_the_system(TimeoutError("the alarm"))
    assert not is_of_the_system(ValueError(3, "three"))


@HANDLERS
def test_an_alarm_while_a_value_is_made_is_not_said_to_be_the_values_fault(handler: Callable[..., None]) -> None:
    def rings(name: str) -> Any:
        signal.raise_signal(signal.SIGALRM)
        return import_module(name)

    def fails(name: str) -> Any:
        raise Rung

    signal.signal(signal.SIGALRM, handler)
    tree = pack(uuid.UUID(int=1))
    assert isinstance(raised_by(lambda: unpack(tree, module=rings)), Rung)
    assert isinstance(raised_by(lambda: unpack(tree, module=fails)), ProtocolError)


def test_whoever_has_come_too_deep_to_make_a_value_is_told_so() -> None:
    def too_deep(name: str) -> Any:
        raise RecursionError

    assert isinstance(raised_by(lambda: unpack(pack(uuid.UUID(int=1)), module=too_deep)), RecursionError)
