"""With `Limits(atomic=True)` a step has happened as a whole, or not at all."""

from __future__ import annotations

import pytest

from codeact import Limits, Policy, Session


@pytest.mark.parametrize("failing", ["1 / 0", "import socket", "eval('().__class__')", "exec('1 +')"])
def test_a_step_that_fails_half_way_is_undone_whatever_stopped_it(failing: str) -> None:
    with Session(limits=Limits(atomic=True), policy=Policy(check_first=False)) as session:
        session.run("kept = 1")
        assert session.run(f"kept = 2\n{failing}").rolled_back
        assert session.run("kept").value == 1


@pytest.mark.parametrize("refused", ["import socket", "1 +", "().__reduce__"])
def test_a_step_that_is_refused_as_a_whole_is_not_undone_for_nothing_of_it_was_run(refused: str) -> None:
    with Session(limits=Limits(atomic=True)) as session:
        session.run("kept = 1")
        seen = session.run(f"kept = 2\n{refused}")
        assert (seen.ok, seen.rolled_back) == (False, False)
        assert session.run("kept").value == 1
