"""Models a library may ask: an embedding model behind a real server, and one that words new skills."""

from __future__ import annotations

import ast
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from codeact import Agent, events
from codeact.errors import ModelUnavailable
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Promoted
from codeact.skills.vectors import SkillModels
from codeact.testing import ScriptedModel
from tests.skills.playing import play
from tests.skills.runs import RUNS
from tests.skills.shelves import fill, skill

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")]
ABOUT = (["bill", "invoice", "want", "us"], ["weather", "rain", "umbrella"], ["song", "music", "guitar"])
ASKED = "how much do they want from us"


class Served(ThreadingHTTPServer):
    """A server that gives vectors in the format of OpenAI; `answer` may be another one, `seen` is what was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[list[str]] = []
        self.answer: tuple[int, bytes] | None = None


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        self.server.seen.append(texts)
        rows = [
            {
                "object": "embedding",
                "index": at,
                "embedding": [float(any(w in text.lower() for w in one)) for one in ABOUT],
            }
            for at, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        good = json.dumps({"object": "list", "model": "local", "data": rows, "usage": usage}).encode()
        status, body = self.server.answer or (200, good)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Served]:
    with Served() as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield served
        served.shutdown()
        thread.join()


@pytest.fixture
def library(server: Served, tmp_path: Path) -> SkillLibrary:
    settings = {"api_base": f"http://127.0.0.1:{server.server_address[1]}/v1", "api_key": "none"}
    models = SkillModels(embeddings="openai/local", settings=settings)
    library = SkillLibrary(tmp_path / "skills", isolation="inline", models=models)
    words = [("extract_invoice_total", "Extract the total of an invoice."), ("play_song", "Play a song."),
             ("predict_rain", "Predict whether it rains."), ("add_one", "Add one to a number.")]  # fmt: skip
    fill(library, [skill(name, about) for name, about in words])
    return library


def names(library: SkillLibrary, text: str) -> list[str]:
    return [card.name for card in library.search(text)]


def test_a_request_in_other_words_is_found_by_what_it_is_alike_to(library: SkillLibrary, server: Served) -> None:
    assert names(library, ASKED) == ["extract_invoice_total"]
    assert server.seen[0][0] == ASKED


def test_what_both_find_comes_before_what_one_of_them_finds(library: SkillLibrary) -> None:
    assert names(library, "the total of an invoice for a song")[0] == "extract_invoice_total"
    assert names(library, "invoice total")[0] == "extract_invoice_total"


def test_a_request_alike_to_nothing_finds_nothing(library: SkillLibrary) -> None:
    assert names(library, "bake a sourdough loaf") == []


def test_a_skill_is_embedded_once_also_for_the_next_process(library: SkillLibrary, server: Served) -> None:
    names(library, ASKED)
    SkillLibrary(library.root, isolation="inline", models=library.models).search(ASKED)
    assert [len(texts) for texts in server.seen] == [5, 1]


@pytest.mark.parametrize(
    "answer",
    [(500, b"{}"), (200, b"no json"), (200, b'{"data": []}'), (200, b'{"data": [{"index": 0, "embedding": "x"}]}'), (401, b"{}")],
)  # fmt: skip
def test_where_the_server_fails_words_alone_decide_and_that_is_said(
    library: SkillLibrary, server: Served, answer: tuple[int, bytes]
) -> None:
    server.answer = answer
    with pytest.warns(RuntimeWarning, match="found by words alone"):
        assert names(library, "add one to a number")[0] == "add_one"


def test_a_run_goes_on_without_the_embedding_model_and_an_event_says_so(library: SkillLibrary, server: Served) -> None:
    server.answer = (503, b"{}")
    told: list[events.Event] = []
    model = ScriptedModel(["```python\nfinal_answer(add_one(41))\n```"])
    agent = Agent(model, skills=library, isolation="inline", runs=None)
    assert agent.run("Add one to a number", on_event=told.append).answer == 42
    assert any(isinstance(event, events.Warned) and "words alone" in event.text for event in told)


def worded(tmp_path: Path, reply: object) -> tuple[Promoted, SkillLibrary]:
    model = ScriptedModel([reply])
    library = SkillLibrary(tmp_path, isolation="inline", models=SkillModels(wording=model))
    outcome = library.promote(play(RUNS[0]))
    assert isinstance(outcome, Promoted), outcome
    return outcome, library


def body(code: str) -> list[str]:
    function = next(node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef))
    return [ast.unparse(function.args), *(ast.unparse(node) for node in function.body[1:])]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Promoted:
    found = SkillLibrary(tmp_path_factory.mktemp("plain"), isolation="inline").promote(play(RUNS[0]))
    assert isinstance(found, Promoted)
    return found


def test_a_model_names_a_skill_and_says_what_it_does(tmp_path: Path, plain: Promoted) -> None:
    reply = 'Sure: {"name": "value_of_orders", "description": "Value the orders in another currency."}'
    outcome, library = worded(tmp_path, reply)
    assert outcome.skill.name == "value_of_orders"
    assert outcome.skill.description == "Value the orders in another currency."
    assert body(outcome.skill.code) == body(plain.skill.code)
    assert library.verify()[0].ok


@pytest.mark.parametrize(
    "reply",
    [
        "no json at all",
        '{"name": "ok_name"}',
        '{"name": ["a"], "description": "x"}',
        '{"name": "os.system(1)", "description": "x"}',
        '{"name": "class", "description": "x"}',
        '{"name": "print", "description": "x"}',
        '{"name": "exchange_rate", "description": "Shadow a tool."}',
        '{"name": "größe", "description": "x"}',
        '{"name": "../../up", "description": "x"}',
        '{"name": "good_name", "description": ""}',
        '{"name": "good_name", "description": "' + "long " * 100 + '"}',
        '{"name": "good_name", "description": "Use the key AKIAIOSFODNN7EXAMPLE."}',
        '{"name": "good_name", "description": "a\\u202eb"}',
        ModelUnavailable("the model is down"),
    ],
)
def test_what_will_not_do_leaves_the_skill_as_it_was(tmp_path: Path, plain: Promoted, reply: object) -> None:
    with pytest.warns(RuntimeWarning, match="keeps its plain name"):
        outcome, _ = worded(tmp_path, reply)
    assert outcome.skill.code == plain.skill.code


@pytest.mark.parametrize(
    "words",
    [
        'Good. \\"\\"\\"\\n    import os; os.remove(1)\\n    \\"\\"\\"',
        "It is {book} `x` %s",
        "Ends in a backslash \\\\",
    ],
)
def test_no_sentence_changes_the_code(tmp_path: Path, plain: Promoted, words: str) -> None:
    outcome, library = worded(tmp_path, f'{{"name": "good_name", "description": "{words}", "code": "import os"}}')
    assert body(outcome.skill.code) == body(plain.skill.code)
    assert library.verify()[0].ok
