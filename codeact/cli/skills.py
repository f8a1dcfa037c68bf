"""`codeact skills …`: the library as a person sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeact.cli import options
from codeact.cli.endings import ANSWERED, FAILED, Ended, print_json, say
from codeact.cli.examples import Skills
from codeact.cli.follow import told_briefly
from codeact.cli.init import starter
from codeact.cli.screen import counted
from codeact.cli.sessions import read_run
from codeact.errors import UsageError
from codeact.snippet.places import printable

if TYPE_CHECKING:
    from codeact.skills.cards import Card
    from codeact.skills.library import SkillLibrary
    from codeact.skills.record import Checked, Event, Usage


@click.group(cls=Skills)
def skills() -> None:
    """List, show, search, promote, verify, test, retire, export and import skills."""


def open_library(folder: str | Path | None, *, to_fill: bool = False) -> SkillLibrary:
    """The library named, or skills/ in this folder. It is there, or `to_fill`: its first skill makes the folder."""
    found = options.skills_folder_of(None if folder is None else str(folder)) or Path("skills")
    if not (to_fill or found.is_dir()):
        where = "there is no skills/ here" if folder is None else f"--skills {found}: there is no such folder"
        raise UsageError(f"{where}; name a library with --skills DIR, or make one with codeact run … --promote")
    from codeact.skills.library import SkillLibrary

    shipped = starter("skills")
    if shipped.is_dir() and found.resolve() == shipped.resolve():
        return SkillLibrary(found, accept=True)
    library = SkillLibrary(found)
    if found.is_dir() and shipped.is_dir():
        library.trust(shipped)
    return library


@skills.command("list")
@options.skills
@options.as_json
def list_(skills_folder: str | None, as_json: bool) -> None:
    """List the skills with what each has done, and the folders that are none."""
    library = open_library(skills_folder)
    cards, usage, broken = library.list(), library.usage(), library.broken()
    if as_json:
        used = {name: asdict(count) for name, count in usage.items()}
        rows = [_card_as_json(card) | {"usage": used.get(card.name)} for card in cards]
        print_json({"ok": True, "skills": rows, "broken": [asdict(one) for one in broken]})
        return
    for card in cards:
        uses = _told(usage.get(card.name))
        state = "" if card.state == "active" else f"  {card.state}: {card.reason}"
        click.echo(f"{card.name}  {click.style(uses, dim=True)}{click.style(printable(state), fg='yellow')}")
        say(f"    {card.description.splitlines()[0] if card.description else ''}")
    if not cards:
        say(f"no skills in {library.root} yet; codeact run … --promote keeps what worked")
    for one in broken:
        say(f"broken: {one.folder}: {one.reason}", err=True, fg="red")


@skills.command()
@click.argument("name")
@options.skills
@options.as_json
def show(name: str, skills_folder: str | None, as_json: bool) -> None:
    """Show one skill: what it does, its code, where it came from, and its history."""
    library = open_library(skills_folder)
    if not name:
        raise UsageError("name a skill: codeact skills list says which there are")
    skill = library.get(name)
    events = library.history(skill.name)
    if as_json:
        print_json({"ok": True, "skill": asdict(skill), "history": [asdict(event) for event in events]})
        return
    say(skill.signature, bold=True)
    say(f"{skill.description}\n")
    say(skill.code.rstrip() + "\n")
    say(f"version {skill.version} · {skill.state}{': ' + skill.reason if skill.reason else ''}")
    tools = ", ".join(spec.name for spec in skill.tools)
    say(f"tools: {tools or 'none'} · imports: {', '.join(skill.imports) or 'none'}")
    say(f"from the task: {skill.provenance.task}" if skill.provenance.task else "")
    for event in events:
        say(f"  {event.when}  {_as_line(event)}")


@skills.command()
@click.argument("text")
@click.option("--k", type=click.IntRange(min=1), default=5, show_default=True, help="How many to give at most.")
@options.skills
@options.as_json
def search(text: str, k: int, skills_folder: str | None, as_json: bool) -> None:
    """Find the skills that fit a request."""
    library = open_library(skills_folder)
    cards = library.search(options.typed(text), k)
    if as_json:
        print_json({"ok": True, "skills": [_card_as_json(card) for card in cards]})
        return
    for card in cards:
        say(card.stub)
    if not cards:
        click.echo("no skill fits")


@skills.command()
@click.argument("recording")
@options.skills
@options.as_json
def promote(recording: str, skills_folder: str | None, as_json: bool) -> None:
    """Make a skill of the run in RECORDING, if it passes verification."""
    from codeact.agent import replay
    from codeact.agent.driving import asked_in
    from codeact.skills.record import Promoted

    library = open_library(skills_folder, to_fill=True)
    recorded = read_run(recording)
    run = replay(recording, on_event=told_briefly)
    outcome = library.promote(run, files=asked_in(recorded).files)
    if as_json:
        print_json({"ok": bool(outcome)} | asdict(outcome))
    elif isinstance(outcome, Promoted):
        say(f"kept as a skill ({outcome.how}): {outcome.skill.name}, in {library.root / outcome.skill.folder}")
    else:
        say(f"not kept: {outcome.reason}" + (f"\n{outcome.evidence}" if outcome.evidence else ""))
    raise Ended(ANSWERED if outcome else FAILED)


@skills.command()
@click.argument("names", nargs=-1)
@click.option("--accept", is_flag=True, help="Agree to what new or edited skills ask for, where they pass.")
@options.skills
@options.as_json
def verify(names: tuple[str, ...], accept: bool, skills_folder: str | None, as_json: bool) -> None:
    """Run the recorded examples of all skills, or of those named, again. Exit 1 where one fails."""
    library = open_library(skills_folder)
    checked: list[Checked] = []
    for one in _each(library, names, lambda name: library.verify(name, accept=accept)):
        checked.append(one)
        told = f"{'ok    ' if one.ok else 'FAILED'}  {one.name}  {one.reason or counted(one.examples, 'example')}"
        say(told, err=as_json)
    ok = all(one.ok for one in checked)
    if as_json:
        print_json({"ok": ok, "skills": [asdict(one) for one in checked]})
    raise Ended(ANSWERED if ok else FAILED)


@skills.command()
@click.argument("names", nargs=-1)
@options.skills
@options.as_json
def test(names: tuple[str, ...], skills_folder: str | None, as_json: bool) -> None:
    """Run each recorded use of all skills, or of those named, as a test; changes nothing. Exit 1 where one fails."""
    library = open_library(skills_folder)
    checked: list[Checked] = []
    for one in _each(library, names, library.test):
        checked.append(one)
        verdict = click.style("FAILED", fg="red") if not one.ok else click.style("passed", fg="green")
        click.echo(f"{verdict}  {one.name}  {printable(' '.join(one.reason.split()))}", err=as_json)
    failed = [one for one in checked if not one.ok]
    click.echo(f"{len(checked) - len(failed)} passed, {len(failed)} failed", err=as_json)
    if as_json:
        print_json({"ok": not failed, "tests": [asdict(one) for one in checked]})
    raise Ended(FAILED if failed else ANSWERED)


def _each(library: SkillLibrary, names: Sequence[str], check: Callable[[str], list[Checked]]) -> Iterator[Checked]:
    """What comes of the skills named, or of all and the folders that are none: each when it is known."""
    from codeact.skills.record import Checked

    for name in names or [card.name for card in library.list()]:
        yield from check(name)
    for one in () if names else library.broken():
        yield Checked(one.folder, False, one.reason)


@skills.command()
@click.argument("name", required=False)
@options.skills
@options.as_json
def history(name: str | None, skills_folder: str | None, as_json: bool) -> None:
    """Show what happened to one skill, or to all: promoted, used as an example, quarantined, retired, and why."""
    library = open_library(skills_folder)
    events = library.history(None if name is None else library.get(name).name)
    if as_json:
        print_json({"ok": True, "history": [asdict(event) for event in events]})
        return
    for event in events:
        click.echo(f"{click.style(event.when, dim=True)}  {printable(f'{event.skill}  {_as_line(event)}')}")
    if not events:
        click.echo("nothing happened here yet")


@skills.command()
@click.argument("name")
@click.argument("reason")
@options.skills
@options.as_json
def retire(name: str, reason: str, skills_folder: str | None, as_json: bool) -> None:
    """Take a skill out of use for REASON; its folder stays."""
    reason = printable(options.typed(reason))
    open_library(skills_folder).retire(name, reason)
    if as_json:
        print_json({"ok": True, "skill": name, "state": "retired", "reason": reason})
        return
    click.echo(f"retired {name}: {reason}. Back with: {_way(f'restore {name}', skills_folder)}")


@skills.command()
@click.argument("name")
@options.skills
@options.as_json
def restore(name: str, skills_folder: str | None, as_json: bool) -> None:
    """Put a retired or quarantined skill back on offer."""
    library = open_library(skills_folder)
    before = library.get(name)
    library.restore(name)
    card = library.get(name)
    if as_json:
        print_json({"ok": True, "skill": card.name, "state": card.state, "reason": card.reason})
    elif card.state == "active":
        click.echo(f"{name} is on offer already" if before.state == "active" else f"restored {name}")
    else:
        say(f"{name} is {card.state}: {card.reason}\nTo use it: {_way(f'verify {name} --accept', skills_folder)}")


@skills.command()
@click.argument("target", callback=options.named)
@options.skills
@options.as_json
def export(target: str, skills_folder: str | None, as_json: bool) -> None:
    """Write the skills, with their usage and history, to a new folder or archive (.zip, .tar.gz) TARGET."""
    written = open_library(skills_folder).export(target)
    if as_json:
        print_json({"ok": True, "path": str(written)})
    else:
        say(f"exported to {written}")


@skills.command("import")
@click.argument("source", callback=options.named)
@options.skills
@options.as_json
def import_(source: str, skills_folder: str | None, as_json: bool) -> None:
    """Take in the skills of a folder or archive SOURCE; quarantined until they are verified and accepted here."""
    if not Path(source).exists():
        raise UsageError(f"{source}: there is no such folder or archive")
    names = open_library(skills_folder, to_fill=True).import_(source)
    if as_json:
        print_json({"ok": True, "skills": names})
        return
    states = {card.name: card.state for card in open_library(skills_folder).list()}  # what ships with codeact is known
    for name in names:
        say(f"{name}  {states[name]}")
    if any(states[name] == "quarantined" for name in names):
        click.echo(f"agree to what they ask for, where they pass: {_way('verify --accept', skills_folder)}")


def _way(command: str, folder: str | None) -> str:
    """The command to go on with, as it is typed: with the library, where one was named."""
    return f"codeact skills {command}{f' --skills {options.as_typed(folder)}' if folder else ''}"


def _as_line(event: Event) -> str:
    """What happened to a skill; a task in it may have several lines."""
    return f"{event.what}  {' '.join(event.detail.split())}".rstrip()


def _told(count: Usage | None) -> str:
    """How a skill did, in words."""
    if not count:
        return "not used yet"
    unknown = count.uses - count.successes - count.failures
    known = f"{count.successes} of {count.uses - unknown} checked uses succeeded" if unknown < count.uses else ""
    return ", ".join(part for part in (known, f"{unknown} not checked" if unknown else "") if part)


def _card_as_json(card: Card) -> dict[str, Any]:
    return {name: getattr(card, name) for name in ("name", "description", "state", "reason", "version", "signature")}
