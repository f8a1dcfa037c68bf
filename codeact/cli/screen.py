"""What a person sees while something runs: colours on a terminal, plain lines in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TextIO

from codeact.records import Failure, Observation, ToolCall
from codeact.snippet.places import printable

if TYPE_CHECKING:
    from codeact.records import Cost

ARGUMENT_CHARS = 60
RESULT_CHARS = 70
CALLS_SHOWN = 6  # of one step; a loop over a tool would bury everything else


class Screen(Protocol):
    """Where a run is shown as it happens."""

    def heading(self, text: str) -> None: ...
    def note(self, text: str) -> None: ...
    def token(self, text: str) -> None: ...
    def said(self, text: str) -> None: ...
    def code(self, source: str) -> None: ...
    def calling(self, tool: str) -> None: ...
    def called(self, call: ToolCall) -> None: ...
    def printed(self, text: str) -> None: ...
    def observed(self, seen: Observation) -> None: ...
    def answer(self, text: str, closing: str) -> None: ...
    def failed(self, text: str, closing: str) -> None: ...
    def close(self) -> None: ...


def open_screen(stream: TextIO) -> Screen:
    """The screen that fits a stream; it is told where tools fail."""
    screen: Screen = Lines(stream)
    if stream.isatty():
        from codeact.cli.terminal import Terminal

        screen = Terminal(stream)
    _show_where_tools_fail(screen)
    return screen


def _show_where_tools_fail(screen: Screen) -> None:
    import logging

    from codeact.session.failing import LOGGER

    class Shown(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            screen.note(record.getMessage())

    logger = logging.getLogger(LOGGER)
    logger.addHandler(Shown())
    logger.setLevel(logging.INFO)


class Lines:
    """Plain lines, each complete when it is written; for pipes and logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def _write(self, text: str, prefix: str = "") -> None:
        for line in printable(text).splitlines() or [""]:
            self._stream.write(f"{prefix}{line}".rstrip() + "\n")
        self._stream.flush()

    def heading(self, text: str) -> None:
        self._write(f"\n== {text}")

    def note(self, text: str) -> None:
        self._write(text, "-- ")

    def token(self, text: str) -> None:
        """A pipe gets whole steps, not pieces of words."""

    def said(self, text: str) -> None:
        self._write(text, "  ")

    def code(self, source: str) -> None:
        self._write(source, "  | ")

    def calling(self, tool: str) -> None:
        """A pipe is told when the call is over, with what came of it."""

    def called(self, call: ToolCall) -> None:
        self._write(call_line(call), "  call ")

    def printed(self, text: str) -> None:
        if text:
            self._write(text.rstrip("\n"), "  out  ")

    def observed(self, seen: Observation) -> None:
        self.printed(seen.stdout)
        if seen.failure:
            self._write(failure_text(seen.failure), "  FAIL ")
        elif seen.text:
            self._write(seen.text, "  => ")
        for line in produced_lines(seen):
            self._write(line, "  file ")
        if seen.rolled_back:
            self._write("  rolled back to before this step")
        self._write(f"  ({cost_line(seen.cost)})")

    def answer(self, text: str, closing: str) -> None:
        self._write(f"\nanswer: {text}\n({closing})")

    def failed(self, text: str, closing: str) -> None:
        self._write(f"\nno answer: {text}\n({closing})")

    def close(self) -> None:
        self._stream.flush()


class CallsOfStep:
    """Shows the first tool calls of a step as they happen, and how many more there were at its end."""

    def __init__(self, screen: Screen, *, live: bool = True) -> None:
        self._screen, self._live, self._ended, self._left_out = screen, live, 0, 0

    def started(self, tool: str) -> None:
        """Show that a call is under way."""
        if self._live and self._ended < CALLS_SHOWN:
            self._screen.calling(tool)

    def ended(self, call: ToolCall) -> None:
        """Show what came of a call; one that failed is always shown."""
        self._ended += 1
        if self._ended <= CALLS_SHOWN or call.error is not None:
            self._screen.called(call)
        else:
            self._left_out += 1

    def over(self) -> None:
        """Say how many calls were not shown."""
        if self._left_out:
            self._screen.note(f"and {counted(self._left_out, 'more call')}")
        self._ended = self._left_out = 0


def call_line(call: ToolCall) -> str:
    """One tool call on one line: name, arguments, what came of it, how long it took."""
    from codeact.snippet.toolcalls import as_called

    came = f"failed: {call.error}" if call.error is not None else _short(call.result, RESULT_CHARS)
    return " ".join(
        f"{as_called(call.tool, call.arguments, ARGUMENT_CHARS)} → {came}  [{seconds(call.seconds)}]".split("\n")
    )


def failure_text(failure: Failure) -> str:
    """A failure as the model is shown it: what, where, what to do."""
    place = f"line {failure.line}: " if failure.line else ""
    parts = [f"{place}{failure.type}: {failure.message}", failure.excerpt, failure.hint and f"hint: {failure.hint}"]
    return "\n".join(part.rstrip() for part in parts if part)


def cost_line(cost: Cost) -> str:
    """What a step used, in the order a reader asks for it."""
    calls = f" · {counted(cost.tool_calls, 'tool call')}" if cost.tool_calls else ""
    operations = counted(cost.operations, "operation") if cost.counted else "killed before its operations were told"
    return f"{operations} · {seconds(cost.wall_seconds)}{calls}"


def produced_lines(seen: Observation) -> list[str]:
    """The files and pictures a step made, a line each."""
    images = [f"{image.name} ({image.media_type}, {len(image.data):,} bytes)" for image in seen.images]
    shown = {image.name for image in seen.images}
    files = [
        f"{file.name} ({counted(file.size_bytes, 'byte')}), there while the session lasts"
        for file in seen.files
        if file.name not in shown
    ]
    return images + files


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 step`, `2 steps`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def seconds(value: float) -> str:
    """A duration with three useful figures at most."""
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def _short(value: object, limit_chars: int) -> str:
    from codeact.snippet.describe import describe

    return describe(value, limit_chars)
