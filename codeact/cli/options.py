"""The options several commands share, and what they come to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from codeact.errors import UsageError
from codeact.limits import Limits, Policy
from codeact.loading import Tool, load_tools, read_text

Command = TypeVar("Command", bound=Callable[..., Any])

as_json = click.option(
    "--json", "as_json", is_flag=True, help="End with one JSON object on stdout; the rest on stderr."
)
tools = click.option(
    "--tools", "tool_paths", multiple=True, metavar="FILE_OR_DIR",
    help="Tools: the public functions of a .py file, or of all in a folder. Default: tools/, where there is one.",
)  # fmt: skip
skills = click.option(
    "--skills", "skills_folder", metavar="DIR", help="The skill library. Default: skills/, where there is one."
)
files = click.option(
    "--file", "file_paths", multiple=True, metavar="PATH", help="A file to put, read-only, in the working folder."
)
inputs = click.option(
    "--input", "input_pairs", multiple=True, metavar="name=json", help="A variable to set, its value in JSON."
)
imports = click.option(
    "--import", "import_names", multiple=True, metavar="MODULE", help="Allow a module beyond the default, e.g. pandas."
)
operations = click.option("--operations", type=int, metavar="N", help="Operations one step may use.")
wall_seconds = click.option("--wall-seconds", type=float, metavar="S", help="Seconds one step may take.")
without = click.option(
    "--without", multiple=True, metavar="WALL", help="Do without this wall of the cage, where it cannot be put up."
)


def session_options(command: Command) -> Command:
    """Add the options of every command that runs snippets."""
    for option in reversed((tools, skills, files, inputs, imports, operations, wall_seconds, without, as_json)):
        command = option(command)
    return command


def tools_of(paths: Iterable[str]) -> list[Tool]:
    """The tools named, or those of tools/ in this folder."""
    chosen = list(paths) or (["tools"] if Path("tools").is_dir() else [])
    return load_tools(chosen)


def skills_folder_of(folder: str | None) -> Path | None:
    """The skill library named, or skills/ in this folder, or none."""
    if folder is not None:
        return Path(folder)
    return Path("skills") if Path("skills").is_dir() else None


def files_of(paths: Iterable[str]) -> dict[str, Path]:
    """Name in the working folder → the file, for each path given."""
    chosen: dict[str, Path] = {}
    for path in map(Path, paths):
        if not path.is_file():
            raise UsageError(f"--file {path}: there is no such file")
        if path.name in chosen:
            raise UsageError(f"--file {path}: {chosen[path.name]} has the same name; rename one")
        chosen[path.name] = path
    return chosen


def inputs_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Name → value for each name=json given."""
    chosen: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"--input {pair}: write name=json with a Python name, e.g. --input year=2024")
        try:
            chosen[name] = json.loads(text)
        except json.JSONDecodeError as error:
            raise UsageError(f"--input {pair}: the value is not JSON ({error}); a text needs quotes: "
                             f"--input '{name}=\"…\"'") from error  # fmt: skip
    return chosen


def policy_of(names: Iterable[str]) -> Policy:
    """The default policy with these imports added."""
    return Policy(imports=list(names))


def limits_of(operations: int | None, wall_seconds: float | None) -> Limits:
    """The default limits with these changed."""
    chosen: dict[str, Any] = {}
    if operations is not None:
        chosen["operations"] = operations
    if wall_seconds is not None:
        chosen["wall_seconds"] = wall_seconds
    return Limits(**chosen)


def task_of(text: str) -> str:
    """The task: the text itself, the text of the file after @, or standard input for -."""
    if text == "-":
        task = read_text("-", "task")
    elif text.startswith("@"):
        task = read_text(text[1:], "task")
    elif " " not in text.strip() and Path(text).is_file():
        raise UsageError(f"{text} is a file; to run the task in it write @{text}")
    else:
        task = text
    if not task.strip():
        raise UsageError("the task is empty: say what is to be done")
    return task.strip()
