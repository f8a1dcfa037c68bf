"""A run as one page: everything that was recorded, nothing that runs or is fetched."""

from __future__ import annotations

import html
import json
import re
import shutil
import struct
import subprocess
import zlib
from html.parser import HTMLParser

import pytest

from codeact.agent import Agent
from codeact.cli.page import page_of
from codeact.cli.page.markup import joined, python
from codeact.cli.page.parts import asked_part
from codeact.cli.page.story import Story, read_story
from codeact.journal import read
from codeact.limits import Budget
from codeact.records import Reply
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import price
from tests.cli.command import codeact, recorded


def _png() -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    size = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


STEPS = [
    f"I draw <b>first</b>.\n```python\nwith open('dot.png', 'wb') as f:\n    f.write({_png()!r})\nprint('<script>x()</script>')\n```",
    "```python\nprice('plum')  # none\n```",
    "```python\nfinal_answer({'pear': price('pear')})\n```",
]


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    agent = Agent(ScriptedModel(STEPS), tools=[price], runs=tmp_path_factory.mktemp("runs"))
    return agent.run("Buy a pear & <img src=x onerror=alert(1)>", inputs={"book": [1, 2]}).journal


class Seen(HTMLParser):
    """The elements of a page, their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.text += data


def test_a_page_tells_the_task_the_answer_and_each_step_with_its_calls_and_failures(journal):
    text = Seen(page_of(journal)).text
    for told in (
        "Buy a pear & <img src=x", "answered", "3 steps", "2 tool calls", "{'pear': 0.75}", "book: list of 2", "price",
        "I draw <b>first</b>.", "<script>x()</script>", "price(item='plum') → KeyError: plum", "line 1:", "dot.png, 69 bytes",
        "price(item='pear') → 0.75", "operations", "model scripted",
    ):  # fmt: skip
        assert told in text, told


def test_a_page_calls_those_skills_offered_that_the_prompt_showed():
    within_reach = [{"name": name} for name in ("buy_fruit", "peel_fruit")]
    shown = Seen(asked_part(Story({"skills": within_reach, "offered": ["buy_fruit"]}))).text
    assert "buy_fruit" in shown
    assert "peel_fruit" not in shown


def test_a_page_runs_nothing_and_fetches_nothing_whatever_the_recording_holds(journal):
    seen = Seen(page_of(journal))
    assert not {"script", "link", "iframe", "object", "embed", "b"} & set(seen.tags)
    fetched = [value for name, value in seen.attributes if name in ("src", "href", "srcset")]
    assert all(value.startswith(("data:image/", "#step-")) for value in fetched)
    assert [name for name, _ in seen.attributes if name.startswith("on")] == []
    assert any(name == "content" and value.startswith("default-src 'none'") for name, value in seen.attributes)


def test_a_picture_stands_in_the_page_and_is_what_the_step_made(journal):
    import base64

    (source,) = [value for name, value in Seen(page_of(journal)).attributes if name == "src"]
    assert base64.b64decode(source.partition("base64,")[2]) == _png()


def test_a_run_without_an_answer_says_why(tmp_path):
    agent = Agent(ScriptedModel(["```python\n1\n```"]), budget=Budget(steps=1), runs=tmp_path)
    assert "the only step of the budget is used" in page_of(agent.run("go").journal)


def test_a_recording_written_by_hand_has_a_page_too(tmp_path):
    recorded(tmp_path / "by-hand.jsonl", "It is 42.")
    assert "It is 42." in page_of(tmp_path / "by-hand.jsonl")


@pytest.mark.parametrize(
    "source",
    [
        "x = 1 + \\\n    2\n",
        "def f(a):\n\treturn f'{a!r:>{4}} <b>'\n",
        "'''a\n<b>'''  # c",
        "1 +",
        "x = '",
        "\n\n  y",
        "",
    ],
)
def test_marking_the_words_of_code_changes_none_of_them(source):
    plain = html.unescape(re.sub(r"<[^>]*>", "", python(source)))
    assert plain == source
    assert "<b>" not in python(source).replace(joined("<b>"), "")


def test_the_command_writes_the_page_and_says_where(journal, tmp_path):
    ran = codeact("replay", str(journal), "--html", "page.html", folder=tmp_path)
    assert (ran.code, ran.out) == (0, "the page of this run is in page.html\n")
    assert (tmp_path / "page.html").read_text() == page_of(journal)
    ran = codeact("replay", str(journal), "--html", "no/where.html", folder=tmp_path)
    assert ran.code == 2
    assert "--html no/where.html: cannot be written" in ran.err


def test_a_page_takes_the_place_of_a_page_and_of_nothing_else(journal, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_bytes(journal.read_bytes())
    for place in (other, journal):
        ran = codeact("replay", str(journal), "--html", str(place), folder=tmp_path)
        assert ran.code == 2
        assert f"--html {place}: this is there already, and is no page of a run; name another file" in ran.err
    assert other.read_bytes() == journal.read_bytes()
    for _ in range(2):
        assert codeact("replay", str(journal), "--html", "page.html", folder=tmp_path).code == 0


def test_a_page_tells_of_inner_runs_of_replies_that_were_tried_and_of_the_budget(tmp_path):
    inner = Agent(ScriptedModel(["```python\nfinal_answer(price('pear'))\n```"]), tools=[price], runs=tmp_path)
    replies = [Reply("Ask.\n```python\nhelper('the price')\n```", prompt_tokens=45), "```python\n'another'\n```",
               Reply("```python\nfinal_answer(1)\n```", prompt_tokens=1), "no code"]  # fmt: skip
    outer = Agent(ScriptedModel(replies), tools=[inner.as_tool("helper", "Helps.")], candidates=2,
                  budget=Budget(tokens=50), runs=tmp_path / "outer")  # fmt: skip
    text = Seen(page_of(outer.run("go").journal)).text
    assert "An agent at work: the price (1 step, answered)" in text
    assert "price(item='pear')" in text
    assert "1 other candidate tried on copies, and not run" in text
    assert "The budget is nearly spent, left: 5 of 50 tokens." in text


def test_the_page_of_a_dry_run_says_so_and_lists_what_it_would_have_changed(tmp_path):
    @tool(effect="write")
    def buy(item: str) -> str:
        """Buys an item."""
        raise AssertionError("a dry run buys nothing")

    inner = Agent(ScriptedModel(["```python\nfinal_answer(buy('fig'))\n```"]), tools=[buy], runs=tmp_path)
    agent = Agent(ScriptedModel(["```python\nbuy('pear')\nfinal_answer(helper('go'))\n```"]), dry_run=True,
                  tools=[buy, inner.as_tool("helper", "Helps.")], runs=tmp_path / "outer")  # fmt: skip
    text = Seen(page_of(agent.run("go").journal)).text
    for wanted in ("dry run", "3 tool calls", "Not made, as this is a dry run: buy(item='pear')", "buy(item='fig')"):
        assert wanted in text


def test_the_time_a_step_took_is_with_that_of_an_agent_it_called(tmp_path):
    tools = [Agent(ScriptedModel(["yes"]), runs=tmp_path).as_tool("helper", "Helps.")]
    replies = ["```python\nfinal_answer(helper('x'))\n```"]
    run = Agent(ScriptedModel(replies), tools=tools, runs=tmp_path / "outer").run("go")
    lines = [json.loads(line) for line in run.journal.read_text().splitlines()]
    for line in lines:
        line["after_seconds"] = {"reply": 1.0, "entered": 4.0}.get(line["kind"], 9.0)
    run.journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [step.run_seconds for step in read_story(read(run.journal)).steps] == [8.0]


def test_a_recording_of_an_inner_run_that_is_gone_is_left_out(tmp_path):
    inner = Agent(ScriptedModel(["yes"]), runs=tmp_path)
    tools = [inner.as_tool("helper", "Helps.")]
    run = Agent(ScriptedModel(["```python\nfinal_answer(helper('x'))\n```"]), tools=tools, runs=tmp_path / "outer").run(
        "go"
    )
    for path in tmp_path.glob("*.jsonl"):
        path.unlink()
    assert "An agent at work" not in page_of(run.journal)


def test_a_page_tells_of_an_inner_run_once_whatever_its_recording_says(tmp_path):
    inner = Agent(ScriptedModel(["yes"]), runs=tmp_path)
    tools = [inner.as_tool("helper", "Helps.")]
    run = Agent(ScriptedModel(["```python\nfinal_answer(helper('x'))\n```"]), tools=tools, runs=tmp_path / "outer").run(
        "go"
    )
    lines = [json.loads(line) for line in run.journal.read_text().splitlines()]
    for line in lines:
        if line["kind"] == "call":
            line["inner"] += [
                str(run.journal),
                str(tmp_path / "outer" / ".." / "outer" / run.journal.name),
                "/dev/zero",
            ] * 9
    run.journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert page_of(run.journal).count("An agent at work") == 1


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
def test_a_browser_shows_the_page_on_a_phone_without_scrolling_sideways(journal, tmp_path):
    """The page lies in a frame as wide as a phone, and the frame's own script-free width is measured from outside."""
    (tmp_path / "run.html").write_text(page_of(journal))
    (tmp_path / "phone.html").write_text(
        '<iframe id=f src=run.html style="width:360px;height:2000px;border:0"></iframe><script>f.onload=()=>{'
        "const d=f.contentDocument;document.title=[d.documentElement.scrollWidth,d.images[0].naturalWidth].join()}</script>"
    )
    command = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
        "--dump-dom",
    ]
    ran = subprocess.run(
        [*command, f"--user-data-dir={tmp_path}/profile", (tmp_path / "phone.html").as_uri()],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert "<title>360,1</title>" in ran.stdout
