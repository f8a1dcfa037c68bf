"""`codeact init DIR`: a new project with tools, skills and a first task."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from codeact.cli import options
from codeact.cli.endings import print_json, say
from codeact.errors import UsageError
from codeact.paths import NO_ROOM, led_to, whole_or_none
from codeact.snippet.places import printable

FIRST_TASK = """\
How many days lie between the first and the last order in orders.csv, and what did all orders cost together in USD?
Take one EUR as 1.08 USD. Answer with both numbers.
"""
FIRST_DATA = """\
day,customer,amount_eur
2025-03-03,Amara,120.50
2025-03-17,Bela,75.00
2025-04-02,Amara,310.25
2025-04-28,Chen,42.10
"""
OWN_TOOL = '''\
"""Your own tools: each public function here is one, with annotations and a docstring. Begin a helper with _."""


def to_usd(amount_eur: float, rate: float = 1.08) -> float:
    """What an amount in EUR is in USD, at `rate` USD for one EUR."""
    return amount_eur * rate


to_usd.effect = "read"  # it changes nothing: nobody is asked before it is called, and there is nothing to undo
'''
README = """\
# {name}

    codeact run @task.md --file orders.csv      # with a model: set CODEACT_MODEL, or add --model provider/name
    codeact doctor                              # what keeps snippets in on this machine

`tools/` holds plain Python functions the model may call; `skills/` fills with what worked (`--promote`).
"""


@click.command()
@click.argument("named", metavar="FOLDER", type=click.Path(file_okay=False), callback=options.named)
@options.as_json
def init(named: str, as_json: bool) -> None:
    """Make a new project in FOLDER: tools/, skills/, a first task and its data."""
    folder = Path(named)
    try:
        place = led_to(folder)
        if place.exists() and any(place.iterdir()):
            raise UsageError(f"{folder}: is not empty; name a new folder, so that nothing of yours is overwritten")
        with whole_or_none(place):
            _make(place)
    except OSError as error:
        way = "make room" if error.errno in NO_ROOM else "name another folder"
        raise UsageError(f"{folder}: a project cannot be made there: {error.strerror or error}; {way}") from error
    if as_json:
        print_json({"ok": True, "path": str(folder)})
        return
    say(f"made {folder}: tools/, skills/, task.md, orders.csv. Next:")
    click.echo(f"  cd {options.as_typed(str(folder))}")
    click.echo("  codeact run @task.md --file orders.csv --model provider/name")


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _copy_starter("tools", folder / "tools")
    _copy_starter("skills", folder / "skills")
    for name, text in {
        "task.md": FIRST_TASK,
        "orders.csv": FIRST_DATA,
        "tools/mine.py": OWN_TOOL,
        "README.md": README.format(name=printable(folder.name)),
        ".gitignore": ".codeact/\n",
    }.items():
        (folder / name).write_text(text, "utf-8")


def starter(kind: str) -> Path:
    """The starter folder of one kind: inside the package where it is installed, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "starter" / kind
    return inside if inside.is_dir() else package.parent / kind


def _copy_starter(kind: str, target: Path) -> None:
    source = starter(kind)
    if not source.is_dir():
        raise UsageError(f"this installation of codeact carries no starter {kind} (looked in {source}); reinstall it")
    _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    """Copy what a folder holds; not how it may be used, as an installation may be read-only."""
    target.mkdir()
    for path in source.iterdir():
        if path.is_dir() and path.name != "__pycache__":
            _copy(path, target / path.name)
        elif path.is_file() and ".sqlite" not in path.name:
            shutil.copyfile(path, target / path.name)
