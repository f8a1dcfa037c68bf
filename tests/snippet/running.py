"""Runs snippets in a namespace of their own, for the tests of the language."""

from __future__ import annotations

import shutil
import tempfile
import weakref

from codeact.limits import Policy
from codeact.snippet import ownership
from codeact.snippet.running import our_own_work
from codeact.worker.namespace import Namespace, Outcome

PLENTY = 10**9


class Step:
    """A fresh namespace with a folder; `run` gives the outcome of the last of some steps, `printed` all that was printed."""

    def __init__(self, *, check_first: bool = True, imports: tuple[str, ...] = ()) -> None:
        self.texts: list[str] = []
        policy = Policy(imports, check_first=check_first)
        folder = tempfile.mkdtemp()
        weakref.finalize(self, _take_away, folder)
        self.namespace = Namespace(policy, folder=folder, output=self.texts.append)

    @property
    def printed(self) -> str:
        return "".join(self.texts)

    def run(self, *steps: str, operations: int = PLENTY) -> Outcome:
        for source in steps:
            outcome = self.namespace.run(source, operations=operations, text_chars=4_000)
        return outcome


def _take_away(folder: str) -> None:
    ownership.forget_classes()
    with our_own_work():  # a step that was forgotten may be collected while another one runs
        shutil.rmtree(folder, ignore_errors=True)


def value_of(*steps: str, operations: int = PLENTY) -> object:
    """The value of the last step; the failure, where there is one, fails the test."""
    outcome = Step(check_first=False).run(*steps, operations=operations)
    assert outcome.failure is None, outcome.failure
    return outcome.value


def failure_of(*steps: str, operations: int = PLENTY) -> tuple[str, str]:
    """Kind and type of the failure of the last step."""
    failure = Step(check_first=False).run(*steps, operations=operations).failure
    assert failure is not None, "the step ended well"
    return failure.kind, failure.type
