"""Tools from files and folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeact.errors import ToolError, UsageError
from codeact.loading import load_tools, place_of


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _names(*paths: Path) -> list[str]:
    return [function.__name__ for function in load_tools(paths)]


def test_a_folder_that_may_not_be_read_is_named_and_not_taken_for_an_empty_one(tmp_path, monkeypatch) -> None:
    _write(tmp_path / "shut" / "t.py", "def a(): ...\n").parent.chmod(0)
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    root = os.geteuid() == 0
    try:
        os.seteuid(65534 if root else os.geteuid())  # root may read everything
        for path in ("shut", "shut/t.py"):
            with pytest.raises(ToolError, match=r"shut.*: cannot be read: Permission denied"):
                load_tools([path])
    finally:
        os.seteuid(0 if root else os.geteuid())
        (tmp_path / "shut").chmod(0o755)


def test_each_public_function_of_a_file_is_a_tool(tmp_path: Path) -> None:
    file = _write(
        tmp_path / "t.py",
        "from math import sqrt\nfrom os.path import join\ndef b(): ...\ndef a(): ...\ndef _c(): ...\nclass D: ...\n",
    )
    assert _names(file) == ["b", "a"]


def test_a_lambda_helps_the_tools_of_a_file_and_is_none(tmp_path: Path) -> None:
    assert _names(_write(tmp_path / "t.py", "trim = lambda text: text.strip()\ndef a(): ...\n")) == ["a"]
    with pytest.raises(ToolError, match="holds no tool: a tool is a public function written in the file itself"):
        load_tools([_write(tmp_path / "u.py", "trim = lambda text: text.strip()\n")])


def test_a_file_that_lists_its_public_names_offers_those_only(tmp_path: Path) -> None:
    assert _names(_write(tmp_path / "t.py", "__all__ = ['a']\ndef a(): ...\ndef b(): ...\n")) == ["a"]


def test_a_folder_offers_all_its_files_except_private_ones(tmp_path: Path) -> None:
    _write(tmp_path / "b.py", "def two(): ...\n")
    _write(tmp_path / "a.py", "def one(): ...\n")
    _write(tmp_path / "_hidden.py", "def three(): ...\n")
    _write(tmp_path / "notes.txt", "not Python")
    assert _names(tmp_path) == ["one", "two"]


def test_a_tools_file_may_import_its_neighbour(tmp_path: Path) -> None:
    _write(tmp_path / "_rates_of_loading_test.py", "RATE = 2\n")
    file = _write(tmp_path / "t.py", "from _rates_of_loading_test import RATE\ndef rate(): return RATE\n")
    assert load_tools([file])[0]() == 2


def test_a_tool_may_import_its_neighbour_when_it_is_called_and_nothing_is_shadowed_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    _write(tmp_path / "_late_of_loading_test.py", "RATE = 2\n")
    _write(tmp_path / "colorsys.py", "raise ValueError('shadowed')\n")
    code = "def rate():\n    import colorsys, _late_of_loading_test as late\n    return late.RATE\n"
    (tool,) = load_tools([_write(tmp_path / "t.py", code)])
    assert tool() == 2


def test_two_files_of_one_name_do_not_meet(tmp_path: Path) -> None:
    _write(tmp_path / "x" / "t.py", "KEPT = 1\ndef x(): return KEPT\n")
    _write(tmp_path / "y" / "t.py", "KEPT = 2\ndef y(): return KEPT\n")
    assert [tool() for tool in load_tools([tmp_path / "x", tmp_path / "y"])] == [1, 2]


def test_dataclasses_with_postponed_annotations_work_in_a_tools_file(tmp_path: Path) -> None:
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    x: int\ndef p() -> P: return P(1)\n"
    )
    assert load_tools([_write(tmp_path / "t.py", text)])[0]().x == 1


def test_two_tools_of_one_name_are_refused_and_both_places_named(tmp_path: Path) -> None:
    _write(tmp_path / "a.py", "def same(): ...\n")
    _write(tmp_path / "b.py", "\ndef same(): ...\n")
    with pytest.raises(ToolError, match=r"two tools are named 'same': .*a\.py:1 and .*b\.py:2"):
        load_tools([tmp_path])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1\ndef broken(:\n    pass\n", r"t\.py:2: "),
        ("x = 1\ny = 1 / 0\n", r"t\.py:2: ZeroDivisionError: division by zero"),
        ("import no_such_module_anywhere\n", r"t\.py:1: ModuleNotFoundError: No module named"),
        ("raise SystemExit('bye')\n", r"t\.py:1: SystemExit: bye"),
        ("def f():\n    return 1\nx = f() + None\n", r"t\.py:3: TypeError"),
    ],
)
def test_a_file_that_does_not_run_is_named_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ToolError, match=complaint):
        load_tools([_write(tmp_path / "t.py", text)])


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "t.py"
    file.write_bytes(b"\x00\xff\xfe")
    with pytest.raises(ToolError, match=r"t\.py"):
        load_tools([file])


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_named_like_a_file_and_is_none_is_named_and_not_waited_for(tmp_path: Path, make) -> None:
    make(tmp_path / "odd.py")
    with pytest.raises(ToolError, match=r"odd\.py: this is not a file of Python"):
        load_tools([tmp_path])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"gone\.py: there is no such file or folder"):
        load_tools([tmp_path / "gone.py"])


def test_a_file_that_is_no_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"notes\.txt: tools are loaded from a \.py file"):
        load_tools([_write(tmp_path / "notes.txt", "def f(): ...\n")])


def test_the_place_of_a_tool_is_where_it_is_written(tmp_path: Path) -> None:
    tool = load_tools([_write(tmp_path / "t.py", "\n\ndef f(): ...\n")])[0]
    assert place_of(tool).endswith("t.py:3")


def test_a_file_that_is_named_twice_is_loaded_once(tmp_path: Path) -> None:
    file = _write(tmp_path / "tools" / "one.py", "def a(): ...\n")
    (tmp_path / "link").symlink_to(tmp_path / "tools")
    assert _names(tmp_path / "tools", file, tmp_path / "link", tmp_path / "tools" / ".." / "tools") == ["a"]


def test_a_tool_that_has_a_second_name_is_there_once(tmp_path: Path) -> None:
    assert _names(_write(tmp_path / "t.py", "def f(): ...\ng = f\n")) == ["f"]


def test_a_list_of_public_names_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"t\.py: __all__ is 5: a list of names is needed"):
        load_tools([_write(tmp_path / "t.py", "__all__ = 5\ndef f(): ...\n")])
    with pytest.raises(ToolError, match=r"t\.py: __all__ names 'g', and there is no such name in the file"):
        load_tools([_write(tmp_path / "t.py", "__all__ = ['f', 'g']\ndef f(): ...\n")])


@pytest.mark.parametrize(
    "text",
    ["", "RATE = 2\n", "from os.path import join\n", "def _c(): ...\n"],
    ids=["empty", "names", "imported", "private"],
)
def test_a_file_that_is_named_and_holds_no_tool_is_refused_and_in_a_folder_is_not(text: str, tmp_path: Path) -> None:
    file = _write(tmp_path / "t.py", text)
    with pytest.raises(ToolError, match=r"t\.py: holds no tool: a tool is a public function"):
        load_tools([file])
    assert load_tools([tmp_path]) == []


@pytest.mark.parametrize("paths", ["tools", Path("tools"), None, 5])
def test_what_is_no_list_of_paths_is_named(paths):
    with pytest.raises(ToolError, match=r"load_tools\(.*a list of files and folders is needed, such as \['tools'\]"):
        load_tools(paths)


def test_what_is_no_path_is_named():
    with pytest.raises(UsageError, match=r"load_tools\(\[5\]\)"):
        load_tools([5])


def test_where_python_leaves_docstrings_out_that_is_said_of_a_tool_without_one(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text('def one() -> int:\n    """Gives one."""\n    return 1\n')
    program = (
        "from codeact.loading import load_tools\nfrom codeact.toolbox import Toolbox\nToolbox(load_tools(['t.py']))"
    )
    for optimized, told in (("-O", ""), ("-OO", "Run Python without -OO, which leaves docstrings out")):
        command = [sys.executable, optimized, "-c", program]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (ran.returncode == 0, told in ran.stderr) == (not told, True)
