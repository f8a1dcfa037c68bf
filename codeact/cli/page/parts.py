"""The parts of a run's page: its answer, its timeline, what it was given, and each step."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from codeact.cli.follow import CODE_BEGINS
from codeact.cli.page.markup import Html, element, joined, python
from codeact.cli.page.story import Chapter, Story
from codeact.cli.screen import counted, seconds
from codeact.prompts.task import shape
from codeact.records import MEDIA_TYPES, Image, ToolCall
from codeact.reply.extract import understand
from codeact.snippet.describe import describe
from codeact.snippet.toolcalls import as_called

_ARGUMENT_CHARS, _RESULT_CHARS, _ANSWER_CHARS = 200, 400, 4_000
_LONG_TEXT = 1_500  # characters; more is folded
_MOST_CALLS = 200  # of one step


def answer_part(story: Story) -> Html:
    """Give the answer, or why there is none."""
    if story.ended == "answered":
        said = story.answer if isinstance(story.answer, str) else describe(story.answer, _ANSWER_CHARS)
        return element("section", element("h2", "Answer"), element("pre", said, class_="answer"))
    return element("section", element("h2", "No answer"), element("p", story.reason or "The recording has no ending."))


def timeline(story: Story) -> Html:
    """Give a bar of where the time went; nothing where the recording does not say."""
    whole = sum(step.reply_seconds + step.run_seconds for step in story.steps)
    if whole <= 0:
        return Html("")
    pieces = [
        element("a", class_=f"bar {kind}", href=f"#step-{step.index}", style=f"flex-grow:{taken / whole * 1000:.1f}",
                title=f"step {step.index}, {what}: {seconds(taken)}")
        for step in story.steps
        for kind, what, taken in (("model", "model", step.reply_seconds), ("code", "code", step.run_seconds))
    ]  # fmt: skip
    model = sum(step.reply_seconds for step in story.steps)
    legend = element(
        "p",
        element("span", class_="key model"), f" model {seconds(model)}  ",
        element("span", class_="key code"), f" code {seconds(whole - model)}",
        class_="line quiet",
    )  # fmt: skip
    return element("section", element("h2", "Timeline"), element("div", *pieces, class_="timeline"), legend)


def asked_part(story: Story) -> Html:
    """Give what the run had: inputs, files, tools and skills."""
    header = story.header
    inputs = [f"{name}: {shape(value)}" for name, value in dict(header.get("inputs", {})).items()]
    within_reach = [skill["name"] for skill in header.get("skills", ())]  # all that earlier recordings hold
    given = {
        "Inputs": inputs,
        "Files": [str(file["name"]) for file in header.get("files", ())],
        "Tools": [str(tool["name"]) for tool in header.get("tools", ())],
        "Skills offered": [str(name) for name in header.get("offered", within_reach)],
        "Kept as a skill": [story.kept] if story.kept else [],
    }
    rows = [joined(element("dt", name), element("dd", ", ".join(things))) for name, things in given.items() if things]
    return element("section", element("h2", "Given"), element("dl", *rows)) if rows else Html("")


def step_part(step: Chapter) -> Html:
    """Give one step."""
    return element("section", *_step(step), id=f"step-{step.index}", class_="step")


def _step(step: Chapter) -> Iterator[Html]:
    good = bool(step.seen.get("ok", not step.asked_back))
    ended = "bad" if not good else "good"
    yield element("h2", element("span", f"Step {step.index}", class_=f"badge {ended}"))
    if said := _said(step):
        yield element("p", said, class_="said")
    if step.code:
        yield element("pre", python(step.code), class_="code")
    for note in step.notes:
        yield element("p", note, class_="note")
    if step.others:
        yield _others(step.others)
    if step.skills:
        yield element("p", f"Uses the skill {', '.join(step.skills)}", class_="quiet")
    if step.calls:
        yield _calls(step.calls)
    for inner in step.inner:
        yield _inner(inner)
    for call in step.withheld:
        yield element("p", "Not made, as this is a dry run: ", element("code", _asked(call)), class_="note")
    if step.asked_back:
        yield element("p", f"Asked back: {step.asked_back}", class_="failure")
    yield from _outcome(step)
    yield element("p", " · ".join(_used(step)), class_="quiet")


def _said(step: Chapter) -> str:
    """Give what the model said beside its code."""
    text = str(step.reply.get("text", ""))
    if step.code:
        before, *code = CODE_BEGINS.split(text, maxsplit=1)
        return before.strip() if code or step.reply.get("calls") else ""
    return (understand(text).kept or text).strip()


def _calls(calls: list[ToolCall]) -> Html:
    rows = [_call(call) for call in calls[:_MOST_CALLS]]
    if len(calls) > _MOST_CALLS:
        rows.append(element("li", f"and {len(calls) - _MOST_CALLS:,} more"))
    failed = sum(call.error is not None for call in calls)
    title = counted(len(calls), "tool call") + (f", {failed} failed" if failed else "")
    opened = {"open": ""} if len(calls) <= 6 else {}
    return element("details", element("summary", title), element("ol", *rows), **opened)


def _others(replies: list[str]) -> Html:
    title = f"{counted(len(replies), 'other candidate')} tried on copies, and not run"
    return element("details", element("summary", title), *(element("pre", reply.strip()) for reply in replies))


def _inner(story: Story) -> Html:
    """Give a run within this one, folded."""
    how = "answered" if story.ended == "answered" else f"{story.ended}: {story.reason}"
    title = f"An agent at work: {story.task.splitlines()[0][:100]} ({counted(len(story.steps), 'step')}, {how})"
    steps = [element("div", *_step(step), class_="step") for step in story.steps]
    return element("details", element("summary", title), *steps, answer_part(story), class_="inner")


def _asked(call: ToolCall) -> str:
    return as_called(call.tool, call.arguments, _ARGUMENT_CHARS)


def _call(call: ToolCall) -> Html:
    came = call.error if call.error is not None else describe(call.result, _RESULT_CHARS)
    kind = "failure" if call.error is not None else ""
    return element(
        "li", element("code", _asked(call)), " → ", element("code", came, class_=kind),
        element("span", f" {seconds(call.seconds)}", class_="quiet"),
    )  # fmt: skip


def _outcome(step: Chapter) -> Iterator[Html]:
    seen = step.seen
    if stdout := str(seen.get("stdout", "")):
        yield _text("Output", stdout)
    if failure := seen.get("failure"):
        place = f"line {failure['line']}: " if failure.get("line") else ""
        yield element("p", f"{place}{failure['type']}: {failure['message']}", class_="failure")
        if excerpt := failure.get("excerpt"):
            yield element("pre", excerpt, class_="failure")
        if hint := failure.get("hint"):
            yield element("p", f"Hint: {hint}", class_="quiet")
    elif text := str(seen.get("text", "")):
        yield _text("Value", text)
    if seen.get("rolled_back"):
        yield element("p", "Rolled back: the state is that of before this step.", class_="quiet")
    for image in step.images:
        yield _picture(image)
    if files := [str(name) for name in seen.get("files", ())]:
        yield element("p", f"Files written: {', '.join(files)}", class_="quiet")


def _text(title: str, text: str) -> Html:
    shown = element("pre", text.rstrip(), class_="output")
    opened = {"open": ""} if len(text) <= _LONG_TEXT else {}
    size = "" if len(text) <= _LONG_TEXT else f" ({len(text):,} characters)"
    return element("details", element("summary", title + size), shown, **opened)


def _picture(image: Image) -> Html:
    if image.media_type not in MEDIA_TYPES.values():
        return element("p", f"Picture {image.name}: {image.media_type} is not shown", class_="quiet")
    source = f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"
    shown = Html(f'<img src="{source}" alt="{element("b", image.name)[3:-4]}">')
    return element("figure", shown, element("figcaption", f"{image.name}, {len(image.data):,} bytes"))


def _used(step: Chapter) -> Iterator[str]:
    tokens = int(step.reply.get("prompt_tokens", 0)) + int(step.reply.get("completion_tokens", 0))
    if tokens:
        yield f"{tokens:,} tokens"
    if dollars := float(step.reply.get("cost_usd", 0.0)):
        yield f"${dollars:.4f}"
    if step.seen and step.seen.get("counted", True):
        yield counted(int(step.seen.get("operations", 0)), "operation")
    if step.reply_seconds + step.run_seconds > 0:
        yield f"model {seconds(step.reply_seconds)}, code {seconds(step.run_seconds)}"
