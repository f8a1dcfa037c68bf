"""Once a step is over nothing of it reaches the host, whatever its objects still do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeact import Limits, Session

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
