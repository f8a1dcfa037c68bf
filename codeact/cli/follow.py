"""A run on a screen: each event of an agent becomes what a person should see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from codeact import events
from codeact.cli.screen import Screen, counted, seconds
from codeact.errors import CodeactError
from codeact.records import Observation, Run

Shower = Callable[[Any, Screen], None]


def _describe_skills(event: events.SkillsFound, screen: Screen) -> None:
    if event.names:
        screen.note(f"offered {counted(len(event.names), 'skill')}: {', '.join(event.names)}")


# Event → what is shown of it. An event without a row is for programs, not for people.
SHOWN: dict[type[events.Event], Shower] = {
    events.SkillsFound: _describe_skills,
    events.StepStarted: lambda event, screen: screen.heading(f"step {event.step}"),
    events.Token: lambda event, screen: screen.token(event.text),
    events.Waiting: lambda event, screen: screen.note(f"waiting {seconds(event.seconds)}: {event.reason}"),
    events.AskedBack: lambda event, screen: screen.note(f"asked back: {event.message}"),
    events.CodeReady: lambda event, screen: screen.code(event.code),
    events.ToolStarted: lambda event, screen: screen.calling(event.tool),
    events.ToolEnded: lambda event, screen: screen.called(event.call),
    events.SkillUsed: lambda event, screen: screen.note(f"uses the skill {event.name}"),
    events.Observed: lambda event, screen: screen.observed(event.observation),
    events.Shortened: lambda event, screen: screen.note(f"shortened what was seen in {_steps(event.steps)}"),
    events.BudgetNearlySpent: lambda event, screen: screen.note(f"budget nearly spent, left: {event.left}"),
    events.SkillPromoted: lambda event, screen: screen.note(f"kept as a skill: {event.name}"),
    events.SkillDeclined: lambda event, screen: screen.note(f"not kept as a skill: {event.reason}"),
}


def follow(stream: Iterable[events.Event], screen: Screen, *, pictures: Path) -> Run:
    """Show a run while it happens, save the pictures it makes, and give its record."""
    for event in stream:
        if isinstance(event, events.Nested):
            continue
        if shower := SHOWN.get(type(event)):
            shower(event, screen)
        if isinstance(event, events.Observed):
            for path in save_pictures(event.observation, pictures):
                screen.note(f"picture saved: {path}")
        if isinstance(event, events.RunEnded):
            return event.run
    raise CodeactError("the run broke off without an ending; its recording holds what was done")


def save_pictures(seen: Observation, folder: Path) -> list[Path]:
    """Write the pictures of a step into a folder; a name is taken from its last part only."""
    saved = []
    for image in seen.images:
        path = folder / (Path(image.name).name or "picture")
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image.data)
        saved.append(path)
    return saved


def closing(run: Run) -> str:
    """What a run used, on one line."""
    cost = run.cost
    tokens = cost.prompt_tokens + cost.completion_tokens
    parts = [
        counted(cost.steps, "step"),
        f"{cost.operations:,} operations",
        counted(cost.tool_calls, "tool call"),
        f"{tokens:,} tokens" if tokens else "",
        f"${cost.cost_usd:.4f}" if cost.cost_usd else "",
        seconds(cost.wall_seconds),
    ]
    return " · ".join(part for part in parts if part)


def _steps(numbers: tuple[int, ...]) -> str:
    return "step " + ", ".join(map(str, numbers))
