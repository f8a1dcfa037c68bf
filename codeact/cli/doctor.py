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


@click.command()
@options.as_json
def doctor(as_json: bool) -> None:
    """Put the cage up, prove each wall by trying to break it, and say what holds.

    Exit 1 where a session could not start, or a wall was broken through.
    """
    from codeact.sandbox.walls import inspect

    found = inspect()
    if as_json:
        print_json({"ok": found.fit, "walls": [asdict(wall) for wall in found.walls]})
    else:
        _print(found)
    raise Ended(ANSWERED if found.fit else FAILED)


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
