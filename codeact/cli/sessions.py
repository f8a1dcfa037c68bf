"""`codeact resume` on a saved session or a session's journal: built again, and gone on with where it was cut off."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, INTERRUPTED, Ended, plain, print_json, told_where_interrupted
from codeact.errors import UsageError
from codeact.paths import led_to
from codeact.snippet.places import printable

if TYPE_CHECKING:
    from codeact.journal import Recording
    from codeact.records import Observation
    from codeact.session import Session


def read_recording(path: str) -> Recording:
    """What a recording holds; UsageError where there is none."""
    from codeact.journal import read

    if not os.path.lexists(path):
        raise UsageError(f"{path or 'an empty name'}: there is no such recording")
    if os.path.isdir(path):
        raise UsageError(f"{path}: this is a folder; name the recording in it")
    return read(path)


def read_run(path: str) -> Recording:
    """The recording of a run; UsageError where there is none, or where it is that of a session."""
    recording = read_recording(path)
    if recording.holds_session:
        raise UsageError(f"{path} is a session, not a run: `codeact resume` goes on with it")
    return recording


def resume_session(
    recording: str, chosen: Mapping[str, Any], decision: bool | dict[str, Any] | None, *, as_json: bool
) -> NoReturn:
    """Build the session again and finish the step it was cut off in; print that step, and the variables there are."""
    from codeact.cli.execute import observation_as_json
    from codeact.cli.screen import open_screen

    if isinstance(decision, dict):
        raise UsageError("--change: a session's call is made as it stands, or not; only a run can change it")
    if decision is not None and not _waits(Path(recording)):
        raise UsageError(f"{recording} does not wait for a decision: resume it without one")
    settings = {"tools": options.tools_of(chosen["tool_paths"]), "without": chosen["without"]}
    screen = open_screen(sys.stderr if as_json else sys.stdout)
    kept = f"{recording} holds all that was done; the same command goes on from there"
    try:
        with (
            told_where_interrupted(kept, as_json=as_json),
            ExitStack() as held,
            _built_again(Path(recording), settings, decision, held) as session,
        ):
            seen = _gone_on(session, decision)
            if seen is not None:
                screen.observed(seen)
            variables, paused = session.variables(), session.paused
    finally:
        screen.close()
    for name, variable in variables.items():
        click.echo(printable(f"{name}: {variable.type} = {variable.text}"), err=as_json)
    if not variables and seen is None and not paused:
        click.echo("no step was cut off, and there are no variables", err=as_json)
    if paused:
        told = f"{paused[0].tool}() is held open: {paused[0].error}. --yes makes the call, --no declines it"
        click.echo(printable(told), err=True)
    ok = not paused and (seen is None or seen.ok)
    if as_json:
        print_json({"ok": ok, "variables": plain(variables), "step": seen and observation_as_json(seen)})
    raise Ended(INTERRUPTED if paused else ANSWERED if ok else FAILED)


def _waits(recording: Path) -> bool:
    """Whether a call of the session is held open."""
    from codeact.session.past import read_past

    step = read_past(recording).unfinished
    return step is not None and bool(step.held)


def _built_again(recording: Path, settings: Mapping[str, Any], decision: bool | None, held: ExitStack) -> Session:
    """The session, which writes on what it does from here in its recording: no call of it is made once more.

    Until `held` is closed nobody else goes on with the recording, who would make the same calls.
    """
    from codeact.journal import Journal, lock
    from codeact.session import Session
    from codeact.session.past import read_past

    def goes_on() -> bool:
        step = read_past(recording).unfinished
        return step is not None and not (step.held and decision is None)

    if not goes_on():
        return Session.resume(recording, **settings)
    held.enter_context(Journal.reopen(recording))
    if not goes_on():  # any more: somebody else went on with it just before
        return Session.resume(recording, **settings)
    target = led_to(recording)  # where it is a link, that stays one
    journal = lock.new_beside(target)
    with ExitStack() as undone:
        undone.callback(journal.unlink, missing_ok=True)
        session = undone.enter_context(Session.resume(recording, **settings, journal=journal))
        journal.replace(target)
        undone.pop_all()
    return session


def _gone_on(session: Session, decision: bool | None) -> Observation | None:
    """Finish the step that was cut off, or that waits for a call; None where there is none, or nothing is decided."""
    if not session.paused:
        return session.finish()
    if decision is None:
        return None
    return session.go_on() if decision else session.go_on(error=PermissionError("the call was declined"))
