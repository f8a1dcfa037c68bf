"""How a command ends: exit codes, and the one JSON object of `--json`."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

ANSWERED, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


class Ended(Exception):
    """A command is over and has said everything; only the exit code is left."""

    def __init__(self, code: int) -> None:
        super().__init__(f"exit code {code}")
        self.code = code


def say_error(message: str, *, type_: str, as_json: bool) -> None:
    """Print one error: on stderr for people, as the JSON object for machines."""
    print(f"codeact: {message}", file=sys.stderr)
    if as_json:
        print_json({"ok": False, "error": {"type": type_, "message": message}})


def print_json(value: object) -> None:
    """Print one JSON object on one line of stdout."""
    print(json.dumps(plain(value), ensure_ascii=False, allow_nan=False), flush=True)


def plain(value: object) -> Any:
    """A value as JSON knows values; what JSON has no form for becomes its short text."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) < 1 << 53 else str(value)
        case float():
            return value if value - value == 0 else str(value)  # neither nan nor infinite
        case date() | datetime() | time():
            return value.isoformat()
        case Path():
            return str(value)
        case bytes():
            return f"<{len(value)} bytes>"
        case Mapping():
            return {key if isinstance(key, str) else str(key): plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return str(value)
