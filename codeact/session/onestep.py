"""One step of a session that may be called off at any time: also before it begins, where an interrupt meets nothing."""

from __future__ import annotations

from collections.abc import Sequence

from codeact.records import Observation
from codeact.session.session import Session
from codeact.session.turns import Turn


class OneStep:
    """A step to be run once; SessionError where it was called off before its turn came, and nothing of it has run."""

    def __init__(self, session: Session, code: str, readings: Sequence[int] = ()) -> None:
        self._session, self._code, self._turn, self._readings = session, code, Turn(), readings

    def run(self) -> Observation:
        """Run it as `Session.run` does."""
        return self._session._run(self._code, None, self._turn, self._readings)

    async def arun(self) -> Observation:
        """Run it as `Session.arun` does."""
        run, code, readings = self._session._run, self._code, self._readings
        return await self._session._beside(lambda loop, turn: run(code, loop, turn, readings), self._turn)

    def call_off(self) -> None:
        """Stop it, from any thread; once it is over, nothing happens."""
        self._session._life.withdraw(self._turn)
