"""`codeact resume` on what a session recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Pause, Session
from codeact.journal import Journal
from tests.cli.command import codeact

TOOLS = '''
def note(text: str) -> str:
    """Writes it down."""
    with open("notes", "a") as notes:
        notes.write(text)
    return text
'''


def recorded(folder: Path, note: Callable[[str], str], code: str) -> str:
    (folder / "tools").mkdir()
    (folder / "tools" / "notes.py").write_text(TOOLS)
    with Session(tools=[note], journal=folder / "live.jsonl") as session:
        session.run("kept = 6 * 7")
        session.run(code)
    return str(folder / "live.jsonl")


def test_a_session_that_was_cut_off_is_finished_and_its_variables_are_shown(tmp_path: Path) -> None:
    def note(text: str) -> str:
        """Writes it down."""
        return text

    journal = Path(recorded(tmp_path, note, "said = note('once')\nsaid * 2"))
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))
    ran = codeact("resume", str(journal), folder=tmp_path)
    assert ran.code == 0, ran.err
    assert "onceonce" in ran.out
    assert "kept: int = 42" in ran.out
    assert not (tmp_path / "notes").exists()


def test_what_a_link_leads_to_is_gone_on_with_and_the_link_stays_one(tmp_path: Path) -> None:
    def note(text: str) -> str:
        """Waits."""
        raise Pause("somebody has to look")

    journal = Path(recorded(tmp_path, note, "note('now')"))
    (tmp_path / "link.jsonl").symlink_to(journal)
    assert codeact("resume", "link.jsonl", "--yes", folder=tmp_path).code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    with Session.resume(journal, tools=[note]) as session:
        assert session.paused == ()


def test_a_call_that_is_held_open_is_made_or_declined(tmp_path: Path) -> None:
    def note(text: str) -> str:
        """Waits."""
        raise Pause("somebody has to look")

    journal = recorded(tmp_path, note, "said = note('now')\nsaid * 2")
    waiting = codeact("resume", journal, folder=tmp_path)
    assert (waiting.code, "somebody has to look" in waiting.err) == (130, True)
    assert codeact("resume", journal, "--json", folder=tmp_path).json["ok"] is False
    (tmp_path / "other").write_bytes(Path(journal).read_bytes())
    assert codeact("resume", "other", "--no", folder=tmp_path).code == 1
    assert not (tmp_path / "notes").exists()
    made = codeact("resume", journal, "--yes", "--json", folder=tmp_path)
    assert (made.json["ok"], made.json["step"]["value"]) == (True, "nownow")
    assert (tmp_path / "notes").read_text() == "now"


def test_a_session_that_waits_for_its_next_call_says_so(tmp_path: Path) -> None:
    def note(text: str) -> str:
        """Waits."""
        raise Pause("somebody has to look")

    journal = recorded(tmp_path, note, "note('now')\nnote('then')")
    (tmp_path / "tools" / "notes.py").write_text(
        "from codeact import Pause\n\ndef note(text: str) -> str:\n    'Waits.'\n    raise Pause('ask again')\n"
    )
    ran = codeact("resume", journal, "--yes", folder=tmp_path)
    assert (ran.code, "note() is held open: ask again. --yes makes the call" in ran.err) == (130, True)


@pytest.mark.parametrize("fails", [False, True])
def test_a_call_that_was_made_is_not_made_again_by_going_on_once_more(tmp_path: Path, fails: bool) -> None:
    def note(text: str) -> str:
        """Waits."""
        raise Pause("somebody has to look")

    journal = recorded(tmp_path, note, "said = note('now')\n" + ("1 / 0" if fails else "said * 2"))
    for _ in range(2):
        codeact("resume", journal, "--yes", folder=tmp_path)
    assert (tmp_path / "notes").read_text() == "now"
    assert "said: str = 'now'" in codeact("resume", journal, folder=tmp_path).out


@pytest.mark.parametrize("decision", ["--yes", "--no"])
def test_a_decision_about_no_call_is_refused(tmp_path: Path, decision: str) -> None:
    with Session(journal=tmp_path / "live.jsonl") as session:
        session.run("kept = 6 * 7")
    ran = codeact("resume", "live.jsonl", decision, folder=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "codeact: live.jsonl does not wait for a decision: resume it without one\n"


def test_a_session_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    Session(journal=tmp_path / "live.jsonl").close()
    ran = codeact("resume", "live.jsonl", folder=tmp_path)
    assert (ran.code, ran.out) == (0, "no step was cut off, and there are no variables\n")


def test_a_session_that_somebody_else_goes_on_with_is_left_to_them(tmp_path: Path) -> None:
    def note(text: str) -> str:
        """Waits."""
        raise Pause("somebody has to look")

    journal = recorded(tmp_path, note, "note('now')")
    whole = Path(journal).read_bytes()
    with Journal.reopen(Path(journal)):
        refused = codeact("resume", journal, "--yes", folder=tmp_path)
    assert (refused.code, "is being written by another process" in refused.err) == (1, True)
    assert Path(journal).read_bytes() == whole
    assert not (tmp_path / "notes").exists()
    assert codeact("resume", journal, "--yes", folder=tmp_path).code == 0


@pytest.mark.parametrize(
    "command", ["replay {}", "replay {} --html page.html", "skills promote {} --skills .", "undo {}"]
)
def test_what_is_for_runs_says_that_a_session_is_resumed(tmp_path: Path, command: str) -> None:
    with Session() as session:
        session.save(tmp_path / "kept.session")
    ran = codeact(*command.format("kept.session").split(), folder=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "kept.session is a session, not a run: `codeact resume` goes on with it" in ran.err


@pytest.mark.parametrize("command", ["replay", "resume", "undo"])
def test_a_recording_that_is_not_there_is_wrong_usage(tmp_path: Path, command: str) -> None:
    ran = codeact(command, "gone.jsonl", folder=tmp_path)
    assert (ran.code, ran.err) == (2, "codeact: gone.jsonl: there is no such recording\n")


@pytest.mark.parametrize("option", [["--operations", "5"], ["--model", "openai/x"], ["--promote"], ["--import", "csv"]])
def test_what_changes_nothing_of_a_session_is_refused_by_name(tmp_path: Path, option: list[str]) -> None:
    with Session(journal=tmp_path / "live.jsonl") as session:
        session.run("kept = 6 * 7")
    ran = codeact("resume", "live.jsonl", *option, folder=tmp_path)
    assert ran.code == 2
    assert f"{option[0]}: live.jsonl is a session, which goes on as it was begun; leave it out" in ran.err


def test_a_session_is_resumed_without_the_walls_that_are_named(tmp_path: Path) -> None:
    with Session(journal=tmp_path / "live.jsonl") as session:
        session.run("kept = 6 * 7")
    assert codeact("resume", "live.jsonl", "--without", "network", folder=tmp_path).code == 0
    ran = codeact("resume", "live.jsonl", "--without", "fence", folder=tmp_path)
    assert ran.code == 2
    assert "fence" in ran.err
