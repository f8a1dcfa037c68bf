"""How a command ends: exit codes, and the one JSON object of `--json`."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, time
from typing import Any

ANSWERED, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
EXACT_IN_JSON = 1 << 53  # many readers of JSON hold numbers as doubles: beyond this they would change them


class Ended(Exception):
    """A command is over and has said everything; only the exit code is left."""

    def __init__(self, code: int) -> None:
        super().__init__(f"exit code {code}")
        self.code = code


def say_error(message: str, *, type_: str, as_json: bool, notes: Sequence[str] = ()) -> None:
    """Print one error: on stderr for people, as the JSON object, with what is noted of it, for machines."""
    from codeact.snippet.places import printable

    with suppress(OSError):  # where stderr cannot be written, the object is still due
        print(printable(f"codeact: {message}"), file=sys.stderr)
    if as_json:
        noted = {"notes": list(notes)} if notes else {}  # such as how to go on
        print_json({"ok": False, "error": {"type": type_, "message": message, **noted}})


@contextmanager
def told_where_interrupted(how_it_stands: str, *, as_json: bool) -> Iterator[None]:
    """Say, where Ctrl-C ends what is done within, what was done and how to go on."""
    try:
        yield
    except KeyboardInterrupt as error:
        say_error(f"interrupted: {how_it_stands}", type_="Interrupted", as_json=as_json)
        raise Ended(INTERRUPTED) from error


def print_json(value: object) -> None:
    """Print one JSON object on one line of stdout."""
    value = plain(value)
    said = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        said.encode(sys.stdout.encoding)
    except UnicodeEncodeError:  # the stream would write it by its number as Python does, which is no JSON
        said = json.dumps(value, allow_nan=False)
    if not said.isprintable():  # what JSON takes for text may end a line, or tell a terminal what to do
        said = "".join(part if part.isprintable() else json.dumps(part)[1:-1] for part in said)
    print(said, flush=True)


def say(text: str, *, err: bool = False, **style: Any) -> None:
    """Print words that may not be ours, for people."""
    import click

    from codeact.snippet.places import printable

    text = printable(text)
    click.echo(click.style(text, **style) if style else text, err=err)


def plain(value: object) -> Any:
    """A value as JSON knows values; what JSON has no form for becomes its short text."""
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return _plain_single(value)


def _plain_single(value: object) -> str | int | float | None:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < EXACT_IN_JSON else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)
