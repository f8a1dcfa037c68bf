"""A run on a screen: each event of an agent becomes what a person should see of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codeact import events
from codeact.cli.endings import say
from codeact.cli.screen import CallsOfStep, Screen, counted, seconds
from codeact.records import Image, Run

CODE_BEGINS = re.compile(r"```|<execute_python>|<code>")
Shower = Callable[[Any, Screen], None]


def _describe_skills(event: events.SkillsFound, screen: Screen) -> None:
    if event.names:
        screen.note(f"offered {counted(len(event.names), 'skill')}: {', '.join(event.names)}")


def _said(event: events.Replied, screen: Screen) -> None:
    """Show what the model said before its code; a reply without code is shown as what it is taken for."""
    before, *code = CODE_BEGINS.split(event.reply.text, maxsplit=1)
    if code and before.strip():
        screen.said(before.strip())


# Event → what is shown of it. An event without a row is for programs, not for people.
SHOWN: dict[type[events.Event], Shower] = {
    events.SkillsFound: _describe_skills,
    events.Planned: lambda event, screen: screen.said(event.text),
    events.Paused: lambda event, screen: screen.note(f"pauses at {event.tool}(): waits for a decision"),
    events.CandidateChosen: lambda event, screen: screen.note(f"reply {event.chosen} of {event.count} is run"),
    events.StepStarted: lambda event, screen: screen.heading(f"step {event.step}"),
    events.Token: lambda event, screen: screen.token(event.text),
    events.Waiting: lambda event, screen: screen.note(f"waiting {seconds(event.seconds)}: {event.reason}"),
    events.AskedBack: lambda event, screen: screen.note(f"asked back: {event.message}"),
    events.Replied: _said,
    events.CodeReady: lambda event, screen: screen.code(event.code),
    events.SkillUsed: lambda event, screen: screen.note(f"uses the skill {event.name}"),
    events.Observed: lambda event, screen: screen.observed(event.observation),
    events.Shortened: lambda event, screen: screen.note(f"shortened what was seen in {_steps(event.steps)}"),
    events.BudgetNearlySpent: lambda event, screen: screen.note(f"budget nearly spent, left: {event.left}"),
    events.SkillPromoted: lambda event, screen: screen.note(f"kept as a skill: {event.name}"),
    events.Warned: lambda event, screen: screen.note(event.text),
    events.SkillDeclined: lambda event, screen: screen.note(f"not kept as a skill: {event.reason}"),
}


def follow(screen: Screen, pictures: Path, *, live: bool = True) -> Callable[[events.Event], None]:
    """What to call with each event of a run: it is shown, and the pictures it brings are saved.

    Unless `live`, a call is shown when it is over, and not while it is under way.
    """
    calls, saved = CallsOfStep(screen, live=live), saver(pictures)

    def tell(event: events.Event) -> None:
        if isinstance(event, events.ToolStarted):
            calls.started(event.tool)
        elif isinstance(event, events.ToolEnded):
            calls.ended(event.call)
        elif isinstance(event, events.Observed):
            calls.over()
        if shower := SHOWN.get(type(event)):
            shower(event, screen)
        if isinstance(event, events.Observed):
            for image in event.observation.images:
                screen.note(saved(image, event.step))

    return tell


def told_briefly(event: events.Event) -> None:
    """Say on stderr how far a recorded run is that is run again, to be made a skill of."""
    if isinstance(event, events.CodeReady):
        say(f"-- running step {event.step} again", err=True)
    elif isinstance(event, events.RunEnded):
        say("-- making a skill of it, and checking that", err=True)


def saver(pictures: Path) -> Callable[[Image, int], str]:
    """What to call with each picture and its step: it is saved in this folder, and a line says where, or why not."""
    folder = pictures.absolute()  # tools may change the current folder

    def saved(image: Image, step: int) -> str:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return f"picture saved: {pictures / save_picture(image, folder, step).name}"
        except (OSError, ValueError) as error:  # ends no run
            reason = f"{pictures}: {getattr(error, 'strerror', None) or error}; name another folder with --pictures"
            return f"picture {image.name} is not saved: {reason}"

    return saved


def pictures_beside(recording: Path) -> Path:
    """The folder for the pictures of a run, beside its recording and never that file itself."""
    if not recording.name:
        return recording
    return recording.with_suffix("") if recording.suffix else recording.with_name(f"{recording.name}-pictures")


def save_picture(image: Image, folder: Path, step: int) -> Path:
    """Write a picture to a name that is free, and nothing where it is there already; a name's last part is taken."""
    name = Path(Path(image.name).name or "picture")
    path, more = folder / name, 1
    while True:
        try:
            with open(path, "xb") as file:
                file.write(image.data)
                return path
        except FileExistsError:
            if path.is_file() and path.read_bytes() == image.data:
                return path
        path = folder / f"{name.stem}-step-{step}{f'-{more}' if more > 1 else ''}{name.suffix}"
        more += 1


def closing(run: Run) -> str:
    """What a run used, on one line."""
    cost = run.cost
    tokens = cost.prompt_tokens + cost.completion_tokens
    parts = [
        counted(cost.steps, "step"),
        counted(cost.operations, "operation"),
        counted(cost.tool_calls, "tool call"),
        f"{tokens:,} tokens" if tokens else "",
        f"${cost.cost_usd:.4f}" if cost.cost_usd else "",
        seconds(cost.wall_seconds),
    ]
    return " · ".join(part for part in parts if part)


def _steps(numbers: tuple[int, ...]) -> str:
    return "step " + ", ".join(map(str, numbers))
