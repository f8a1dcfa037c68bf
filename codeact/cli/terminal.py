"""The screen of a terminal: highlighted code, tool calls as they happen, tokens as they stream."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.padding import Padding
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from codeact.cli.screen import call_line, cost_line, failure_text, produced_lines
from codeact.records import Observation, ToolCall
from codeact.snippet.places import printable

STREAMED_LINES = 12
THEME = "ansi_dark"  # the terminal's own colours, readable on light and dark


class Terminal:
    """Colours on a terminal; what streams is shown in a region that makes way for the finished thing."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False)
        self._live: Live | None = None
        self._streamed = ""

    def heading(self, text: str) -> None:
        self._settle()
        self._console.print()
        self._console.print(Rule(_text(text, style="bold"), align="left", style="dim"))

    def note(self, text: str) -> None:
        self._settle()
        self._console.print(_text(text, style="dim"))

    def token(self, text: str) -> None:
        self._streamed += text
        tail = "\n".join(self._streamed.splitlines()[-STREAMED_LINES:])
        self._show(_text(tail, style="dim"))

    def said(self, text: str) -> None:
        self._settle()
        self._console.print(Padding(_text(text, style="italic"), (0, 0, 1, 1)))

    def code(self, source: str) -> None:
        self._settle()
        syntax = Syntax(
            printable(source), "python", theme=THEME, line_numbers=True, word_wrap=True, background_color="default"
        )
        self._console.print(Padding(syntax, (0, 0, 0, 1)))

    def calling(self, tool: str) -> None:
        self._show(_text(f"  ↳ {tool} …", style="cyan"))

    def called(self, call: ToolCall) -> None:
        self._settle()
        style = "cyan" if call.error is None else "yellow"
        self._console.print(_text(f"  ↳ {call_line(call)}", style=style), no_wrap=True, overflow="ellipsis")

    def printed(self, text: str) -> None:
        self._settle()
        if text:
            self._console.print(Padding(_text(text.rstrip("\n")), (0, 0, 0, 4)))

    def observed(self, seen: Observation) -> None:
        self.printed(seen.stdout)
        if seen.failure:
            self._console.print(Padding(_text("✗ " + failure_text(seen.failure), style="red"), (0, 0, 0, 2)))
        elif seen.text:
            self._console.print(Padding(_text("→ " + seen.text, style="green"), (0, 0, 0, 2)))
        for line in produced_lines(seen):
            self._console.print(_text(f"  ▣ {line}", style="magenta"))
        back = " · rolled back to before this step" if seen.rolled_back else ""
        self._console.print(_text(f"  {cost_line(seen.cost)}{back}", style="dim"))

    def answer(self, text: str, closing: str) -> None:
        self._end("✓ answer: ", "bold green", text, closing)

    def failed(self, text: str, closing: str) -> None:
        self._end("✗ no answer: ", "bold red", text, closing)

    def close(self) -> None:
        self._settle()

    def _end(self, mark: str, style: str, text: str, closing: str) -> None:
        self._settle()
        self._console.print()
        self._console.print(_text(mark, style=style) + _text(text))
        self._console.print(_text(closing, style="dim"))

    def _show(self, shown: Text) -> None:
        if self._live is None:
            # What tools and questions write to the streams meanwhile is theirs: redirected, it would be read as markup.
            self._live = Live(
                console=self._console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
            )
            self._live.start()
        self._live.update(shown, refresh=True)

    def _settle(self) -> None:
        """End what streams, so that the next thing is printed where it stood."""
        if self._live is not None:
            self._live.stop()
        self._live, self._streamed = None, ""


def _text(content: str, style: str = "") -> Text:
    """What is shown: nothing a snippet or a model wrote reaches the terminal as a command to it."""
    return Text(printable(content), style=style)
