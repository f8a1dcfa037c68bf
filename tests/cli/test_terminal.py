"""On a terminal: colours, and what streams makes way for the finished thing."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.cli.command import clean_environment, fenced, recorded


def _on_a_terminal(folder: Path, *arguments: str) -> str:
    """What a terminal of 100 columns receives from a command."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "codeact", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=clean_environment() | {"TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(theirs)
    received = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed: that is how a terminal says that there is no more
            break
        if not piece:
            break
        received += piece
    os.close(ours)
    assert process.wait() == 0, received.decode()
    return received.decode()


def test_code_is_highlighted_and_the_models_words_stay(tmp_path: Path) -> None:
    model = recorded(tmp_path / "r.jsonl", "I import first.\n" + fenced("import math\nfinal_answer(math.pi)"))
    shown = _on_a_terminal(tmp_path, "run", "count", "--model", model)
    assert "\x1b[94;49mimport\x1b[0m" in shown
    assert "I import first." in shown
    assert "answer:" in shown


def test_a_line_of_a_tool_call_is_cut_to_the_width_of_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text('def long(text: str) -> str:\n    """Gives it back."""\n    return text\n')
    (tmp_path / "s.py").write_text("len(long('x' * 500))")
    shown = _on_a_terminal(tmp_path, "exec", "s.py", "--tools", "tools.py")
    (line,) = [line for line in shown.splitlines() if "long(text=" in line]
    assert "…" in line


COMMANDS = "\x1b]0;title\x07\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202eabc\r"


def test_nothing_a_snippet_or_a_model_writes_is_a_command_to_the_terminal(tmp_path: Path) -> None:
    code = f"print({COMMANDS!r})\nnote({COMMANDS!r})\ntry:\n    raise ValueError({COMMANDS!r})\nfinally:\n    1"
    words = f"Now {COMMANDS} this."
    replies = [f"{words}\n{fenced(code)}", fenced(f"final_answer({COMMANDS!r})")]
    (tmp_path / "tools.py").write_text('def note(text: str) -> str:\n    """Gives it back."""\n    return text\n')
    model = recorded(tmp_path / "r.jsonl", *replies)
    run = ("run", f"do {COMMANDS}", "--model", model, "--tools", "tools.py")
    shown = _on_a_terminal(tmp_path, *run)
    piped = subprocess.run(
        [sys.executable, "-m", "codeact", *run],
        cwd=tmp_path, env=clean_environment(), capture_output=True, check=False, encoding="utf-8",
    )  # fmt: skip

    for bad in ("\x1b]", "\x07", "\x1b[2J", "\x9b", "\u202e"):
        assert bad not in shown
        assert bad not in piped.stdout + piped.stderr
    assert "abc" in shown
    assert "abc" in piped.stdout + piped.stderr
