"""`codeact replay`, `resume` and `undo`: recorded runs, walked through, gone on with, taken back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeact.cli import options
from codeact.cli.endings import told_where_interrupted
from codeact.cli.run import Show, make_agent
from codeact.cli.sessions import read_recording, read_run, resume_session
from codeact.errors import UsageError
from codeact.limits import Budget
from codeact.models.fallback import FALLS_BACK
from codeact.paths import whole_or_none

if TYPE_CHECKING:
    from codeact.events import Event
    from codeact.journal import Recording

# what `resume` takes for a session as well; it says of --change itself why that will not do
_OF_A_SESSION = frozenset(("recording", "tool_paths", "without", "as_json", "yes", "no", "change"))


@click.command()
@click.argument("recording")
@click.option("--step", "stepwise", is_flag=True, help="Wait for Enter before each step.")
@click.option(
    "--html", "page", metavar="FILE", callback=options.named,
    help="Write the run as one page for a browser instead; runs nothing.",
)  # fmt: skip
@click.option("--compare", "other", metavar="OTHER", help="Say where the run in OTHER first differs; runs nothing.")
@options.pictures
@options.as_json
def replay(recording: str, as_json: bool, **chosen: Any) -> None:
    """Walk through RECORDING offline: snippets run for real, replies and tool results come from the recording."""
    for named in (recording, chosen["other"]):
        if named is not None:
            read_run(named)
    if chosen["page"] is not None:
        _write_page(Path(recording), Path(chosen["page"]), as_json)
    if chosen["other"] is not None:
        _say_difference(recording, chosen["other"], as_json=as_json)
    if chosen["page"] is not None or chosen["other"] is not None:
        return
    from codeact.agent import replay as again

    show = Show(Path(recording), chosen["pictures"], as_json, kept=True)
    show.play(lambda tell: again(recording, on_event=_pausing(tell) if chosen["stepwise"] else tell))


@options.as_recorded
@click.command()
@click.argument("recording")
@options.models
@click.option("--promote", is_flag=True, help="Keep what worked as a skill, once it has passed verification.")
@click.option("--yes", is_flag=True, help="Make the call a paused run or session waits at.")
@click.option("--no", is_flag=True, help="Do not make it.")
@click.option("--change", metavar="JSON", help="Make it with these arguments instead.")
@options.approve
@options.pictures
@options.budget_options
@options.agent_options
@options.as_json
def resume(recording: str, as_json: bool, yes: bool, no: bool, change: str | None, **chosen: Any) -> None:
    """Go on where the run or session in RECORDING stopped; what it did is not done again.

    A run whose budget was spent goes on with the usual one, where that is larger, or with what is given here.
    """
    decided = _decision(yes, no, change)
    with told_where_interrupted(f"{recording} is as it was; the same command goes on with it", as_json=as_json):
        found = read_recording(recording)
        chosen = chosen if found.holds_session else _as_recorded(chosen, found)
        agent = None if found.holds_session else make_agent(chosen)
    if agent is None:
        _refuse_what_is_of_runs(recording)
        resume_session(recording, chosen, decided, as_json=as_json)
    again, asks = options.to_go_on(chosen), chosen["approve"] == "ask"
    show = Show(Path(recording), chosen["pictures"], as_json, options=again, asks=asks)
    show.play(lambda tell: agent.resume(recording, decision=decided, on_event=tell))


def _refuse_what_is_of_runs(recording: str) -> None:
    """Raise UsageError where an option was given that changes nothing of a session."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if given and option.name not in _OF_A_SESSION:
            raise UsageError(f"{option.opts[0]}: {recording} is a session, which goes on as it was begun; leave it out")


def _as_recorded(chosen: Mapping[str, Any], found: Recording) -> dict[str, Any]:
    """The options, and what the run began with where they do not say."""
    models = chosen["models"] or _models_in(found.header)
    imports = [*chosen["import_names"], *found.header.get("imports", ())]
    approve = chosen["approve"] or ("ask" if found.header.get("approve") else None)  # who asked goes on asking
    return {**chosen, **_might_use(found), "models": models, "import_names": imports, "approve": approve}


@click.command()
@click.argument("recording")
@options.tools
@options.as_json
def undo(recording: str, tool_paths: tuple[str, ...], as_json: bool) -> None:
    """Take back what the run in RECORDING changed, the last change first."""
    from codeact.agent.undoing import undo as take_back
    from codeact.cli.endings import FAILED, Ended, plain, print_json, say
    from codeact.cli.screen import call_line

    read_run(recording)
    noted = f"what was taken back is noted in {recording}; the same command takes back the rest"
    with told_where_interrupted(noted, as_json=as_json):
        undone = take_back(recording, options.tools_of(tool_paths))
    for done in undone:
        told = f"not taken back, {done.problem}" if done.problem else "taken back"
        say(f"{told}: {call_line(done.call)}", err=as_json)
    if not undone:
        click.echo("there is nothing to take back", err=as_json)
    failed = any(done.problem for done in undone)
    if as_json:
        print_json({"ok": not failed, "undone": plain(undone)})
    if failed:
        raise Ended(FAILED)


def _might_use(found: Recording) -> dict[str, Any]:
    """The limits and the budget of a run; of a budget that was spent, what is usual takes the place of what is less."""
    from codeact.agent.replay import might_use

    might = might_use(found)
    if "budget" in might and any(end["ended"] == "budget" for end in found.of("end")):
        usual, had = asdict(Budget()), asdict(might["budget"])
        might["budget"] = Budget(**{name: max(amount, had[name]) for name, amount in usual.items()})
    return might


def _decision(yes: bool, no: bool, change: str | None) -> bool | dict[str, Any] | None:
    """What was decided about the call that waits; None where nothing was said."""
    if no and (yes or change is not None):
        said = "--yes and --no" if yes else "--no and --change"
        raise UsageError(f"{said}: these are two decisions about one call; give one")
    if change is not None:
        return _changed(change)
    return yes if yes or no else None


def _changed(text: str) -> dict[str, Any]:
    arguments = options.json_of("--change ", options.typed(text))
    if not isinstance(arguments, dict):
        raise UsageError(f"--change {text}: an object of argument names and values is needed")
    return arguments


def _say_difference(one: str, other: str, *, as_json: bool) -> None:
    """Say where two runs first differ; that they do is exit code 1, as of `diff`."""
    from codeact.agent import compare
    from codeact.cli.endings import FAILED, Ended, print_json, say

    difference = compare(one, other)
    if as_json:
        print_json({"ok": not difference, "difference": difference})
    else:
        say(difference or "both runs did the same")
    if difference:
        raise Ended(FAILED)


def _write_page(recording: Path, page: Path, as_json: bool) -> None:
    from codeact.cli.endings import print_json, say
    from codeact.cli.page import is_page, page_of

    text = page_of(recording)
    try:
        if page.is_file() and not is_page(page):
            raise UsageError(f"--html {page}: this is there already, and is no page of a run; name another file")
        with whole_or_none(page):
            page.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--html {page}: cannot be written ({error.strerror})") from error
    if as_json:
        print_json({"ok": True, "page": str(page)})
    else:
        say(f"the page of this run is in {page}")


def _models_in(header: Mapping[str, Any]) -> list[str]:
    """The models a recording was made with; one that cannot be had again by its name is not offered."""
    names = str(header.get("model", "")).split(FALLS_BACK)
    return [name for name in names if "/" in name and not name.startswith("recorded:")]


def _pausing(tell: Callable[[Event], None]) -> Callable[[Event], None]:
    """Wait for Enter before each step; without a terminal to press it on, do not wait."""
    from codeact.events import StepStarted

    def tell_slowly(event: Event) -> None:
        if isinstance(event, StepStarted) and event.step > 1 and sys.stdin.isatty():
            click.prompt("Enter for the next step", default="", show_default=False, prompt_suffix=" ", err=True)
        tell(event)

    return tell_slowly
