"""A namespace with the cage off: the language alone stands between a specimen and this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from codeact import Session
from codeact.limits import Policy
from codeact.worker.namespace import Namespace, Outcome

Run = Callable[..., Outcome]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """One with the cage, for specimens that would end their process if they were not mended."""
    with Session() as session:
        yield session


@pytest.fixture
def printed() -> list[str]:
    return []


@pytest.fixture
def run(tmp_path, printed) -> Run:
    """Runs one snippet in a fresh namespace; `canary` in it is a path outside the working folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("the secret")
    namespace = Namespace(Policy(check_first=False), folder=str(folder), output=printed.append)
    namespace.assign({"canary": str(tmp_path / "canary"), "secret": str(tmp_path / "secret.txt")})
    return lambda source, operations=1_000_000: namespace.run(source, operations=operations, text_chars=1_000)


@pytest.fixture
def canary(tmp_path):
    return tmp_path / "canary"
