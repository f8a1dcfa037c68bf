"""The ladder of docs/decisions/0001: imports point down, and rooms on one rung do not know each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "codeact"

# From the top. What one row holds does not import what the same row holds, nor anything above.
LADDER = (
    ("__init__", "testing", "__main__"),
    ("cli",),
    ("agent", "loading"),
    ("skills",),
    ("session",),
    ("sandbox", "worker", "toolbox", "models", "memory"),
    ("journal",),
    ("prompts", "events", "wire"),
    ("snippet", "reply"),
    ("records", "paths"),
    ("limits", "errors", "clock", "alarms", "waiting", "warned", "alone"),
)
# A sideways step that was thought about: (from, to) → why.
ALLOWED_SIDEWAYS = {
    ("limits", "errors"): "a limit that is off is refused with an error of the tree",
}
# The other side of the wall knows this much and no more.
WORKER_KNOWS = {"worker", "wire", "snippet", "records", "limits", "errors", "alone"}


def _rooms() -> list[str]:
    return sorted({path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")})


def _rung(room: str) -> int:
    for height, rooms in enumerate(LADDER):
        if room in rooms:
            return height
    raise AssertionError(f"the room {room!r} stands on no rung: add it to LADDER and to docs/decisions/0001")


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of codeact a file imports, wherever in the file it does, with the line."""
    tree = ast.parse(path.read_text())
    package = ("codeact", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            if module == "codeact":
                yield from ((node.lineno, f"codeact.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, module


def _steps() -> Iterator[tuple[str, str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if path == PACKAGE / "__init__.py":
            continue  # loads lazily from everywhere: that is its purpose
        for line, module in _imported(path):
            parts = module.split(".")
            if parts[0] == "codeact" and len(parts) > 1:
                there = parts[1] if any(parts[1] in rooms for rooms in LADDER) else "__init__"
                if there != here:
                    yield f"{path.relative_to(ROOT)}:{line}", here, there


@pytest.mark.parametrize("room", _rooms())
def test_every_room_stands_on_a_rung(room: str) -> None:
    assert _rung(room) >= 0


def test_imports_point_down_the_ladder() -> None:
    wrong = [
        f"{place}: {here} imports {there}, which does not stand below it"
        for place, here, there in _steps()
        if _rung(there) <= _rung(here) and (here, there) not in ALLOWED_SIDEWAYS
    ]
    assert wrong == []


def test_every_sideways_step_that_is_allowed_is_taken() -> None:
    taken = {(here, there) for _, here, there in _steps()}
    assert ALLOWED_SIDEWAYS.keys() - taken == set()


def test_the_two_sides_of_the_wall_do_not_import_each_other() -> None:
    wrong = [place for place, here, there in _steps() if {here, there} == {"sandbox", "worker"}]
    assert wrong == []


def test_the_worker_knows_only_the_wire_and_what_is_below() -> None:
    wrong = [f"{place}: {there}" for place, here, there in _steps() if here == "worker" and there not in WORKER_KNOWS]
    assert wrong == []


def test_ready_made_tools_import_nothing_from_codeact() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tools").rglob("*.py"))
        for line, module in _tool_imports(path)
        if module.split(".")[0] == "codeact"
    ]
    assert wrong == []


def _tool_imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""


def test_the_page_on_the_rooms_shows_this_ladder() -> None:
    page = (ROOT / "docs" / "decisions" / "0001-rooms-and-dependencies.md").read_text("utf-8")
    assert f"\n{' → '.join(' · '.join(rooms) for rooms in LADDER[1:])}\n" in page
