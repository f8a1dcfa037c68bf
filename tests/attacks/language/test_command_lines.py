"""`argparse` and `configparser`: the one sets attributes, both open files for a snippet as it may itself."""

from __future__ import annotations

import configparser
import sys

import pytest

from codeact import Session
from tests.snippet.running import Step

PARSER = "import argparse, collections\np = argparse.ArgumentParser(fromfile_prefix_chars='@')\np.add_argument('x', nargs='*')\n"
LEADING_OUT = {
    "an attribute, by the text of a help": "p.add_argument('--x', help='%(choices.__class__)s')\np.format_help()",
    "a class of a library": "p.set_defaults(zzz=5)\np.parse_args([], collections.UserDict)",
    "what a pattern asks of a class": "class C: pass\np.set_defaults(__match_args__=('__globals__',))\np.parse_args([], C)",
    "by the action itself": "class C: pass\np.add_argument('--a', dest='__match_args__')(p, C, ('__globals__',))",
    "what is in a function, by a parser below": "class N:\n    def __setattr__(self, name, value): pass\n"
    "class P(argparse.ArgumentParser):\n    def parse_known_args(self, *given): return logging.Handler.setLevel, []\n"
    "import logging\np = argparse.ArgumentParser()\np.add_subparsers(parser_class=P).add_parser('x')\n"
    "p.parse_args(['x'], N())",
    "arguments from a file elsewhere": "p.parse_args(['@/etc/passwd'])",
    "a file elsewhere": "p.add_argument('--f', type=argparse.FileType())\np.parse_args(['--f', '/etc/passwd'])",
    "a file elsewhere, by the type": "argparse.FileType()('/etc/passwd')",
}


def test_a_parser_adds_to_no_attribute_that_the_snippet_may_not_read():
    source = "import argparse, json\np = argparse.ArgumentParser()\np.add_argument('--a', action='append', dest='__globals__')\n"
    assert step().run(source + "p.parse_args(['--a', '1'], json.dumps)").failure.kind == "refused"


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


def test_a_command_line_can_be_set_and_stays_that_of_the_session(monkeypatch):
    monkeypatch.setattr("sys.argv", host := ["host"])
    running = step()
    assert running.run(PARSER + "import sys\nsys.argv = given = ['prog', 'a', 'b']\np.parse_args().x").value == [
        "a",
        "b",
    ]
    assert running.run("sys.argv += ['c']\nsys.argv is given, p.parse_args().x").value == (True, ["a", "b", "c"])
    assert running.run("setattr(sys, 'argv', ['prog'])\np.parse_args().x").value == []
    assert running.run("class A: pass\na = A()\na.argv = 5\na.argv").value == 5
    for refused in ("sys.argv = ('a',)", "class L(list): pass\nsys.argv = L()", "del sys.argv", "sys.path = []"):
        assert running.run(refused).failure.kind == "refused"
    assert (sys.argv, step().run("import sys\nsys.argv").value) == (host, ["snippet"])


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


def test_a_converter_is_set_on_no_class_of_a_library():
    source = "import configparser as c\nc.ConverterMapping(c.RawConfigParser)['taken'] = int"
    assert Step(check_first=False).run(source).failure.kind == "refused"
    assert not hasattr(configparser.RawConfigParser, "gettaken")


@pytest.mark.filterwarnings("ignore:isolation")
def test_the_words_for_true_and_false_are_those_of_the_session():
    words = dict(configparser.RawConfigParser.BOOLEAN_STATES)
    with Session(isolation="inline") as session:
        change = "import configparser as c\nc.ConfigParser.BOOLEAN_STATES['so'] = True\np = c.ConfigParser()\n"
        read = "p.read_dict({'a': {'x': 'so'}})\np['a'].getboolean('x')"
        assert session.run(change + read).value is True
        assert words == configparser.RawConfigParser.BOOLEAN_STATES
        assert session.run(read).value is True


def test_a_converter_is_set_on_a_parser_and_its_sections():
    source = """
import configparser
import sys
p = configparser.ConfigParser(converters={"list": str.split})
p.read_string("[a]\\nx = 1 2")
p.converters["twice"] = lambda text: text * 2
found = [p.getlist("a", "x"), p["a"].getlist("x"), p["a"].gettwice("x")]
del p.converters["twice"]
[*found, hasattr(p, "gettwice")]
"""
    assert Step(check_first=False).run(source).value == [["1", "2"], ["1", "2"], "1 21 2", False]


def test_a_parser_of_ones_own_is_used_as_ever():
    source = """
import argparse
class Parser(argparse.ArgumentParser):
    def error(self, message): raise ValueError(message)
p = Parser(prog="x", conflict_handler="resolve", parents=[argparse.ArgumentParser(add_help=False)])
p.add_argument("--n", action="append", help="what %(dest)s is")
p.add_argument("--n", action="append", help="what %(dest)s is")
below = p.add_subparsers().add_parser("go")
below.add_argument("--far", action="count")
class Own: pass
one, rest = p.parse_known_args(["--n", "1", "--n", "2", "go", "--far", "--far", "--what"], Own())
[vars(one), rest, "what n is" in p.format_help()]
"""
    assert Step(check_first=False).run(source).value == [{"n": ["1", "2"], "far": 2}, ["--what"], True]


def test_settings_are_read_from_files_of_the_working_folder_alone(tmp_path):
    (tmp_path / "settings.ini").write_text("[a]\nsecret = 1\n")
    source = f"""
import configparser
import sys
own, other = configparser.ConfigParser(), configparser.ConfigParser()
own.read_string("[a]\\nx = 1\\n[b]\\ny = %(z)s2\\nz = 1")
with open("own.ini", "w") as file: own.write(file)
seen = configparser.ConfigParser()
[seen.read(["own.ini", "none.ini"]), seen["b"].getint("y"), seen.sections(), other.read({str(tmp_path / "settings.ini")!r})]
"""
    outcome = Step(check_first=False).run(source)
    assert outcome.value == [["own.ini"], 12, ["a", "b"], []]
