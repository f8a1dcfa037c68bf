"""A pause outlives its host, wherever that is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from codeact import Session
from codeact.journal import read
from codeact.toolbox import Tool, tool

HOST = """
import os, sys, threading
from codeact import Session
from codeact.session import Listener
from codeact.toolbox import Pause

def note(text: str) -> str:
    "Writes it down."
    with open(sys.argv[2], "a") as notes:
        notes.write(text + "\\n")
    return text

def approve(what: str) -> str:
    "Asks somebody."
    raise Pause

heard = []

def hear(text):
    "Holds the step up where it goes on, before it asks for anything."
    heard.append(text)
    if len(heard) == 2:
        print("goes on", flush=True)
        threading.Event().wait()

session = Session(tools=[note, approve], journal=sys.argv[1], listener=Listener(output=hear))
"""
DIES = f"""{HOST}
session.run("kept = note('once')\\nsaid = approve('x')")
os.kill(os.getpid(), 9)
"""
GOES_ON = f"""{HOST}
session.run("print('x' * 10_000, end='')\\nkept = note('once')\\nsaid = approve('x')")
session.go_on("yes")
"""


def unused() -> list[Tool]:
    """The tools of the host, none of which is to be called again."""

    @tool
    def note(text: str) -> str:
        """Writes it down."""
        raise AssertionError(text)

    @tool
    def approve(what: str) -> str:
        """Asks somebody."""
        raise AssertionError(what)

    return [note, approve]


def test_a_pause_outlives_the_host(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", DIES, tmp_path / "live.jsonl", tmp_path / "notes"], check=False)
    with Session.resume(tmp_path / "live.jsonl", tools=unused()) as again:
        assert [call.tool for call in again.paused] == ["approve"]
        assert again.go_on("yes").ok
        assert again.run("kept, said").value == ("once", "yes")
    assert (tmp_path / "notes").read_text() == "once\n"


def test_a_host_killed_while_a_paused_step_goes_on_has_lost_neither_its_answers_nor_the_one_given(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "live.jsonl"
    told = [sys.executable, "-c", GOES_ON, journal, tmp_path / "notes"]
    with subprocess.Popen(told, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "goes on\n"
        host.kill()
    assert read(journal).entries[-1].kind == "begin"  # nothing had been asked for yet
    with Session.resume(journal, tools=unused()) as again:
        seen = again.finish()
        assert seen is not None
        assert again.run("kept, said").value == ("once", "yes")
    assert (tmp_path / "notes").read_text() == "once\n"
