"""A line to copy for each command, at the end of its help."""

from __future__ import annotations

import click

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


def with_examples(command: click.Command, path: str) -> click.Command:
    """Give the command with its examples at the end of its help."""
    command.epilog = "\n".join(("\b", "For example:", *(f"  {line}" for line in EXAMPLES[path])))
    return command
