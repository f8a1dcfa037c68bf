"""A line to copy for each command, at the end of its help, what a shell completes, and the help of `codeact skills`."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

EXAMPLES = {
    "run": (
        'codeact run "Which month had the most rain?" --model openai/gpt-5 --file weather.csv',
        "codeact run @task.md --input year=2014 --promote",
    ),
    "exec": ("codeact exec snippet.py --import pandas --file weather.csv",),
    "replay": ("codeact replay run.jsonl --step", "codeact replay run.jsonl --html run.html"),
    "resume": (
        "codeact resume run.jsonl --steps 30",
        "codeact resume run.jsonl --change '{\"amount\": 5}'",
    ),
    "undo": ("codeact undo run.jsonl --tools tools",),
    "doctor": ("codeact doctor --attack",),
    "init": ("codeact init my-project",),
    "skills": ("codeact skills search 'convert currency'",),
    "skills list": ("codeact skills list --skills skills",),
    "skills show": ("codeact skills show convert_orders",),
    "skills search": ("codeact skills search 'convert currency' --k 3",),
    "skills promote": ("codeact skills promote run.jsonl",),
    "skills verify": ("codeact skills verify convert_orders --accept",),
    "skills test": ("codeact skills test",),
    "skills history": ("codeact skills history convert_orders",),
    "skills retire": ("codeact skills retire convert_orders 'the rates moved'",),
    "skills restore": ("codeact skills restore convert_orders",),
    "skills export": ("codeact skills export skills.tar.gz",),
    "skills import": ("codeact skills import skills.tar.gz",),
}


_OF_FILES = frozenset(
    ("snippet", "recording", "target", "source", "tool_paths", "skills_folder", "file_paths", "record", "page",
     "other", "pictures")
)  # fmt: skip


class _File(click.types.StringParamType):
    """A text that a shell completes as it does the names of files; what it may be is said where it is read."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


def with_examples(command: click.Command, path: str) -> click.Command:
    """Give the command with its examples at the end of its help, and told which of its words are names of files."""
    for parameter in command.params:
        if parameter.name in _OF_FILES:
            parameter.type = _File()
    command.epilog = "\n".join(("\b", "For example:", *(f"  {line}" for line in EXAMPLES[path])))
    return command


class Skills(click.Group):
    """`codeact skills`: the first sentence about each command stands whole, which click cuts at the end of a line."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        return found and with_examples(found, f"skills {cmd_name}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        said = {name: (self.commands[name].help or "").partition(". ")[0] for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl([(name, f"{sentence.rstrip('.')}.") for name, sentence in said.items()])
