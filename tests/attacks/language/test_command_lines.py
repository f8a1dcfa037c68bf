"""`argparse` and `configparser`: the one sets attributes, both open files for a snippet as it may itself."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

PARSER = "import argparse, collections\np = argparse.ArgumentParser(fromfile_prefix_chars='@')\np.add_argument('x', nargs='*')\n"
LEADING_OUT = {
    "an attribute, by the text of a help": "p.add_argument('--x', help='%(choices.__class__)s')\np.format_help()",
    "a class of a library": "p.set_defaults(zzz=5)\np.parse_args([], collections.UserDict)",
    "what a pattern asks of a class": "class C: pass\np.set_defaults(__match_args__=('__globals__',))\np.parse_args([], C)",
    "by the action itself": "class C: pass\np.add_argument('--a', dest='__match_args__')(p, C, ('__globals__',))",
    "arguments from a file elsewhere": "p.parse_args(['@/etc/passwd'])",
    "a file elsewhere": "p.add_argument('--f', type=argparse.FileType())\np.parse_args(['--f', '/etc/passwd'])",
    "a file elsewhere, by the type": "argparse.FileType()('/etc/passwd')",
}


def step() -> Step:
    return Step(check_first=False)


@pytest.mark.parametrize("source", LEADING_OUT.values(), ids=LEADING_OUT)
def test_a_parser_reaches_nothing_that_the_snippet_may_not(source):
    assert step().run(PARSER + source).failure is not None


def test_a_command_line_is_the_snippets_own_and_help_goes_to_its_output(monkeypatch, capfd):
    monkeypatch.setattr("sys.argv", ["host", "the host's"])
    running = step()
    assert running.run(PARSER + "p.parse_args().x").value == []
    assert running.run("p.print_help()").failure is None
    assert running.run("p.parse_args(['--unknown'])").failure is not None
    assert "usage: snippet" in running.printed
    assert "unrecognized arguments: --unknown" in running.printed
    assert capfd.readouterr() == ("", "")


def test_what_was_parsed_is_read_and_changed_as_a_dictionary():
    source = "n = p.parse_args(['a'])\nvars(n)['y'] = 2\nn.__dict__.update(x=['b'])\n(vars(n), n.y, {**vars(n)} == n.__dict__)"
    assert step().run(PARSER + source).value == ({"x": ["b"], "y": 2}, 2, True)
    assert step().run(PARSER + "vars(p.parse_args([]))['__array_interface__'] = 1").failure is not None


def test_command_lines_are_parsed_as_ever():
    source = """
import argparse, types
open("args.txt", "w").write("--n\\n3")
p = argparse.ArgumentParser(prog="x", fromfile_prefix_chars="@")
p.add_argument("file", type=argparse.FileType("r"))
p.add_argument("--n", type=int, default=1)
p.add_argument("--items", action="append")
p.add_argument("--deep", action=argparse.BooleanOptionalAction)
class Twice(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None): setattr(namespace, self.dest, values * 2)
p.add_argument("--twice", action=Twice)
one = p.parse_args(["args.txt", "@args.txt", "--items", "a", "--items=b", "--no-deep", "--twice", "q"])
class Own: pass
kept = [p.parse_args(["args.txt"], kind()).n for kind in (Own, types.SimpleNamespace, argparse.Namespace)]
[one.file.read(), one.n, one.items, one.deep, one.twice, kept]
"""
    assert step().run(source).value == ["--n\n3", 3, ["a", "b"], False, "qq", [1, 1, 1]]


def test_settings_are_read_from_files_of_the_working_folder_alone(tmp_path):
    (tmp_path / "settings.ini").write_text("[a]\nsecret = 1\n")
    source = f"""
import configparser
own, other = configparser.ConfigParser(), configparser.ConfigParser()
own.read_string("[a]\\nx = 1\\n[b]\\ny = %(z)s2\\nz = 1")
with open("own.ini", "w") as file: own.write(file)
seen = configparser.ConfigParser()
[seen.read(["own.ini", "none.ini"]), seen["b"].getint("y"), seen.sections(), other.read({str(tmp_path / "settings.ini")!r})]
"""
    outcome = Step(check_first=False).run(source)
    assert outcome.value == [["own.ini"], 12, ["a", "b"], []]
