"""`codeact doctor`: which walls of the cage hold on this machine, which do not, and what to do."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict

import click

import codeact
from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, Ended, print_json
from codeact.records import Wall


@click.command()
@options.as_json
def doctor(as_json: bool) -> None:
    """Put the cage up, prove each wall by trying to break it, and say what holds.

    Exit 1 where a session could not start.
    """
    from codeact.sandbox.walls import inspect

    found = tuple(inspect())
    holds = all(wall.holds for wall in found)
    if as_json:
        print_json({"ok": holds, "walls": [asdict(wall) for wall in found]})
    else:
        _print(found, holds)
    raise Ended(ANSWERED if holds else FAILED)


def _print(found: tuple[Wall, ...], holds: bool) -> None:
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    print(f"codeact {codeact.__version__} on CPython {platform.python_version()}, {system}")
    width = max((len(wall.name) for wall in found), default=0)
    for wall in found:
        mark = click.style("holds ", fg="green") if wall.holds else click.style("is off", fg="red")
        click.echo(f"  {wall.name:<{width}}  {mark}  {wall.detail}".rstrip())
        if wall.remedy and not wall.holds:
            click.echo(f"  {'':<{width}}          → {wall.remedy}")
    if holds:
        print("A session starts with every wall up.")
    else:
        print("The default cage cannot be put up whole; a session starts only --without the walls that are off.")
    sys.stdout.flush()
