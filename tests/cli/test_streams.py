"""What the shell may do to the streams: close them, send them to a full disk, ask for another encoding."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.cli.command import clean_environment, fenced, recorded


def _shell(folder: Path, arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = f"'{sys.executable}' -m codeact {arguments}"
    environment = clean_environment() | environment
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, check=False
    )  # redirections are what is tested


@pytest.fixture
def run(tmp_path: Path) -> str:
    return f"run xy --model {recorded(tmp_path / 'r.jsonl', fenced('final_answer(1)'))} --record run.jsonl"


def test_a_run_goes_on_without_a_stdout(tmp_path: Path, run: str) -> None:
    ran = _shell(tmp_path, f"{run} >&-")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b'"answered"' in (tmp_path / "run.jsonl").read_bytes()


def test_a_run_goes_on_without_a_stderr(tmp_path: Path, run: str) -> None:
    ran = _shell(tmp_path, f"{run} --json 2>&-")
    assert (ran.returncode, ran.stdout.count(b"\n")) == (0, 1)


@pytest.mark.parametrize("arguments", ["--help", "exec s.py", "exec s.py --json", "skills --help"])
def test_a_full_disk_under_stdout_is_said_in_one_line(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "s.py").write_text("1")
    ran = _shell(tmp_path, f"{arguments} > /dev/full")
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert ran.stderr.splitlines()[-1] == b"codeact: the output: No space left on device"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_encoding_has_no_sign_for_is_written_as_its_number(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "s.py").write_text("print('\N{RIGHTWARDS ARROW} e')", "utf-8")
    ran = _shell(tmp_path, "exec s.py", PYTHONIOENCODING=encoding)
    assert (ran.returncode, b"\\u2192 e" in ran.stdout) == (0, True), ran.stderr


@pytest.mark.parametrize(
    "name", ["cafe \N{COMBINING ACUTE ACCENT}'s.jsonl".encode(), b"caf\xe9.jsonl", b"two\nlines.jsonl"]
)
def test_the_command_to_go_on_can_be_typed_whatever_the_name_and_the_encoding(tmp_path: Path, name: bytes) -> None:
    model = recorded(tmp_path / "r.jsonl", fenced("1"))
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("there is no bash here, and the shell there is may not know such quotes")
    (tmp_path / "name").write_bytes(name)
    ran = _shell(tmp_path, f'run xy --model {model} --steps 1 --record "$(cat name)"', PYTHONIOENCODING="ascii")
    said = ran.stderr.split(b"To go on:  codeact resume ")[1].split(b" --model")[0]
    assert said.isascii()
    typed = subprocess.run([shell, "-c", b"test -f " + said], cwd=tmp_path, check=False)
    assert typed.returncode == 0, said


@pytest.mark.parametrize("command", ["init", "replay r.jsonl --html", "skills export --skills skills"])
def test_the_name_of_what_was_made_tells_a_terminal_nothing(tmp_path: Path, command: str) -> None:
    recorded(tmp_path / "r.jsonl", fenced("1"))
    (tmp_path / "skills").mkdir()
    (tmp_path / "name").write_bytes(b"caf\xe9\x1b[2J")
    ran = _shell(tmp_path, f'{command} "$(cat name)"')
    assert (ran.returncode, b"\x1b" in ran.stdout, "caf\N{REPLACEMENT CHARACTER}".encode() in ran.stdout) == (
        0,
        False,
        True,
    )


def test_json_is_json_whatever_the_encoding_of_the_stream(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("'\N{RIGHTWARDS ARROW} é'", "utf-8")
    ran = _shell(tmp_path, "exec s.py --json", PYTHONIOENCODING="ascii")
    assert json.loads(ran.stdout)["value"] == "\N{RIGHTWARDS ARROW} é"


def test_words_and_names_are_read_as_utf_8_where_the_locale_has_no_signs_for_them(tmp_path: Path) -> None:
    folder = tmp_path / "Äpfel"
    folder.mkdir()
    (folder / "größen.csv").write_text("1,2", "utf-8")
    (folder / "tools.py").write_text("def size(text: str) -> int:\n    'Its length.'\n    return len(text)\n", "utf-8")
    model = recorded(tmp_path / "r.jsonl", fenced("final_answer([open('größen.csv').read(), price, size(price)])"))
    named = "--file Äpfel/größen.csv --tools Äpfel/tools.py --input 'price=\"5 €\"'"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = _shell(tmp_path, f"run 'Wie groß?' --json --model {model} {named}", **ascii_only)
    assert ran.returncode == 0, ran.stderr
    seen = json.loads(ran.stdout)
    assert (seen["task"], seen["answer"]) == ("Wie groß?", ["1,2", "5 €", 3])


def test_a_snippet_from_a_closed_stdin_is_an_empty_one(tmp_path: Path) -> None:
    ran = _shell(tmp_path, "exec - <&-")
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_ctrl_c_while_the_command_is_imported_ends_it_at_once_and_in_silence() -> None:
    class_ = (
        "class Interrupts:\n    def find_spec(self, name, path, target=None):\n        if name == 'codeact.cli.app':"
    )
    program = f"import os, sys\n{class_}\n            os.kill(os.getpid(), 2)\nsys.meta_path.insert(0, Interrupts())\n"
    program += "from codeact.cli import main\nmain()"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, b"")


@pytest.mark.parametrize("arguments", ["replay large.jsonl", "run xy --model recorded:large.jsonl"])
def test_what_does_not_fit_the_memory_is_said_in_one_line(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "large.jsonl").write_text('{"kind": "header"')
    os.truncate(tmp_path / "large.jsonl", 1 << 31)
    program = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
    command = [sys.executable, "-c", f"{program}from codeact.cli import main\nmain()", *arguments.split()]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    said = b"codeact: the memory of this machine, or what is allowed of it, is used up\n"
    assert (ran.returncode, ran.stderr) == (1, said)


def test_ctrl_c_after_the_command_ends_it_in_silence(tmp_path: Path) -> None:
    program = "import atexit, os\natexit.register(os.kill, os.getpid(), 2)\nfrom codeact.cli import main\nmain()"
    (tmp_path / "s.py").write_text("1")
    command = [sys.executable, "-c", program, "exec", "s.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (ran.returncode, b"=> 1" in ran.stdout, ran.stderr) == (-signal.SIGINT, True, b"")


def test_ctrl_c_again_while_the_first_is_told_ends_it_in_silence(tmp_path: Path) -> None:
    program = "import io, os, sys\nclass Stderr(io.TextIOWrapper):\n    def write(self, text):\n        "
    program += "os.kill(os.getpid(), 2)\n        return super().write(text)\nsys.stderr = Stderr(sys.stderr.buffer)\n"
    program += "from codeact.cli import main\nmain()"
    (tmp_path / "s.py").write_text("1")
    (tmp_path / "tools.py").write_text("import os\nos.kill(os.getpid(), 2)\n")
    command = [sys.executable, "-c", program, "exec", "s.py", "--tools", "tools.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, b"")


@pytest.mark.parametrize("stdout", ["> /dev/full", "| true"])
def test_an_error_that_cannot_be_written_as_json_is_still_said_in_one_line(tmp_path: Path, stdout: str) -> None:
    ran = _shell(tmp_path, f"replay missing --json {stdout}")
    assert ran.stderr == b"codeact: missing: there is no such recording\n"


@pytest.mark.parametrize("stderr", ["full", "a pipe nobody reads"])
def test_the_json_object_is_there_though_nobody_can_be_told_of_the_run(tmp_path: Path, run: str, stderr: str) -> None:
    for command, said in (("replay missing", "no such recording"), (run, "the output: ")):
        words = [sys.executable, "-m", "codeact", *shlex.split(command), "--json"]
        with _broken(stderr) as stream:
            ran = subprocess.run(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=stream, check=False)
        assert said in json.loads(ran.stdout)["error"]["message"]


def _broken(stream: str) -> IO[bytes]:
    if stream == "full":
        return open("/dev/full", "wb")
    read, write = os.pipe()
    os.close(read)
    return open(write, "wb")
