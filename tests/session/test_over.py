"""Once a step is over nothing of it reaches the host, whatever its objects still do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeact import Limits, Session
from codeact.snippet.endings import StepOver
from codeact.snippet.meter import Meter

_AFTER = {
    "a generator's finalizer": """
def going():
    try:
        while True: yield
    finally: call(2)
for turn in going(): pass
""",
    "a callback of a weak reference": """
import weakref
class Own: pass
def gone(reference):
    while True: pass
own = Own()
held = weakref.ref(own, gone)
del own
call(2)
""",
    "a handler after too many calls": """
for turn in range(9):
    try: call(turn)
    except BaseException: pass
""",
}


@pytest.mark.parametrize("after", _AFTER)
def test_no_tool_is_called_after_the_end_of_a_step(after: str) -> None:
    made: list[int] = []
    call: Callable[[int], None] = made.append
    limits = Limits(operations=10_000, tool_calls=2)
    with Session(tools={"call": call}, isolation="inline", limits=limits) as session:
        failure = session.run(_AFTER[after]).failure
    assert failure is not None
    assert failure.kind == "limit"
    assert 2 not in made


def test_what_is_raised_after_a_step_is_kept_by_nobody() -> None:
    meter = Meter()
    raised = []
    for _ in range(2):
        meter.begin(100)
        meter.finish()
        for draw in (lambda: meter.answer(1), lambda: meter.charge(1), lambda: next(meter.loops.stream)):
            with pytest.raises(StepOver) as seen:
                draw()
            raised.append(seen.value)

    assert len({id(one) for one in raised}) == 6
    assert meter.ending not in raised
    assert meter.ending.__traceback__ is None
