"""Sessions whose code runs unchecked, for attacks on the cage."""

from __future__ import annotations

import os
import sys
from typing import Any

from codeact.errors import UsageError
from codeact.session import Session

RAW_SESSIONS = "CODEACT_RAW_SESSIONS"


def raw_session(**session_options: Any) -> Session:
    """Start a caged session that runs code unchecked, so that the cage can be attacked with the language broken.

    Refused outside tests: pytest must be running, or the environment variable CODEACT_RAW_SESSIONS be 1.
    """
    from codeact.session.raw import RawSession

    if "pytest" not in sys.modules and os.environ.get(RAW_SESSIONS) != "1":
        raise UsageError(f"raw_session() is for tests alone: run it under pytest, or set {RAW_SESSIONS}=1")
    return RawSession(**session_options)
