"""The `codeact` command: its table of commands, and what the shell sees of an ending."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

import codeact
from codeact.cli import EndedByCtrlC, end_by_ctrl_c, streams
from codeact.cli.endings import FAILED, INTERRUPTED, WRONG_USAGE, Ended, say_error
from codeact.cli.examples import with_examples
from codeact.errors import CodeactError, NoModel, UnknownModel, UsageError

# Name → where it is, and its line under --help. A command's module is imported when it is called.
COMMANDS = {
    "run": ("codeact.cli.run:run", "Give a model a task and the tools to do it with."),
    "exec": ("codeact.cli.execute:execute", "Run one snippet in a session, without a model."),
    "replay": ("codeact.cli.replay:replay", "Walk through a recorded run, offline, executing for real."),
    "resume": ("codeact.cli.replay:resume", "Go on where an interrupted run stopped."),
    "undo": ("codeact.cli.replay:undo", "Take back what a run changed, the last change first."),
    "skills": ("codeact.cli.skills:skills", "List, show, search, promote, verify, retire and export skills."),
    "doctor": ("codeact.cli.doctor:doctor", "Say which walls of the cage hold on this machine."),
    "init": ("codeact.cli.init:init", "Make a new project with tools, skills and a first task."),
}

_SHOWN_BY_PYTHON = warnings.showwarning


class _LazyGroup(click.Group):
    """A group that imports a command when it is called, and answers --help from the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        with EndedByCtrlC():
            command: click.Command = getattr(import_module(module), attribute)
        return with_examples(command, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(codeact.__version__, prog_name="codeact")
def cli() -> None:
    """A model writes Python; codeact checks it, runs it metered in a cage, and keeps what worked as a skill.

    Exit codes: 0 answered, 1 failed, 2 wrong usage, 130 interrupted or paused.
    """


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    streams.make_ready()
    warnings.showwarning = _warned
    code = _exit_code()
    sys.exit(code if streams.written() else code or FAILED)


def _warned(message: Warning | str, category: type[Warning], filename: str, *place: Any, **shown: Any) -> None:
    """Show a warning: in words alone where it arose below no line of the user's, for there its place tells nothing."""
    if os.path.dirname(filename) == os.path.dirname(click.__file__):
        say_error(str(message), type_=category.__name__, as_json=False)
    else:
        _SHOWN_BY_PYTHON(message, category, filename, *place, **shown)


def _exit_code() -> int:
    try:
        try:
            cli.main(standalone_mode=False, prog_name="codeact", color=False if os.environ.get("NO_COLOR") else None)
        finally:
            end_by_ctrl_c()  # whoever is at it again while all ends shall not be shown where Python was
    except Ended as ended:
        return ended.code
    except (click.exceptions.Exit, click.ClickException, click.Abort, KeyboardInterrupt) as error:
        return _told_by_click(error)
    except CodeactError as error:
        notes = getattr(error, "__notes__", ())
        _say(type(error).__name__, str(error), notes)
        with suppress(OSError):
            for note in notes:
                print(note, file=sys.stderr)
        return WRONG_USAGE if isinstance(error, UsageError | NoModel | UnknownModel) else FAILED
    except RuntimeError as error:  # as Python 3.11 raises for a Ctrl-C while the parts of a class are named
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        return _told_by_click(error.__cause__)
    except (SystemExit, MemoryError, OSError) as error:
        _told_by_python(error)
        return FAILED
    return 0


def _told_by_click(error: BaseException) -> int:
    """The exit code of what click raises, after saying what was wrong."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if not isinstance(error, click.ClickException):
        _say("Interrupted", "interrupted")
        return INTERRUPTED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return WRONG_USAGE
    where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "codeact"
    _say("UsageError", f"{error.format_message()} (see {where} --help)")
    return WRONG_USAGE


def _told_by_python(error: BaseException) -> None:
    """Say what nobody foresaw: a full disk, a folder that may not be written, a pipe without a reader, no memory."""
    if isinstance(error, SystemExit | BrokenPipeError):  # as click leaves where a pipe has no reader any more
        if _as_json():  # it may be the other one
            _say("BrokenPipeError", "the output: nobody reads it any more")
    elif isinstance(error, OSError):
        what = "the current folder" if isinstance(error, FileNotFoundError) else "the output"
        _say(type(error).__name__, f"{error.filename or what}: {error.strerror or error}")
    else:
        _say("MemoryError", "the memory of this machine, or what is allowed of it, is used up")


def _say(type_: str, message: str, notes: Sequence[str] = ()) -> None:
    with suppress(OSError):  # it may be the output that cannot be written
        say_error(message, type_=type_, as_json=_as_json(), notes=notes)


def _as_json() -> bool:
    return "--json" in sys.argv[1:]
