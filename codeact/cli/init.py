"""`codeact init DIR`: a new project with tools, skills and a first task."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from codeact.errors import UsageError
from codeact.paths import whole_or_none

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
"""Your own tools: every public function here is one. Annotations and a docstring are all it takes."""


def to_usd(amount_eur: float, rate: float = 1.08) -> float:
    """What an amount in EUR is in USD, at `rate` USD for one EUR."""
    return amount_eur * rate
'''
README = """\
# {name}

    codeact run @task.md --file orders.csv      # with a model: set CODEACT_MODEL, or add --model provider/name
    codeact doctor                              # what keeps snippets in on this machine

`tools/` holds plain Python functions the model may call; `skills/` fills with what worked (`--promote`).
"""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def init(folder: Path) -> None:
    """Make a new project in FOLDER: tools/, skills/, a first task and its data."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder}: is not empty; name a new folder, so that nothing of yours is overwritten")
        with whole_or_none(folder):
            _make(folder)
    except shutil.Error as error:  # of all files that could not be copied the first says it
        raise UsageError(f"{folder}: a project cannot be made there: {error.args[0][0][2]}") from error
    except OSError as error:
        raise UsageError(f"{folder}: a project cannot be made there: {error.strerror or error}") from error
    click.echo(f"made {folder}: tools/, skills/, task.md, orders.csv. Next:")
    click.echo(f"  cd {folder}")
    click.echo("  codeact run @task.md --file orders.csv --model provider/name")


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _copy_starter("tools", folder / "tools")
    _copy_starter("skills", folder / "skills")
    for name, text in {
        "task.md": FIRST_TASK,
        "orders.csv": FIRST_DATA,
        "tools/mine.py": OWN_TOOL,
        "README.md": README.format(name=folder.resolve().name),
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
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "*.sqlite*"))
