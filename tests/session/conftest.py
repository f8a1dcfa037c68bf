"""What tests that count processes or descriptors ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox.conftest import end_forgotten, none_ready


@pytest.fixture
def nothing_in_reserve() -> Iterator[None]:
    """No session is there, or being made, but those a test asks for."""
    end_forgotten()
    with none_ready():
        yield
