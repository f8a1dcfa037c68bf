"""The namespace a zygote makes for all its sessions: tried out, and as empty as one just made."""

from __future__ import annotations

import gc
import resource
from collections.abc import Iterator

import pytest

from codeact.limits import Policy
from codeact.worker import main
from codeact.worker.namespace import Namespace
from codeact.worker.prepared import Prepared


def test_what_was_tried_in_it_leaves_no_name_behind() -> None:
    prepared = Prepared(Policy(["statistics"]), checked=True)
    while not prepared.is_settled:
        prepared.try_out()
    namespace = prepared(output=len)
    fresh = Namespace(Policy(["statistics"]), folder=".", output=len)

    assert namespace.variables() == {}
    assert set(namespace._names) == set(fresh._names)
    assert set(namespace._builtins) == set(fresh._builtins)


def test_its_output_goes_to_the_session_that_takes_it_over() -> None:
    printed: list[str] = []
    namespace = Prepared(Policy(), checked=True)(output=printed.append)
    namespace.run("print('hello')", operations=100, text_chars=100)

    assert "".join(printed) == "hello\n"


def test_an_import_that_cannot_be_had_does_not_hinder_it() -> None:
    namespace = Prepared(Policy(["no_such_module"]), checked=True)(output=len)

    assert namespace.run("2 * 3", operations=100, text_chars=100).value == 6


@pytest.fixture
def zygote() -> Iterator[main._Zygote]:
    """One that has given out its first session, and has nothing to do."""
    idle = object.__new__(main._Zygote)
    idle.unsettled = [Prepared(Policy(), checked=True)]
    yield idle
    gc.unfreeze()


def test_a_zygote_with_nothing_to_do_tries_it_out_until_it_is_settled(zygote: main._Zygote) -> None:
    prepared = zygote.unsettled[0]
    for _ in range(100):
        if zygote.unsettled:
            zygote.settle()

    assert prepared.is_settled
    assert zygote.unsettled == []


def test_a_zygote_without_descriptors_goes_on_with_it_as_it_is(zygote: main._Zygote) -> None:
    prepared = zygote.unsettled[0]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        zygote.settle()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert zygote.unsettled == []
    assert prepared(output=len).run("2 * 3", operations=100, text_chars=100).value == 6
