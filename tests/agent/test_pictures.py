"""Pictures given with a task, and made by a step, reach models that see; others are told name and size."""

import pytest

from codeact.agent import Agent
from codeact.testing import FakeProvider, Says, ScriptedModel

PNG = b"\x89PNG\r\n\x1a\n0123456789"


@pytest.fixture
def picture(tmp_path):
    (tmp_path / "dot.png").write_bytes(PNG)
    return tmp_path / "dot.png"


def test_a_picture_given_with_the_task_is_shown_and_lies_in_the_folder(picture):
    model = ScriptedModel(["```python\nfinal_answer(open('dot.png', 'rb').read())\n```"])
    assert Agent(model, runs=None).run("look", files=[picture]).answer == PNG
    (opening,) = [message for message in model.seen[0] if message.role == "user"]
    assert [(image.name, image.media_type, image.data) for image in opening.images] == [("dot.png", "image/png", PNG)]
    assert "dot.png (18 bytes)" in opening.content


def test_a_file_that_is_no_picture_or_too_large_to_send_is_a_file_like_any_other(tmp_path, picture):
    (tmp_path / "big.png").write_bytes(PNG + bytes(5 << 20))
    (tmp_path / "table.csv").write_text("a")
    model = ScriptedModel(["done"])
    Agent(model, runs=None).run("look", files=[picture, tmp_path / "big.png", tmp_path / "table.csv"])
    assert [image.name for image in model.seen[0][1].images] == ["dot.png"]
    assert "big.png (5,242,898 bytes)" in model.seen[0][1].content


def test_a_picture_of_a_step_that_no_provider_takes_is_named_and_not_sent():
    made = (
        "open('a.svg', 'w').write('<svg/>'), open('b.png', 'wb').write(bytes(6 << 20)), open('c.png', 'wb').write(b'c')"
    )
    model = ScriptedModel([f"```python\n{made}\n```", "done"])
    run = Agent(model, runs=None).run("draw")
    assert [image.name for image in run.steps[0].observation.images] == ["a.svg", "b.png", "c.png"]
    assert [image.name for image in model.seen[1][-1].images] == ["c.png"]
    assert "a.svg (6 bytes), b.png (6,291,456 bytes), c.png (" in model.seen[1][-1].content


@pytest.mark.parametrize(("name", "sees"), [("openai/gpt-4o", True), ("openai/any", False)])
def test_what_reaches_the_provider_is_the_picture_or_its_name_and_size(picture, name, sees):
    replies = [Says(f"```python\nopen('made.png', 'wb').write({PNG!r})\n```"), Says("done")]
    with FakeProvider(replies) as provider:
        Agent(name, runs=None, model_settings={"api_base": provider.url, "api_key": "x"}).run("look", files=[picture])
    task, made = provider.requests[1]["messages"][1]["content"], provider.requests[1]["messages"][-1]["content"]
    if sees:
        assert [part["type"] for part in task] == [part["type"] for part in made] == ["text", "image_url"]
        task, made = task[0]["text"], made[0]["text"]
    assert "dot.png (18 bytes)" in task
    assert "made.png (18 bytes)" in made
