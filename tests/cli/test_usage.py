"""What the command line says before anything runs: help, wrong words, wrong files."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from codeact import Budget, Limits
from codeact.cli.app import COMMANDS, cli
from codeact.cli.examples import EXAMPLES
from codeact.cli.options import read_text
from codeact.cli.skills import skills
from codeact.errors import UsageError
from tests.cli.command import codeact, fenced, recorded

pytestmark = pytest.mark.slow


def test_help_names_every_command(tmp_path: Path) -> None:
    ran = codeact("--help", folder=tmp_path)
    assert ran.code == 0
    assert all(f"  {name} " in ran.out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_of_its_own(tmp_path: Path, command: str) -> None:
    ran = codeact(command, "--help", folder=tmp_path)
    assert ran.code == 0, ran.err
    assert "Usage: codeact " + command in ran.out


def test_each_command_ends_its_help_with_examples_that_it_takes() -> None:
    context = click.Context(cli)
    top = {name: cli.get_command(context, name) for name in COMMANDS}
    inner = {f"skills {name}": skills.get_command(context, name) for name in skills.list_commands(context)}
    commands = {path: command for path, command in (top | inner).items() if command}
    assert commands.keys() == EXAMPLES.keys()
    for path, command in commands.items():
        words = command.get_help(click.Context(command)).partition("For example:\n")[2].splitlines()
        assert [line.strip() for line in words] == list(EXAMPLES[path])
        for line in EXAMPLES[path]:
            start = ["codeact", *path.split()]
            assert shlex.split(line)[: len(start)] == start
            command.make_context(path, shlex.split(line)[len(start) :])


@pytest.mark.parametrize(
    ("words", "begun", "completed"),
    [
        ((), "sk", {("plain", "skills")}),
        (("skills",), "exp", {("plain", "export")}),
        (("exec",), "sni", {("file", "sni")}),
        (("exec", "a.py", "--tools"), "to", {("file", "to")}),
        (("skills", "export"), "b", {("file", "b")}),
        (("run", "the task"), "--pic", {("plain", "--pictures")}),
    ],
)
def test_a_shell_completes_commands_options_and_files(words: tuple[str, ...], begun: str, completed: set[str]) -> None:
    asked = ShellComplete(cli, {}, "codeact", "_CODEACT_COMPLETE")
    assert {(found.type, found.value) for found in asked.get_completions(list(words), begun)} == completed


def test_help_says_what_a_run_may_use_where_nobody_says(tmp_path: Path) -> None:
    told = " ".join(codeact("run", "--help", folder=tmp_path).out.split())
    assert f"Steps the run may take. Default: {Budget().steps}." in told
    assert f"Operations one step may use. Default: {Limits().operations:,}." in told
    assert f"Dollars the run may cost. Default: {Budget().cost_usd:g}." in told


@pytest.mark.parametrize("command", ["run", "exec", "resume"])
def test_help_says_which_options_may_be_given_again(command: str) -> None:
    several = [option for option in cli.get_command(click.Context(cli), command).params if option.multiple]
    assert len(several) >= 3
    assert all("iven again" in option.help for option in several)


def test_only_the_help_of_a_resume_speaks_of_what_was_recorded(tmp_path: Path) -> None:
    told = " ".join(codeact("resume", "--help", folder=tmp_path).out.split())
    assert "Steps the run may take. Default: that of the run." in told
    assert "Operations one step may use. Default: that of the run." in told
    assert "Default: that of the recording, else CODEACT_MODEL." in told
    for command in ("run", "exec"):
        told = codeact(command, "--help", folder=tmp_path).out
        assert "on a resume" not in told
        assert "that of the run" not in told


def test_no_line_of_help_is_cut_off(tmp_path: Path) -> None:
    for words in ((), ("skills",)):
        assert "..." not in codeact(*words, "--help", folder=tmp_path).out.partition("Options:")[2]


def test_an_unknown_command_is_wrong_usage(tmp_path: Path) -> None:
    ran = codeact("walk", folder=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "No such command 'walk'" in ran.err


def test_wrong_usage_is_one_json_object_too_when_asked(tmp_path: Path) -> None:
    ran = codeact("exec", "gone.py", "--json", folder=tmp_path)
    assert ran.code == 2
    assert ran.json["ok"] is False
    assert "gone.py" in ran.json["error"]["message"]


TASK = "count"
MODEL_REPLY = fenced("final_answer(1)")


@pytest.mark.parametrize(
    "words",
    [
        "run Add --record", "run Add --skills", "run Add --pictures", "exec one.py --pictures", "replay r.jsonl --html",
        "skills export", "skills import", "skills list --skills", "init",
    ],
)  # fmt: skip
def test_an_empty_name_is_taken_neither_for_this_folder_nor_for_none(tmp_path: Path, words: str) -> None:
    ran = codeact(*words.split(), "", folder=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    what = {"skills export": "TARGET", "skills import": "SOURCE", "init": "FOLDER"}.get(words, words.rpartition(" ")[2])
    assert f"codeact: {what}: a file or a folder is to be named, and what was given is empty" in ran.err
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--tools", "gone.py"], "gone.py: there is no such file or folder"),
        (["--tools", "broken.py"], "broken.py:2: "),
        (["--tools", "bare.py"], "bare.py, line 1"),
        (["--tools", "builtin.py"], "builtin.py, line 1"),
        (["--tools", "one.py", "--tools", "two.py"], "two tools are named 'same'"),
        (["--file", "gone.csv"], "--file gone.csv: there is no such file"),
        (["--file", "."], "--file .: this is a folder; hand its files in one by one"),
        (["--file", ""], "--file : a file is to be named, and what was given is empty"),
        (["--input", "year"], "--input year: write name=json"),
        (["--input", "year=twenty"], "the value is not JSON"),
        (["--input", "x=" + "[" * 100_000], "the value is not JSON that can be read"),
        (["--input", "x=" + "9" * 6_000], "the value is not JSON that can be read"),
        (["--input", "class=2"], "--input class=2: write name=json with a Python name"),
        (["--input", "x=1", "--input", "x=2"], "--input x=…: is given twice"),
        (["--tools", ""], "--tools: a file or a folder is to be named"),
        (["--tools", "no-tools"], "--tools no-tools: no tool: one is a public function in a .py file right there"),
        (["--operations", "-1"], "Invalid value for '--operations': -1 is not in the range"),
        (["--cost-usd", "-1"], "Invalid value for '--cost-usd': -1.0 is not in the range"),
        (["--import", "not a module"], "is not a module's name"),
        (["--import", "csv,json"], "--import csv,json: this is not a module's name; give --import for each module"),
        (["--skills", "gone"], "gone"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_runs(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    (tmp_path / "no-tools" / "below").mkdir(parents=True)
    (tmp_path / "broken.py").write_text("x = 1\ndef f(:\n")
    (tmp_path / "bare.py").write_text('def f(x):\n    """Doubles."""\n    return x * 2\n')
    (tmp_path / "builtin.py").write_text('def sum(x: int) -> int:\n    """Adds."""\n    return x\n')
    (tmp_path / "one.py").write_text('def same(x: int) -> int:\n    """One."""\n    return 1\n')
    (tmp_path / "two.py").write_text('def same(x: int) -> int:\n    """Two."""\n    return 2\n')
    model = recorded(tmp_path / "replies.jsonl", MODEL_REPLY)
    ran = codeact("run", TASK, "--model", model, *arguments, folder=tmp_path)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert complaint in ran.err


@pytest.mark.parametrize(
    ("task", "complaint"),
    [
        ("@gone.md", "gone.md: there is no such file; the task is a file's text"),
        ("@picture.md", "picture.md: the task is not UTF-8 text"),
        ("@null.md", "holds a null byte"),
        ("@empty.md", "the task is empty"),
        ("null.md", "null.md is a file; to run the task in it write @null.md"),
        ("", "the task is empty"),
    ],
)
def test_a_task_that_is_no_text_is_refused(tmp_path: Path, task: str, complaint: str) -> None:
    (tmp_path / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\xff")
    (tmp_path / "null.md").write_bytes(b"a\x00b")
    (tmp_path / "empty.md").write_bytes(b" \n")
    ran = codeact("run", task, "--model", recorded(tmp_path / "r.jsonl", MODEL_REPLY), folder=tmp_path)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert complaint in ran.err


def test_a_task_of_one_long_word_is_no_file(tmp_path: Path) -> None:
    ran = codeact(
        "run",
        "\N{CJK UNIFIED IDEOGRAPH-6570}" * 200,
        "--model",
        recorded(tmp_path / "r.jsonl", MODEL_REPLY),
        folder=tmp_path,
    )
    assert (ran.code, "answer: 1" in ran.out) == (0, True), ran.err


@pytest.mark.parametrize("seconds", ["inf", "1e10"])
def test_a_run_may_be_given_all_the_time_there_is(tmp_path: Path, seconds: str) -> None:
    model = recorded(tmp_path / "r.jsonl", MODEL_REPLY)
    ran = codeact("run", TASK, "--model", model, "--run-seconds", seconds, folder=tmp_path)
    assert (ran.code, "Error" in ran.err) == (0, False), ran.err


@pytest.mark.parametrize("named", [[], ["--model", ""], ["--model", " ", "--model", "a/b"]])
def test_without_a_model_the_command_says_how_to_name_one(tmp_path: Path, named: list[str]) -> None:
    ran = codeact("run", TASK, *named, folder=tmp_path)
    assert ran.code == 2
    assert "--model" in ran.err
    assert "CODEACT_MODEL" in ran.err


def test_an_empty_name_of_a_snippet_is_wrong_usage(tmp_path: Path) -> None:
    ran = codeact("exec", "", folder=tmp_path)
    assert (ran.code, "the snippet is to be a file's name" in ran.err) == (2, True)


def test_a_model_nobody_knows_is_wrong_usage(tmp_path: Path) -> None:
    ran = codeact("run", TASK, "--model", "no-such-provider/no-such-model", folder=tmp_path)
    assert ran.code == 2, ran.err
    assert "no-such-provider/no-such-model" in ran.err
    assert "Traceback" not in ran.err


def test_an_error_in_a_pipe_is_one_line(tmp_path: Path) -> None:
    ran = codeact("run", "@gone.md", folder=tmp_path)
    assert len(ran.err.splitlines()) == 1


def test_json_numbers_that_json_cannot_hold_become_text(tmp_path: Path) -> None:
    from codeact.cli.endings import plain

    assert json.dumps(plain({"big": 2**70, "inf": float("inf"), "set": {1}})) == (
        '{"big": "1180591620717411303424", "inf": "inf", "set": [1]}'
    )


@pytest.mark.parametrize("home", ["/proc/nobody", "~nobody-of-that-name"])
def test_where_no_recording_can_be_written_the_option_that_helps_is_named(tmp_path: Path, home: str) -> None:
    (tmp_path / ".codeact").write_text("mine")
    model = recorded(tmp_path / "r.jsonl", MODEL_REPLY)
    ran = codeact("run", TASK, "--model", model, folder=tmp_path, XDG_STATE_HOME=home)
    assert (ran.code, "name a file with --record" in ran.err, len(ran.err.splitlines())) == (2, True, 1)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"\xff\xfe\x00", "not UTF-8 text"), (b"do\x00this", "holds a null byte")],
)
def test_a_task_file_that_is_not_text_is_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    file = tmp_path / "task.md"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=complaint):
        read_text(str(file), "task")


def test_a_task_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "task.md"
    file.write_bytes(b"\xef\xbb\xbfcount")
    assert read_text(str(file), "task") == "count"


@pytest.mark.parametrize(("arguments", "what"), [("exec /dev/zero", "snippet"), ("run @/dev/zero", "task")])
def test_a_text_without_an_end_is_not_read_to_it(tmp_path: Path, arguments: str, what: str) -> None:
    ran = codeact(*arguments.split(), folder=tmp_path)
    said = f"codeact: /dev/zero: the {what} is larger than 64 MiB; hand large data in with --file\n"
    assert (ran.code, ran.err) == (2, said)


@pytest.mark.parametrize("said", [["--yes", "--no"], ["--no", "--change", "{}"]])
def test_two_decisions_about_one_call_are_none(tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "r.jsonl").touch()
    ran = codeact("resume", "r.jsonl", *said, folder=tmp_path)
    told = f"codeact: {' and '.join(said[:2])}: these are two decisions about one call; give one\n"
    assert (ran.code, ran.err) == (2, told)
