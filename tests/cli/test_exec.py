"""`codeact exec`: one snippet, no model."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact import Agent, SkillLibrary
from codeact.testing import ScriptedModel
from tests.cli.command import codeact, fenced

TOOL = 'def double(number: int) -> int:\n    """Twice a number."""\n    return 2 * number\n'


def test_a_snippet_shows_what_it_printed_and_its_last_value(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("print('counting')\nsum(range(5))\n")
    ran = codeact("exec", "s.py", folder=tmp_path)
    assert ran.code == 0, ran.err
    assert "  out  counting\n  => 10\n" in ran.out


def test_a_failure_is_shown_with_its_line_and_ends_with_1(tmp_path: Path) -> None:
    ran = codeact("exec", "-", folder=tmp_path, stdin=b"x = 1\nx / 0\n")
    assert ran.code == 1
    assert "line 2: ZeroDivisionError" in ran.out


def test_the_tools_of_the_folder_are_picked_up(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "mine.py").write_text(TOOL)
    ran = codeact("exec", "-", folder=tmp_path, stdin=b"double(21)")
    assert ran.code == 0, ran.err
    assert "  call double(number=21) → 42" in ran.out


def test_of_many_calls_in_a_step_the_first_and_the_failed_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "mine.py").write_text(
        TOOL + "\n\ndef fail() -> int:\n    'Fails.'\n    raise ValueError('no')\n"
    )
    source = b"for n in range(8): double(n)\ntry: fail()\nexcept ValueError: pass"
    ran = codeact("exec", "-", folder=tmp_path, stdin=source)
    assert ran.code == 0, ran.err
    shown = [line.split(" \N{RIGHTWARDS ARROW}")[0] for line in ran.out.splitlines() if line.startswith("  call ")]
    assert shown == [*(f"  call double(number={n})" for n in range(6)), "  call fail()"]
    assert "-- and 2 more calls" in ran.out
    assert "more call" not in codeact("exec", "-", folder=tmp_path, stdin=b"for n in range(6): double(n)").out


def test_where_a_tool_failed_is_shown(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        TOOL + "\n\ndef half(number: int) -> float:\n    'Half.'\n    return number / 0\n"
    )
    ran = codeact("exec", "-", "--tools", "mine.py", folder=tmp_path, stdin=b"half(3)")
    assert "-- half() raised ZeroDivisionError in mine.py, line 8\n  call half(number=3)" in ran.out


def test_files_and_inputs_are_handed_in(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("ada\nbob\n")
    arguments = ["exec", "-", "--file", "names.txt", "--input", 'prefix="hi "']
    ran = codeact(*arguments, folder=tmp_path, stdin=b"[prefix + n.strip() for n in open('names.txt')]")
    assert ran.code == 0, ran.out + ran.err
    assert "['hi ada', 'hi bob']" in ran.out


def test_code_where_a_file_is_expected_is_answered_with_what_to_write(tmp_path: Path) -> None:
    ran = codeact("exec", "1 / 0", folder=tmp_path)
    assert ran.code == 2
    assert "1 / 0: there is no such file; the snippet is a file's text, or what - reads from standard input" in ran.err


def test_a_budget_of_operations_ends_a_snippet(tmp_path: Path) -> None:
    ran = codeact("exec", "-", "--operations", "1000", folder=tmp_path, stdin=b"while True: pass")
    assert ran.code == 1
    assert "rolled back" in ran.out


def test_a_step_that_was_killed_is_not_said_to_have_cost_nothing(tmp_path: Path) -> None:
    ran = codeact("exec", "-", "--wall-seconds", "0.3", folder=tmp_path, stdin=b"while True: pass")
    assert ran.code == 1
    assert "(killed before its operations were told \N{MIDDLE DOT} 0." in ran.out


def test_an_import_is_allowed_when_it_is_named(tmp_path: Path) -> None:
    refused = codeact("exec", "-", folder=tmp_path, stdin=b"import numpy\nint(numpy.arange(4).sum())")
    allowed = codeact(
        "exec", "-", "--import", "numpy", folder=tmp_path, stdin=b"import numpy\nint(numpy.arange(4).sum())"
    )
    assert (refused.code, allowed.code) == (1, 0), allowed.out + allowed.err
    assert "=> 6" in allowed.out


def test_an_import_nobody_can_make_is_refused_with_what_comes_close(tmp_path: Path) -> None:
    ran = codeact("exec", "-", "--import", "nunpy", folder=tmp_path, stdin=b"1")
    assert ran.code == 2
    assert "--import nunpy: no module 'nunpy' is installed here (close to it: runpy, numpy)" in ran.err
    ran = codeact("run", "Add", "--import", "no_such_thing", folder=tmp_path)
    assert ran.code == 2
    assert "--import no_such_thing: no module 'no_such_thing' is installed here; correct the name" in ran.err


def test_json_is_the_last_line_and_the_only_one_on_stdout(tmp_path: Path) -> None:
    ran = codeact("exec", "-", "--json", folder=tmp_path, stdin=b"print('x')\n{'a': (1, 2)}")
    assert len(ran.out.splitlines()) == 1
    assert ran.json["ok"] is True
    assert ran.json["value"] == {"a": [1, 2]}
    assert ran.json["stdout"] == "x\n"


def test_json_is_one_line_that_tells_a_terminal_nothing_whatever_a_snippet_says(tmp_path: Path) -> None:
    said = "\x1b[2J \x85 \x9b31m \x7f \u2028 \u202e é 漢 \U000e0001"
    ran = codeact("exec", "-", "--json", folder=tmp_path, stdin=f"{said!a}".encode())
    (line,) = ran.out.splitlines()
    assert line.isprintable()
    assert "é 漢" in line
    assert ran.json["value"] == said


def test_what_c_code_imports_for_itself_is_not_taken_for_the_snippets_import(tmp_path: Path) -> None:
    code = b"from datetime import datetime\nstr(datetime.strptime('2012/01/02', '%Y/%m/%d').date())"
    ran = codeact("exec", "-", folder=tmp_path, stdin=code)
    assert ran.code == 0, ran.out
    assert "=> 2012-01-02" in ran.out or "=> '2012-01-02'" in ran.out


def test_what_a_snippet_answers_is_shown(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("final_answer({'a': 6 * 7})\nprint('never')\n")
    ran = codeact("exec", "s.py", folder=tmp_path)
    assert (ran.code, "  => {'a': 42}\n" in ran.out) == (0, True), ran.out
    assert codeact("exec", "s.py", "--json", folder=tmp_path).json["answer"] == {"a": 42}


def test_pictures_are_saved_where_that_is_asked_for(tmp_path: Path) -> None:
    draws = b"open('dot.gif', 'wb').write(b'GIF89a' + bytes(20))"
    assert codeact("exec", "-", folder=tmp_path, stdin=draws).code == 0
    assert not list(tmp_path.iterdir())
    ran = codeact("exec", "-", "--pictures", "made/here", folder=tmp_path, stdin=draws)
    assert "picture saved: made/here/dot.gif" in ran.out, ran.out + ran.err
    assert (tmp_path / "made" / "here" / "dot.gif").read_bytes() == b"GIF89a" + bytes(20)
    ran = codeact("exec", "-", "--pictures", "made/here/dot.gif", folder=tmp_path, stdin=draws)
    assert (ran.code, "name another folder with --pictures" in ran.out) == (0, True)


@pytest.mark.parametrize("done", ["retired", "edited", "damaged"])
def test_a_skill_that_may_not_be_used_is_named_where_a_snippet_speaks_of_it(tmp_path: Path, done: str) -> None:
    library = SkillLibrary(tmp_path / "skills")
    numbers = [1, 2, 3]
    run = Agent(ScriptedModel([fenced("final_answer(sum(n for n in numbers if n > 1))")]), runs=tmp_path / "runs").run(
        "Sum the numbers over 1", inputs={"numbers": numbers}
    )
    promoted = library.promote(run)
    assert promoted, promoted
    name, folder = promoted.skill.name, tmp_path / "skills" / promoted.skill.folder
    if done == "retired":
        library.retire(name, "the rates moved")
    elif done == "edited":
        (folder / "skill.py").write_text((folder / "skill.py").read_text().replace("sum(", "max("))
    else:
        (folder / "manifest.json").write_text("{")
    told = f"codeact: the skill {name} is left out: "
    assert told in codeact("exec", "-", folder=tmp_path, stdin=f"{name}([1])".encode()).err
    assert told not in codeact("exec", "-", folder=tmp_path, stdin=b"6 * 7").err
