"""`codeact run` with a live model: the real litellm, and a server on the loopback that speaks the provider's protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.testing import FakeProvider, Says
from tests.cli.command import codeact, fenced

pytestmark = pytest.mark.slow


def test_a_server_of_your_own_is_asked_as_the_readme_says(tmp_path: Path) -> None:
    with FakeProvider([Says(fenced("final_answer(6 * 7)"))]) as provider:
        settings = {"OPENAI_API_BASE": provider.url, "OPENAI_API_KEY": "none"}
        ran = codeact("run", "What is six times seven?", "--model", "openai/local", folder=tmp_path, **settings)
    assert ran.code == 0, ran.out + ran.err
    assert "answer: 42" in ran.out
    assert provider.requests[0]["model"] == "local"
    assert "What is six times seven?" in str(provider.requests[0]["messages"])


def test_without_a_key_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    ran = codeact("run", "count", "--model", "openai/gpt-5", folder=tmp_path, OPENAI_API_KEY="")
    assert ran.code == 1
    (line,) = [line for line in ran.err.splitlines() if line.startswith("codeact:")]
    assert "OPENAI_API_KEY" in line
    assert "Traceback" not in ran.err
