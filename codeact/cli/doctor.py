"""`codeact doctor`: which walls of the cage hold on this machine, which do not, and what to do."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

import codeact
from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, Ended, print_json

if TYPE_CHECKING:
    from codeact.sandbox.walls import Inspection
    from codeact.session.attacks.run import Attempt


@click.command()
@click.option(
    "--attack", is_flag=True, help="Run some 300 attacks on the cage as well, as if its language were broken."
)
@options.as_json
def doctor(attack: bool, as_json: bool) -> None:
    """Put the cage up, prove each wall by trying to break it, and say what holds.

    Exit 1 where a session could not start, a wall was broken through, or an attack got through.
    """
    from codeact.sandbox.walls import inspect

    found = inspect()
    if not as_json:
        _print(found)
    attempts = _attacked(shown=not as_json) if attack and found.fit else []
    ok = found.fit and not any(attempt.through for attempt in attempts)
    if as_json:
        attacks = {"attacks": [asdict(attempt) for attempt in attempts]} if attack else {}
        print_json({"ok": ok, "walls": [asdict(wall) for wall in found.walls], **attacks})
    raise Ended(ANSWERED if ok else FAILED)


def _attacked(*, shown: bool) -> list[Attempt]:
    """Run all attacks; a line for each kind of them, and one for each that got through."""
    from codeact.session.attacks.run import KINDS, attack

    attempts: list[Attempt] = []
    for kind in KINDS:
        of_kind = list(attack(kinds=[kind]))
        attempts += of_kind
        if shown:
            through = [attempt for attempt in of_kind if attempt.through]
            click.echo(f"  {kind:<12}  {len(of_kind) - len(through):>3} of {len(of_kind)} attacks held off")
            for attempt in through:
                click.echo(f"    {click.style('through', fg='red')}  {attempt.what}: {attempt.through}")
    if shown and any(attempt.through for attempt in attempts):
        click.echo("Run nothing you do not trust here, and report what got through (docs/security.md).")
    return attempts


def _print(found: Inspection) -> None:
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    print(f"codeact {codeact.__version__} on CPython {platform.python_version()}, {system}")
    width = max((len(wall.name) for wall in found.walls), default=0)
    for wall in found.walls:
        mark = click.style("holds ", fg="green") if wall.holds else click.style("is off", fg="red")
        click.echo(f"  {wall.name:<{width}}  {mark}  {wall.detail}".rstrip())
        if wall.remedy and not wall.holds:
            click.echo(f"  {'':<{width}}          → {wall.remedy}")
    if not found.fit:
        print("Run nothing you do not trust here: the cage cannot be put up, or does not hold.")
    elif all(wall.holds for wall in found.walls):
        print("A session starts with every wall up.")
    else:
        print("A session starts; what is off is covered for as said above.")
    sys.stdout.flush()
