"""The question about a call, at a terminal: shown as the call is, whatever a model wrote, and left by Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.cli.command import clean_environment, fenced, recorded

TOOLS = '''
import sys


def send(to: str, more: dict[str, str] | None = None) -> str:
    """Sends it."""
    with open("sent", "a") as sent:
        sent.write(to)
    return "sent"


def progress(n: int) -> int:
    """Says how far it is."""
    sys.stderr.write("50% [/done] [x] ")
    sys.stderr.flush()
    return n
'''
QUESTION = b"[n]: "
PATIENCE_SECONDS = 30


def _own_terminal() -> None:
    """Make the terminal the command's own, so that Ctrl-C typed there interrupts it."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _asked(folder: Path, code: str, typed: bytes, *more: str) -> tuple[int, str]:
    """Run a snippet at a terminal of its own and type something at its question: exit code, and what was shown."""
    (folder / "tools.py").write_text(TOOLS)
    model = recorded(folder / "r.jsonl", fenced(code))
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "codeact", "run", "x y", "--model", model, "--tools", "tools.py", *more]
    process = subprocess.Popen(
        command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
        preexec_fn=_own_terminal,  # noqa: PLW1509  # no thread of ours runs meanwhile
        env=clean_environment() | {"TERM": "xterm-256color", "COLUMNS": "200"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], PATIENCE_SECONDS)[0]:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if typed and shown.endswith(QUESTION):
            os.write(ours, typed)
            typed = b""
    os.close(ours)  # hangs up on a command that is still there
    return process.wait(PATIENCE_SECONDS), shown.decode()


@pytest.mark.parametrize("to", ["boss@corp.com [evil@x.com]", "a[conceal],evil@x.com[/conceal]", "x [/] y"])
def test_the_question_shows_an_argument_as_it_is(tmp_path: Path, to: str) -> None:
    code, shown = _asked(tmp_path, f"final_answer(send({to!r}))", b"y\n", "--approve", "ask")
    assert f"\nMay it call send(to={to!r}, more=None)? (y, n, later) [n]: y" in shown
    assert (code, (tmp_path / "sent").read_text()) == (0, to)


def test_nothing_in_an_argument_is_a_command_to_the_terminal(tmp_path: Path) -> None:
    bad = "\x1b[2J\r\x9b8m\u202e\nMay it call log()? [n]: "
    snippet = f"send({bad!r}, {{{bad!r}: {bad!r}}})\nfinal_answer(1)"
    _, shown = _asked(tmp_path, snippet, b"n\n", "--approve", "ask")
    (question,) = [line for line in shown.replace("\r\n", "\n").split("\n") if line.startswith("May it call")]
    assert question.startswith("May it call send(to='\\x1b[2J\\r\\x9b8m\\u202e\\nMay it")
    assert not {"\x1b", "\x9b", "\r", "\u202e"} & set(question)


@pytest.mark.parametrize(("typed", "made"), [(b"\n", False), (b"what?\nY\n", True), (b"later\n", False)])
def test_only_a_yes_makes_the_call(tmp_path: Path, typed: bytes, made: bool) -> None:
    code, _ = _asked(tmp_path, "send('a')\nfinal_answer(1)", typed, "--approve", "ask")
    assert (tmp_path / "sent").exists() == made
    assert code == (130 if typed == b"later\n" else 1 if not made else 0)


@pytest.mark.parametrize("typed", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_the_question_is_left_with_the_command_to_go_on(tmp_path: Path, typed: bytes) -> None:
    code, shown = _asked(tmp_path, "final_answer(send('a'))", typed, "--approve", "ask", "--record", "run.jsonl")
    assert code == 130, shown
    assert "codeact resume run.jsonl" in shown
    assert "Fatal" not in shown
    assert not (tmp_path / "sent").exists()


def test_a_tool_may_write_to_the_terminal_while_it_is_called(tmp_path: Path) -> None:
    code, shown = _asked(tmp_path, "final_answer(progress(7))", b"")
    assert (code, "answer: " in shown, "50% [/done] [x] " in shown) == (0, True, True)
