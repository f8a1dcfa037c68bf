"""Pausing, deciding, trying dry and taking back, as a shell sees it."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import codeact, recorded

TOOLS = '''
from pathlib import Path


def keep(text: str) -> str:
    """Keeps a text."""
    Path("kept.txt").write_text(text)
    return "kept"


keep.effect = "write"
keep.undo = lambda call: Path("kept.txt").unlink()
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.py").write_text(TOOLS)
    recorded(tmp_path / "replies.jsonl", "```python\nfinal_answer(keep('a'))\n```")
    return tmp_path


def _run(folder: Path, *more: str):
    model = ("--model", "recorded:replies.jsonl", "--tools", "tools.py", "--record", "run.jsonl")
    return codeact("run", "keep it", *model, *more, folder=folder)


def test_a_dry_run_lists_what_it_would_call(folder):
    ran = _run(folder, "--dry-run")
    assert ran.code == 0
    assert "would call keep(text='a')" in ran.out
    assert not (folder / "kept.txt").exists()


def test_a_paused_run_says_how_to_decide_and_goes_on_with_the_decision(folder):
    ran = _run(folder, "--approve", "pause")
    assert ran.code == 130
    assert "codeact resume run.jsonl --yes" in ran.err
    assert not (folder / "kept.txt").exists()
    ran = codeact("resume", "run.jsonl", "--tools", "tools.py", "--change", "{", folder=folder)
    assert (ran.code, "not JSON" in ran.err) == (2, True)
    model = ("--model", "recorded:replies.jsonl", "--tools", "tools.py")
    ran = codeact("resume", "run.jsonl", *model, "--change", '{"text": "b"}', folder=folder)
    assert (ran.code, (folder / "kept.txt").read_text()) == (0, "b")


def test_asking_where_nobody_is_at_the_terminal_pauses_and_the_printed_command_goes_on(folder):
    ran = _run(folder, "--approve", "ask")
    assert (ran.code, (folder / "kept.txt").exists()) == (130, False)
    command = ran.err.split("To go on:  codeact ")[1].split("    (or")[0]
    assert codeact(*shlex.split(command), folder=folder).code == 0
    assert (folder / "kept.txt").exists()


def test_a_run_that_asked_goes_on_asking_where_nobody_says_so_again(folder):
    recorded(folder / "replies.jsonl", "```python\nfinal_answer([keep('a'), keep('b')])\n```")
    assert _run(folder, "--approve", "pause").code == 130
    again = ("resume", "run.jsonl", "--model", "recorded:replies.jsonl", "--tools", "tools.py", "--yes")
    assert codeact(*again, folder=folder).code == 130
    assert (folder / "kept.txt").read_text() == "a"
    assert codeact(*again, folder=folder).code == 0
    assert (folder / "kept.txt").read_text() == "b"


def test_at_a_terminal_a_person_is_asked(folder):
    host, terminal = pty.openpty()
    command = [sys.executable, "-m", "codeact", "run", "keep it", "--model", "recorded:replies.jsonl", "--tools",
               "tools.py", "--record", "run.jsonl", "--approve", "ask"]  # fmt: skip
    with subprocess.Popen(command, cwd=folder, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        os.close(terminal)
        os.write(host, b"y\n")
        _, told = ran.communicate(timeout=60)
    os.close(host)
    assert "May it call keep(text='a')?" in told.decode()
    assert (ran.returncode, (folder / "kept.txt").read_text()) == (0, "a")


def test_candidates_and_a_plan_are_asked_for_from_the_command_line(folder):
    replies = ["1. keep it", *["```python\nfinal_answer(keep('a'))\n```"] * 2]
    recorded(folder / "replies.jsonl", *replies)
    ran = _run(folder, "--plan", "--candidates", "2")
    assert (ran.code, "1. keep it" in ran.out, "reply 1 of 2 is run" in ran.out) == (0, True, True)


def test_what_a_run_changed_is_taken_back(folder):
    assert _run(folder).code == 0
    assert (folder / "kept.txt").exists()
    ran = codeact("undo", "run.jsonl", "--tools", "tools.py", folder=folder)
    assert (ran.code, ran.out.startswith("taken back: keep(text='a')")) == (0, True)
    assert not (folder / "kept.txt").exists()
    assert codeact("undo", "run.jsonl", "--tools", "tools.py", folder=folder).out == "there is nothing to take back\n"
