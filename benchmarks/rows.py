"""A line of the table: what was measured, how much it came to, and what it should be."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path("bench-results")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `goal` is the most it may be; None for what is only shown."""

    name: str
    figure: float | None
    unit: str
    goal: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the goal is met; nothing where there is none, or nothing to hold against it."""
        if self.figure is None or self.goal is None:
            return ""
        return "met" if self.figure <= self.goal else "MISSED"


def machine() -> str:
    """What the figures were measured on, and when."""
    here = f"{platform.machine()}, {os.cpu_count()} cores"
    return f"CPython {platform.python_version()}, {here}, {time.strftime('%Y-%m-%d')}"


def process_ms(arguments: list[str], *, times: int = 10) -> float:
    """The middle wall time of a whole process, in milliseconds."""

    def once() -> float:
        begun = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return (time.perf_counter() - begun) * 1000

    once()  # fills the file cache and writes the bytecode
    return statistics.median(once() for _ in range(times))


def middle_ms(act: Callable[[], object], *, times: int = 10) -> float:
    """The middle wall time of an act in this process, in milliseconds."""

    def once() -> float:
        begun = time.perf_counter()
        act()
        return (time.perf_counter() - begun) * 1000

    return statistics.median(once() for _ in range(times))


def print_table(rows: Iterable[Row]) -> bool:
    """Print the rows; True where no goal was missed."""
    rows = list(rows)
    table = Table(title=machine())
    for name, side in (("what", "left"), ("figure", "right"), ("goal", "right"), ("", "left"), ("note", "left")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]  # the two words are the ones it takes
    for row in rows:
        figure = "" if row.figure is None else f"{row.figure:,.3g} {row.unit}"
        goal = "" if row.goal is None else f"≤ {row.goal:,g} {row.unit}"
        table.add_row(row.name, figure, goal, row.verdict, row.note)
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    return not any(row.verdict == "MISSED" for row in rows)


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a table for a document, with the date and the version they were measured with."""
    lines = [f"| {machine()} | figure | goal |", "|---|---:|---:|"]
    for row in rows:
        if row.figure is not None:
            goal = "" if row.goal is None else f"≤ {row.goal:,g} {row.unit}"
            lines.append(f"| {row.name} | {row.figure:,.3g} {row.unit} | {goal} |")
    return "\n".join(lines) + "\n"
