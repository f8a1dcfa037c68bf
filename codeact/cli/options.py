"""The options several commands share, and what they come to."""

from __future__ import annotations

import json
import os
import shlex
import string
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from codeact.errors import UsageError
from codeact.limits import Budget, Limits, Policy
from codeact.loading import ToolFunction, load_tools
from codeact.snippet.sayable import is_sayable

Command = TypeVar("Command", bound=Callable[..., Any])
SHOWN_CHARS = 80  # of a value that is wrong
_LARGEST_TEXT = 64 << 20  # bytes of a snippet or a task: more than either may have, and less than fills the memory
_PLAIN = frozenset(string.ascii_letters + string.digits + "/._- ")  # what needs no number in any quotes


def named(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    """Refuse an empty name of a file or folder, which a shell makes of a variable that is not set."""
    if given == "":
        said = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
        raise UsageError(f"{said}: a file or a folder is to be named, and what was given is empty")
    return given


models = click.option(
    "--model", "models", multiple=True, metavar="M",
    help="provider/name as litellm knows it, or recorded:FILE. Given again: the next to ask where one cannot answer. "
    "Default: CODEACT_MODEL.",
)  # fmt: skip
as_json = click.option(
    "--json", "as_json", is_flag=True, help="End with one JSON object on stdout; the rest on stderr."
)


def _several(name: str, into: str, metavar: str, what: str, **more: Any) -> Callable[[Command], Command]:
    """An option that may be given more than once, which its help says."""
    return click.option(name, into, multiple=True, metavar=metavar, help=f"{what} May be given again.", **more)


tools = _several(
    "--tools", "tool_paths", "FILE_OR_DIR",
    "Tools: the public functions of a .py file, or of all in a folder. Default: tools/, where there is one.",
)  # fmt: skip
skills = click.option(
    "--skills", "skills_folder", metavar="DIR", callback=named,
    help="The skill library. Default: skills/, where there is one.",
)  # fmt: skip
files = _several("--file", "file_paths", "PATH", "A file to put, read-only, in the working folder.")
inputs = _several("--input", "input_pairs", "name=json", "A variable to set, its value in JSON.")


def _installed(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse to allow what nobody could import."""
    for name in names:
        if not all(part.isidentifier() for part in name.split(".")):
            raise UsageError(
                f"--import {name[:SHOWN_CHARS]}: this is not a module's name; give --import for each module"
            )
        if missing := Policy([name]).missing:
            raise UsageError(
                f"--import {name}: {missing}; correct the name, install it beside codeact, or leave it out"
            )
    return names


_imported = "Allow a module beyond the default, e.g. pandas."
imports = _several("--import", "import_names", "MODULE", _imported, callback=_installed)
without = _several("--without", "without", "WALL", "Do without this wall of the cage, where it cannot be put up.")
pictures = click.option(
    "--pictures", metavar="DIR", callback=named,
    help="Where pictures a step makes are saved. Default: beside the recording.",
)  # fmt: skip


def _bound(name: str, usual: float, metavar: str, what: str) -> Callable[[Command], Command]:
    """An option that bounds a step or a run, with what it is where nobody says."""
    told = f"{what} Default: {usual:,}".removesuffix(".0")
    kind = click.IntRange(min=0) if isinstance(usual, int) else click.FloatRange(min=0)
    return click.option(name, type=kind, metavar=metavar, help=f"{told}.")


operations = _bound("--operations", Limits().operations, "N", "Operations one step may use.")
wall_seconds = _bound("--wall-seconds", Limits().wall_seconds, "S", "Seconds one step may take.")
steps = _bound("--steps", Budget().steps, "N", "Steps the run may take.")
tokens = _bound("--tokens", Budget().tokens, "N", "Tokens the run may use.")
cost_usd = _bound("--cost-usd", Budget().cost_usd, "USD", "Dollars the run may cost.")
tool_calls = _bound("--tool-calls", Budget().tool_calls, "N", "Tool calls the run may make.")
run_seconds = _bound("--run-seconds", Budget().wall_seconds, "S", "Seconds the whole run may take.")

approve = click.option(
    "--approve", type=click.Choice(["ask", "pause"]),
    help="Before a call that changes something: ask here (without a terminal: pause), or pause the run until "
    "`codeact resume` brings a decision. Default: no.",
)  # fmt: skip
candidates = click.option(
    "--candidates", type=click.IntRange(min=1), default=1, metavar="K",
    help="Ask for K replies at each step, try them on copies of the session, and run the best.",
)  # fmt: skip
plan = click.option("--plan", is_flag=True, help="Ask for a plan before the first step.")
dry_run = click.option("--dry-run", is_flag=True, help="Make no call that changes something; list them instead.")


def budget_options(command: Command) -> Command:
    """Add the options of every command that asks a model."""
    return steps(tokens(cost_usd(tool_calls(run_seconds(command)))))


def agent_options(command: Command) -> Command:
    """Add the options that say what snippets may use."""
    for option in reversed((tools, skills, imports, operations, wall_seconds, without)):
        command = option(command)
    return command


def session_options(command: Command) -> Command:
    """Add the options of every command that runs snippets of its own."""
    for option in reversed((agent_options, files, inputs, as_json)):
        command = option(command)
    return command


def as_recorded(command: click.Command) -> click.Command:
    """Have the help of a command that goes on with a recording say which of its options begin as they were there."""
    usual = {"models": "that of the recording, else CODEACT_MODEL", "approve": "ask, where the run asked"}
    for option in command.params:
        if isinstance(option, click.Option) and " Default: " in (said := option.help or ""):
            bounds = isinstance(option.type, click.IntRange | click.FloatRange)
            told = "that of the run" if bounds else usual.get(str(option.name), "")
            option.help = f"{said.partition(' Default: ')[0]} Default: {told}." if told else said
    return command


def to_go_on(chosen: Mapping[str, Any]) -> str:
    """What has to be said again when a run is gone on with: what its recording does not hold."""
    said = [("--tools", path) for path in chosen["tool_paths"]] + [("--without", wall) for wall in chosen["without"]]
    said += [("--skills", chosen["skills_folder"])] if chosen["skills_folder"] else []
    if any(model.startswith("recorded:") for model in chosen["models"]):
        said += [("--model", model) for model in chosen["models"]]
    said += [("--approve", chosen["approve"])] if chosen.get("approve") else []
    return "".join(f" {option} {as_typed(value)}" for option, value in said)


def as_typed(word: str) -> str:
    """A word as it is typed into a shell; by the numbers of its bytes where the terminal has no signs for it."""
    try:
        word.encode(sys.stderr.encoding)
        if word.isprintable():
            return shlex.quote(word)
    except UnicodeEncodeError:
        pass
    plain = (chr(byte) if chr(byte) in _PLAIN else f"\\{byte:03o}" for byte in os.fsencode(word))
    return f"$'{''.join(plain)}'"


def tools_of(paths: Iterable[str]) -> list[ToolFunction]:
    """The tools named, or those of tools/ in this folder."""
    if not (named := list(paths)):
        return load_tools(["tools"] if Path("tools").is_dir() else [])
    if "" in named:
        raise UsageError("--tools: a file or a folder is to be named, and what was given is empty")
    if not (found := load_tools(named)):  # of folders: a file without a tool is refused
        raise UsageError(
            f"--tools {typed(', '.join(named))}: no tool: one is a public function in a .py file right there"
        )
    return found


def skills_folder_of(folder: str | None) -> Path | None:
    """The skill library named, or skills/ in this folder, or none."""
    if folder is not None:
        return Path(folder)
    return Path("skills") if Path("skills").is_dir() else None


def files_of(paths: Iterable[str]) -> dict[str, Path]:
    """Name in the working folder → the file, for each path given."""
    chosen: dict[str, Path] = {}
    for given in paths:
        path, name = Path(given), typed(Path(given).name)
        if not os.path.isfile(given):
            raise UsageError(f"--file {given}: {_no_file(given)}")
        if name in chosen:
            raise UsageError(f"--file {path}: {chosen[name]} has the same name; rename one")
        chosen[name] = path
    return chosen


def _no_file(given: str) -> str:
    """What is wrong with a path that names no file."""
    if not given:
        return "a file is to be named, and what was given is empty"
    if os.path.isdir(given):
        return "this is a folder; hand its files in one by one"
    return "this is no file that can be read" if os.path.lexists(given) else "there is no such file"


def typed(text: str) -> str:
    """The words of an argument, which are UTF-8 also where the locale, such as C, has no signs for them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return os.fsencode(text).decode("utf-8", "replace")
    return text


def inputs_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Name → value for each name=json given."""
    chosen: dict[str, Any] = {}
    for pair in map(typed, pairs):
        name, equals, text = pair.partition("=")
        if not equals or not is_sayable(name):
            raise UsageError(f"--input {pair[:80]}: write name=json with a Python name, e.g. --input year=2024")
        if name in chosen:
            raise UsageError(f"--input {name}=…: is given twice")
        chosen[name] = json_of(f"--input {name}=", text, f"; a text needs quotes: --input '{name}=\"…\"'")
    return chosen


def json_of(option: str, text: str, hint: str = "") -> Any:
    """The value a text is in JSON; UsageError where it is none, or one of more levels or digits than Python reads."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
        hint = hint if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"{option}{shown}: the value is not JSON that can be read ({error}){hint}") from error


def policy_of(names: Iterable[str]) -> Policy:
    """The default policy with these imports added."""
    return Policy(imports=list(names))


def limits_of(chosen: Mapping[str, Any]) -> Limits:
    """The limits of the recording that is gone on with, or the default ones, with those changed that were given."""
    usual: Limits = chosen.get("limits", Limits())
    return replace(usual, **_given(chosen, "operations", "wall_seconds"))


def budget_of(chosen: Mapping[str, Any]) -> Budget:
    """The budget of the recording that is gone on with, or the default one, with what was given changed."""
    renamed = {**chosen, "wall_seconds": chosen["run_seconds"]}  # of the run; the other is a step's
    given = _given(renamed, "steps", "tokens", "cost_usd", "tool_calls", "wall_seconds")
    usual: Budget = chosen.get("budget", Budget())
    return replace(usual, **given)


def _given(chosen: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: chosen[name] for name in names if chosen[name] is not None}


def task_of(text: str) -> str:
    """The task: the text itself, the text of the file after @, or standard input for -."""
    if text == "-":
        task = read_text("-", "task")
    elif text.startswith("@"):
        task = read_text(text[1:], "task")
    elif " " not in text.strip() and os.path.isfile(text):
        raise UsageError(f"{text} is a file; to run the task in it write @{text}")
    else:
        task = typed(text)
    if not task.strip():
        raise UsageError("the task is empty: say what is to be done")
    return task.strip()


def read_text(path: str, what: str) -> str:
    """The text of a file the user named, or of standard input for -; `what` says what it is for in the error."""
    if not path:
        raise UsageError(f"the {what} is to be a file's name, or - for standard input, and what was given is empty")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            content = file.read(_LARGEST_TEXT + 1)
        if len(content) > _LARGEST_TEXT:
            size = f"larger than {_LARGEST_TEXT >> 20} MiB"
            raise UsageError(f"{path}: the {what} is {size}; hand large data in with --file")
        text = content.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise UsageError(
            f"{path}: there is no such file; the {what} is a file's text, or what - reads from standard input"
        ) from error
    except OSError as error:
        raise UsageError(f"{path}: the {what} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: the {what} is not UTF-8 text (byte {error.start})") from error
    if "\0" in text:
        raise UsageError(f"{path}: the {what} is not text: it holds a null byte at {text.index(chr(0))}")
    return text
