"""`codeact run` and its recordings: shown, kept, walked through again, gone on with."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from codeact import Agent, Budget, Limits
from codeact.cli.recording import new_recording
from codeact.errors import ModelError
from codeact.testing import ScriptedModel
from tests.cli.command import Ran, codeact, fenced, recorded

TOOLS = '''
from pathlib import Path


def note(text: str) -> str:
    """Append a line to notes.txt."""
    with Path("notes.txt").open("a") as notes:
        notes.write(text + "\\n")
    return text.upper()
'''


def _run(folder: Path, *replies: str, more: tuple[str, ...] = ()) -> Ran:
    (folder / "tools").mkdir(exist_ok=True)
    (folder / "tools" / "notes.py").write_text(TOOLS)
    return codeact("run", "count", "--model", recorded(folder / "replies.jsonl", *replies), *more, folder=folder)


def test_a_run_shows_code_calls_observation_and_answer_in_plain_lines(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("said = note('one')\nsaid"), fenced("final_answer(said + '!')"))
    assert ran.code == 0, ran.err
    wanted = ["== step 1", "  | said = note('one')", "  call note(text='one') → 'ONE'", "  => 'ONE'", "answer: ONE!"]
    at = [ran.out.find(line) for line in wanted]
    assert -1 not in at, ran.out
    assert at == sorted(at)
    assert "\x1b" not in ran.out


def test_a_run_from_a_recording_says_so_in_one_line(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("final_answer(1)"))
    assert "-- the model's replies are a recording (written by hand for a test); all else is executed now" in ran.out


def test_a_run_is_recorded_below_the_folder_it_ran_in(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("final_answer(1)"))
    (written,) = (tmp_path / ".codeact" / "runs").glob("*.jsonl")
    assert f"recorded in {written.relative_to(tmp_path)}" in ran.out


def test_runs_that_begin_in_the_same_moment_with_the_same_task_have_recordings_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len({new_recording("count") for _ in range(100)}) == 100


def test_a_run_ends_with_one_json_object_when_asked(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("final_answer({'n': 3})"), more=("--json",))
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 1
    assert (ran.json["ok"], ran.json["answer"], ran.json["ended"]) == (True, {"n": 3}, "answered")


def test_a_run_whose_budget_is_spent_has_failed_and_can_go_on(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("x = 1"), fenced("x = 2"), more=("--steps", "1"))
    assert ran.code == 1
    assert "no answer" in ran.out
    assert "codeact resume" in ran.err


def test_inputs_are_variables(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("final_answer(sum(numbers))"), more=("--input", "numbers=[1, 2, 3]"))
    assert "answer: 6" in ran.out


def test_a_recorded_run_replays_without_its_tools(tmp_path: Path) -> None:
    first = _run(tmp_path, fenced("final_answer(note('once'))"), more=("--record", "r.jsonl"))
    (tmp_path / "tools" / "notes.py").unlink()
    again = codeact("replay", "r.jsonl", "--step", folder=tmp_path)
    assert (first.code, again.code) == (0, 0), again.out + again.err
    assert "answer: ONCE" in again.out
    assert (tmp_path / "notes.txt").read_text() == "once\n"


def test_a_replay_that_does_something_else_names_the_difference(tmp_path: Path) -> None:
    _run(tmp_path, fenced("final_answer(note('once'))"), more=("--record", "r.jsonl"))
    changed = (tmp_path / "r.jsonl").read_text().replace("note('once')", "note('twice')")
    (tmp_path / "r.jsonl").write_text(changed)
    again = codeact("replay", "r.jsonl", folder=tmp_path)
    assert again.code == 1
    assert "twice" in again.err
    assert "Traceback" not in again.err


@pytest.mark.slow
def test_the_first_difference_of_two_runs_is_told_and_the_exit_code_says_that_there_is_one(tmp_path: Path) -> None:
    for name, answer in (("a", "1"), ("b", "1"), ("c", "2")):
        _run(tmp_path, fenced(f"final_answer({answer})"), more=("--record", f"{name}.jsonl"))
    same = codeact("replay", "a.jsonl", "--compare", "b.jsonl", folder=tmp_path)
    assert (same.code, same.out) == (0, "both runs did the same\n")
    other = codeact("replay", "a.jsonl", "--compare", "c.jsonl", "--json", folder=tmp_path)
    assert (other.code, other.json["ok"]) == (1, False)
    assert other.json["difference"].startswith("step 1: the reply: its text is")
    gone = codeact("replay", "a.jsonl", "--compare", "none.jsonl", folder=tmp_path)
    assert (gone.code, "none.jsonl" in gone.err, "Traceback" in gone.err) == (2, True, False)


@pytest.mark.slow
def test_several_models_are_asked_in_order_and_a_recording_names_them(tmp_path: Path) -> None:
    model = recorded(tmp_path / "replies.jsonl", fenced("x = 1"), fenced("final_answer(7)"))
    options = ("--model", "openai/no-such", "--model", model, "--record", "r.jsonl", "--steps", "1")
    nobody_there = {"OPENAI_API_KEY": "none", "OPENAI_API_BASE": "http://127.0.0.1:9"}
    ran = codeact("run", "go", *options, folder=tmp_path, **nobody_there)
    assert "no answer" in ran.out, ran.err
    assert f"codeact resume r.jsonl --model openai/no-such --model {model}" in ran.err
    header = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])
    assert header["model"] == "openai/no-such, else recorded:replies.jsonl"


def test_a_run_goes_on_without_repeating_what_it_did(tmp_path: Path) -> None:
    _run(tmp_path, fenced("kept = note('first')"), more=("--record", "r.jsonl", "--steps", "1"))
    model = recorded(tmp_path / "rest.jsonl", fenced("final_answer(kept + note('second'))"))
    ran = codeact("resume", "r.jsonl", "--model", model, folder=tmp_path)
    assert ran.code == 0, ran.out + ran.err
    assert "answer: FIRSTSECOND" in ran.out
    assert (tmp_path / "notes.txt").read_text() == "first\nsecond\n"


def test_a_run_whose_replies_are_a_recording_goes_on_behind_those_it_has_had(tmp_path: Path) -> None:
    replies = fenced("kept = note('first')"), fenced("final_answer(kept + note('second'))")
    _run(tmp_path, *replies, more=("--record", "r.jsonl", "--steps", "1"))
    ran = codeact("resume", "r.jsonl", "--model", "recorded:replies.jsonl", folder=tmp_path)
    assert "answer: FIRSTSECOND" in ran.out, ran.out + ran.err
    assert (tmp_path / "notes.txt").read_text() == "first\nsecond\n"


def _begun(folder: Path, *replies: str, **bounds: Any) -> None:
    """A run of a program that came to no end, for its model had no more replies."""
    with pytest.raises(ModelError):
        Agent(ScriptedModel(replies), **bounds).run("go", record=folder / "r.jsonl")


def test_a_run_goes_on_with_the_budget_and_the_limits_it_began_with(tmp_path: Path) -> None:
    replies = [fenced(f"print('x' * 200, {number})") for number in range(13)]
    _begun(tmp_path, *replies, budget=Budget(steps=14), limits=Limits(output_chars=100))
    model = recorded(tmp_path / "rest.jsonl", *replies, fenced("len('it goes on')"), fenced("final_answer(2)"))
    ran = codeact("resume", "r.jsonl", "--model", model, folder=tmp_path)
    assert "no answer: all 14 steps of the budget are used" in ran.out, ran.out + ran.err
    more = codeact("resume", "r.jsonl", "--model", model, "--steps", "15", folder=tmp_path)
    assert "answer: 2" in more.out, more.out + more.err


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("kept")
    ran = _run(tmp_path, fenced("final_answer(1)"), more=("--record", "r.jsonl"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "codeact: --record r.jsonl: this is there already; name another file for this recording\n"
    assert (tmp_path / "r.jsonl").read_text() == "kept"


def test_a_file_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("not a recording\n")
    for command in ("replay", "resume"):
        ran = codeact(command, "r.jsonl", folder=tmp_path)
        assert ran.code == 1
        assert "r.jsonl" in ran.err
        assert "Traceback" not in ran.err


def test_a_broken_skill_is_named_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "skills" / "torn").mkdir(parents=True)
    (tmp_path / "skills" / "torn" / "SKILL.md").write_text("---\nname: torn\n")
    ran = _run(tmp_path, fenced("final_answer(1)"))
    assert ran.code == 0, ran.err
    assert "torn" in ran.err


def test_a_figure_is_saved_beside_the_recording_and_its_place_named(tmp_path: Path) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('line.png')\nfinal_answer(1)"
    ran = _run(tmp_path, fenced(code), more=("--import", "matplotlib", "--record", "r.jsonl"))
    assert "picture saved: r/line.png" in ran.out, ran.out
    assert (tmp_path / "r" / "line.png").read_bytes().startswith(b"\x89PNG")


def test_pictures_and_the_way_to_go_on_are_there_where_a_tool_changed_the_folder(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    go = "import os\n\n\ndef go(folder: str) -> None:\n    'Changes the current folder.'\n    os.chdir(folder)\n"
    (tmp_path / "go.py").write_text(go)
    code = "go('elsewhere')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('line.png')"
    more = ("--import", "matplotlib", "--tools", "go.py", "--record", "r.jsonl", "--steps", "1")
    ran = _run(tmp_path, fenced(code), more=more)
    assert "picture saved: r/line.png" in ran.out, ran.out
    assert (tmp_path / "r" / "line.png").is_file()
    assert "codeact resume r.jsonl" in ran.err, ran.err


def test_the_recording_of_a_run_is_json_lines(tmp_path: Path) -> None:
    _run(tmp_path, fenced("final_answer(1)"), more=("--record", "r.jsonl"))
    kinds = [json.loads(line)["kind"] for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert kinds[0] == "header"
    assert "answer" in kinds


def test_a_run_can_do_without_a_wall_that_is_named(tmp_path: Path) -> None:
    assert _run(tmp_path, fenced("final_answer(1)"), more=("--without", "landlock")).code == 0


def test_a_wall_that_does_not_exist_is_wrong_usage(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("final_answer(1)"), more=("--without", "moat"))
    assert ran.code == 2, ran.err
    assert "moat" in ran.err


def test_after_a_model_error_the_printed_command_goes_on(tmp_path: Path) -> None:
    ran = _run(tmp_path, fenced("kept = note('one')"), more=("--tools", "tools", "--record", "r.jsonl"))
    assert ran.code == 1
    (command,) = [line.split("codeact ")[1] for line in ran.err.splitlines() if "codeact resume" in line]
    (tmp_path / "tools").rename(tmp_path / "elsewhere")
    recorded(tmp_path / "replies.jsonl", fenced("kept = note('one')"), fenced("final_answer(note(kept))"))
    resumed = codeact(*shlex.split(command.replace("--tools tools", "--tools elsewhere")), folder=tmp_path)
    assert (resumed.code, "answer: ONE" in resumed.out) == (0, True), resumed.err


FIGURE = """\
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.plot([1, 2, {end}])
figure.savefig("line.png")"""


def _draw(folder: Path, *more: str) -> Ran:
    replies = [*(fenced(FIGURE.format(end=end)) for end in range(3)), fenced("final_answer(1)")]
    model = recorded(folder / "replies.jsonl", *replies)
    return codeact("run", "draw", "--model", model, "--import", "matplotlib", *more, folder=folder)


def test_pictures_take_names_that_are_free_and_touch_no_file_that_is_there(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "line.png").write_bytes(b"mine")
    ran = _draw(tmp_path, "--pictures", "pictures", "--record", "r.jsonl")
    names = ["line-step-1.png", "line-step-2.png", "line-step-3.png", "line.png"]
    assert [path.name for path in sorted(pictures.iterdir())] == names, ran.out
    assert (pictures / "line.png").read_bytes() == b"mine"
    assert all(f"picture saved: pictures/{name}" in ran.out for name in names[:3])
    assert codeact("replay", "r.jsonl", "--pictures", "pictures", folder=tmp_path).code == 0
    assert len(list(pictures.iterdir())) == 4  # the same picture is not saved again


def test_where_pictures_cannot_be_saved_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    ran = _draw(tmp_path, "--pictures", "file/below", "--record", "r.jsonl")
    assert ran.code == 0, ran.err
    assert "picture line.png is not saved: file/below: Not a directory; name another folder with --pictures" in ran.out


def test_a_recording_without_an_ending_has_its_pictures_beside_it(tmp_path: Path) -> None:
    ran = _draw(tmp_path, "--record", "run")
    assert "picture saved: run-pictures/line.png" in ran.out, ran.out + ran.err


@pytest.mark.parametrize("arguments", [["replay", "."], ["replay", ""], ["run", "count x", "--record", "."]])
def test_what_is_no_recording_is_named_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    model = recorded(tmp_path / "replies.jsonl", fenced("final_answer(1)"))
    ran = codeact(*arguments, folder=tmp_path, CODEACT_MODEL=model)
    assert ran.code != 0
    assert "Traceback" not in ran.err
    assert ran.err.startswith("codeact: ")
    assert len(ran.err.splitlines()) == 1


def test_the_page_of_a_run_is_not_written_over_its_recording(tmp_path: Path) -> None:
    _run(tmp_path, fenced("final_answer(1)"), more=("--record", "r.jsonl"))
    (tmp_path / "same").symlink_to("r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    for name in ("r.jsonl", "./r.jsonl", "same"):
        ran = codeact("replay", "r.jsonl", "--html", name, folder=tmp_path)
        assert (ran.code, "is no page of a run" in ran.err) == (2, True)
    assert (tmp_path / "r.jsonl").read_bytes() == before


def test_the_json_object_of_a_run_without_a_reply_says_how_to_go_on(tmp_path: Path) -> None:
    model = recorded(tmp_path / "replies.jsonl", fenced("x = 1"))
    ran = codeact("run", "go on", "--model", model, "--record", "r.jsonl", "--json", folder=tmp_path)
    (note,) = ran.json["error"]["notes"]
    assert ran.json["ok"] is False
    assert note in ran.err.splitlines()
    assert note.startswith("What was done so far is saved. To go on:  codeact resume r.jsonl")
