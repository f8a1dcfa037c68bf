"""Ctrl-C at any moment of making a copy or closing something leaves nothing behind, and hurts nobody else."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from types import FrameType

import pytest

from codeact.journal import Journal
from codeact.limits import Policy
from codeact.sandbox import launch, zygotes
from codeact.testing import raw_session
from tests.sandbox.conftest import none_ready

_WHERE = (launch.__file__, zygotes.__file__)
_MOMENTS = ("call", "c_return")  # in which the interpreter looks for signals


class InterruptedAt:
    """Within the block Ctrl-C comes at the so-manyth moment it can come at in our side of the sandbox."""

    def __init__(self, moment: int) -> None:
        self.left = moment

    def _pass(self, frame: FrameType, event: str, called: object) -> None:
        taken = getattr(called, "__name__", "") == "__enter__"  # CPython 3.14 is interrupted before a `with` holds it
        if event in _MOMENTS and frame.f_code.co_filename in _WHERE and not taken:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt

    def __enter__(self) -> InterruptedAt:
        sys.setprofile(self._pass)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)


def _descriptors() -> set[str]:
    gc.collect()
    return set(os.listdir("/proc/self/fd"))


def test_a_copy_that_is_interrupted_at_any_moment_leaves_no_descriptor():
    kept: dict[int, int] = {}
    with none_ready(), raw_session() as session:
        session.run("x = 1")
        session.fork().close()
        before = len(_descriptors())
        interrupted = InterruptedAt(0)
        while interrupted.left <= 0:
            interrupted = InterruptedAt(len(kept) + 1)
            with suppress(KeyboardInterrupt), interrupted:
                session.fork().close()
            assert session.run("x").value == 1
            kept[len(kept) + 1] = len(_descriptors()) - before

    assert len(kept) > 20
    assert [moment for moment, more in kept.items() if more > 0] == []


@pytest.mark.parametrize(
    "held",
    [lambda folder: Journal.create(folder / "journal"), lambda _: zygotes.Zygote(Policy(), frozenset())],
    ids=["journal", "zygote"],
)
def test_what_is_closed_again_after_ctrl_c_closes_no_descriptor_of_somebody_else(held, tmp_path, monkeypatch):
    closing, opened = held(tmp_path), []

    def ctrl_c(descriptor: int) -> None:
        monkeypatch.undo()
        os.close(descriptor)
        opened.append(os.open(tmp_path, os.O_RDONLY))  # has its number now
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "close", ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        closing.close()
    closing.close()
    os.close(*opened)  # and it is still there
