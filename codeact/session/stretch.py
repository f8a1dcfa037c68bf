"""The steps since the newest frozen state, as far as going back to it means to run them again.

A fork costs as much as dozens of small steps. So no state is frozen before a step that follows a few others which were
short and come to the same each time: where it has to be undone, the state before them is woken, and they are run again
with what their tools returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeact.records import Observation
from codeact.session.log import outcome_of
from codeact.session.past import Lived

if TYPE_CHECKING:
    from codeact.session.serving import Serving

_MOST_STEPS = 32
_MOST_SECONDS = 0.03  # of processor time, in all; an interrupted step is undone within 0.1
_MOST_BYTES = 1 << 20  # of their messages: they are kept in memory
_MOST_CALLS = 100


class Stretch:
    """Steps of a session, one after the other; only before the first of them a state was frozen."""

    def __init__(self) -> None:
        self.steps: list[Lived] = []
        self.began = 0  # the first call of the first of them: the state before it is known by that
        self.last = 0  # that of the last one
        self._seconds, self._bytes, self._calls = 0.0, 0, 0

    def take(self, code: str, serving: Serving, seen: Observation) -> bool:
        """Add a step that has ended; False where a state is to be frozen before the next one."""
        finished = serving.finished
        steady = finished is not None and finished.steady and seen.ok and not (seen.files or seen.images)
        if not steady or not (self.steps or serving.freezes):
            return False
        self._seconds += max(0.0, seen.cost.cpu_seconds)
        self._bytes += serving.carried_bytes
        self._calls += len(seen.calls)
        if len(self.steps) >= _MOST_STEPS or self._seconds > _MOST_SECONDS:
            return False
        if self._bytes > _MOST_BYTES or self._calls > _MOST_CALLS:
            return False
        self.began = self.began or serving.first_call
        self.last = serving.first_call
        self.steps.append(Lived(code, dict(serving.answers), outcome_of(seen), readings=serving.readings))
        return True
