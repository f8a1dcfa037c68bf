"""A recorded run as one page: self-contained HTML, without scripts and without anything from the network."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from pathlib import Path

from codeact.cli.page.markup import Html, element, joined
from codeact.cli.page.parts import answer_part, asked_part, step_part, timeline
from codeact.cli.page.story import Story, read_story
from codeact.cli.screen import counted, seconds
from codeact.journal import read

# Nothing is loaded and nothing runs, whatever a recording holds: style and pictures stand in the page itself.
_FETCHES_NOTHING = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_BEGINNING = '<!doctype html>\n<html lang="en"><head>'


def is_page(path: Path) -> bool:
    """Say whether a file is such a page, which can be made again, or is empty."""
    with path.open("rb") as file:
        return file.read(len(_BEGINNING)) in (b"", _BEGINNING.encode())


def page_of(recording: Path) -> str:
    """Give the page of a recorded run; JournalError where it is none."""
    story = read_story(read(recording))
    style = importlib.resources.files("codeact.cli.page").joinpath("page.css").read_text(encoding="utf-8")
    head = joined(
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{_FETCHES_NOTHING}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", f"{story.task.splitlines()[0][:80]} · codeact"),
        Html(f"<style>{style}</style>"),
    )
    body = element("main", *_parts(story), element("footer", *_provenance(story)))
    return f"{_BEGINNING}{head}</head><body>{body}</body></html>\n"


def _parts(story: Story) -> Iterator[Html]:
    yield element("h1", story.task)
    yield element("p", *(element("span", text, class_=f"badge {kind}") for kind, text in _badges(story)), class_="line")
    yield answer_part(story)
    yield timeline(story)
    yield asked_part(story)
    if story.plan:
        yield element("section", element("h2", "Plan"), element("p", story.plan, class_="said"))
    for step in story.steps:
        yield step_part(step)


def _badges(story: Story) -> Iterator[tuple[str, str]]:
    """Give what a reader asks first: how it ended, and what it used."""
    cost = story.cost
    if story.header.get("dry_run"):
        yield "", "dry run"
    yield ("good" if story.ended == "answered" else "bad"), story.ended
    yield "", counted(len(story.steps), "step")
    yield "", seconds(float(cost.get("wall_seconds", story.seconds)))
    tokens = int(cost.get("prompt_tokens", 0)) + int(cost.get("completion_tokens", 0))
    if tokens:
        yield "", f"{tokens:,} tokens"
    if dollars := float(cost.get("cost_usd", 0.0)):
        yield "", f"${dollars:.4f}"
    yield "", counted(int(cost.get("operations", 0)), "operation")
    yield "", counted(int(cost.get("tool_calls", sum(len(step.calls) for step in story.steps))), "tool call")


def _provenance(story: Story) -> Iterator[Html]:
    header = story.header
    yield element("p", f"Run {header.get('id', 'without a name')}, model {header.get('model', 'unknown')}.")
    yield element("p", f"Replies: {header.get('replies', 'of unknown origin')}. Begun {header.get('at', 'some time')}, "
                  f"codeact {header.get('codeact', 'of unknown version')}.")  # fmt: skip
