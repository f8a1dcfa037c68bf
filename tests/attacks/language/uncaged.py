"""A session without a cage: the language alone stands between its snippets and this process."""

from __future__ import annotations

import importlib.util
import warnings

import pytest

from codeact import Limits, Policy, Session


def uncaged(*imports: str, **limits: int) -> Session:
    """Start one that may import these; the test is skipped where one of them is not installed."""
    if missing := [name for name in imports if importlib.util.find_spec(name) is None]:
        pytest.skip(f"{missing[0]} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says once, loudly, that there is no cage
        policy = Policy(imports, check_first=False)
        return Session(isolation="inline", policy=policy, limits=Limits(**{"wall_seconds": 60, **limits}))
