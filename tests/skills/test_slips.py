"""A slip in what is said of a library or to it is named where it is made, and nothing is written for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codeact.agent import Agent
from codeact.errors import SkillError, UsageError
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Promoted
from codeact.skills.vectors import SkillModels
from codeact.testing import ScriptedModel

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"isolation": "docker"}, r"SkillLibrary\(isolation='docker'\): \"caged\" or \"inline\" is needed"),
        ({"models": "openai/any"}, r"SkillLibrary\(models='openai/any'\): SkillModels\(embeddings=…\) is needed"),
        ({"cap": 0}, r"SkillLibrary\(cap=0\): 1 skill or more is needed"),
        ({"cap": "9"}, r"SkillLibrary\(cap='9'\): 1 skill or more is needed"),
        ({"accept": "no"}, r"SkillLibrary\(accept='no'\): True or False is needed"),
    ],
)
def test_an_option_that_will_not_do_is_named(tmp_path: Path, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        SkillLibrary(tmp_path / "skills", **options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"embeddings": 3}, r"SkillModels\(embeddings=3\): the name of a model is needed"),
        ({"embeddings": ""}, r"SkillModels\(embeddings=''\): the name of a model is needed"),
        ({"alike": 7}, r"SkillModels\(alike=7\): a number from -1 to 1 is needed"),
        ({"alike": "0.5"}, r"SkillModels\(alike='0.5'\): a number from -1 to 1 is needed"),
        (
            {"settings": ["api_base"]},
            r"SkillModels\(settings=\['api_base'\]\): a mapping of settings by name is needed",
        ),
    ],
)
def test_what_is_no_setting_of_its_models_is_named(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        SkillModels(**options)


@pytest.mark.parametrize("reason", ["", "  ", 3, None])
def test_a_skill_is_not_retired_without_a_reason(library: SkillLibrary, reason: Any) -> None:
    with pytest.raises(UsageError, match=r": a reason is needed, in words"):
        library.retire("add_one", reason)
    assert library.get("add_one").state == "active"


def test_a_reason_is_kept_as_far_as_it_is_text(library: SkillLibrary) -> None:
    library.retire("add_one", "old \ud800")
    assert library.get("add_one").reason == "old \N{REPLACEMENT CHARACTER}"


def test_the_name_of_one_skill_is_no_list_of_names(library: SkillLibrary) -> None:
    with pytest.raises(
        UsageError, match=r"sources\('add_one'\): a list of names is needed; for one skill \['add_one'\]"
    ):
        library.sources("add_one")
    with pytest.raises(UsageError, match=r"stubs\('add_one'\): a list of names is needed"):
        library.stubs("add_one")
    with pytest.raises(UsageError, match=r"sources\(5\): a list of names is needed"):
        library.sources(5)


@pytest.mark.parametrize(
    "use",
    [{"ok": "yes"}, {"ok": True, "tokens": "x"}, {"ok": True, "operations": -5}, {"ok": None, "wall_seconds": 1e99}],
)
def test_a_use_that_cannot_be_counted_is_named_and_not_counted(library: SkillLibrary, use: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"record_use\(.*is needed"):
        library.record_use("add_one", **use)
    with pytest.raises(SkillError, match="there is no skill nope"):
        library.record_use("nope", ok=True)
    assert library.usage() == {}


@pytest.mark.parametrize("use", [SkillLibrary.get, SkillLibrary.verify, SkillLibrary.examples])
@pytest.mark.parametrize("name", ["Add_One", "add-ones"])
def test_a_skill_that_is_not_there_names_the_one_called_nearly_so(library: SkillLibrary, use: Any, name: str) -> None:
    with pytest.raises(SkillError, match=r"there is no skill .* in .*; did you mean add_one\?"):
        use(library, name)


def test_a_folder_to_trust_that_is_not_there_is_named(library: SkillLibrary, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"trust\(.*nowhere'\): there is no such folder"):
        library.trust(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"trust\('xxx.*a path is needed"):
        library.trust("x" * 300)


def test_the_files_of_a_run_are_recorded_by_what_they_hold(library: SkillLibrary, tmp_path: Path) -> None:
    place = tmp_path / "rain.csv"
    place.write_text("day,rain\n1,3\n2,4\n")
    code = "rows = open('rain.csv').read().split()\nfinal_answer(sum(int(row.split(',')[1]) for row in rows[1:]))"
    agent = Agent(ScriptedModel([f"```python\n{code}\n```"]), runs=None)
    one = agent.run("Sum the rain in rain.csv", files=[place])
    made = library.promote(one, files={"rain.csv": str(place)})
    assert isinstance(made, Promoted), made
    assert [dict(example.files) for example in library.examples(made.skill.name)] == [{"rain.csv": place.read_bytes()}]
    with pytest.raises(UsageError, match=r"promote\(files=\['rain.csv'\]\): a mapping of name to path or bytes"):
        library.promote(one, files=["rain.csv"])
    with pytest.raises(UsageError, match=r"promote\(files=\{'rain.csv': 3\}\): a mapping of name to path or bytes"):
        library.promote(one, files={"rain.csv": 3})
