"""Ways from the working folder to what lies beside it, with the cage off."""

from __future__ import annotations

import io

import pytest

from tests.attacks.language.uncaged import uncaged

LISTINGS = {
    "a walk that is told to go up": "import os\nfound = []\nfor folder, folders, files in os.walk('.'):\n"
    "    found += files\n    folders[:] = ['..'] if len(found) < 9 else []",
    "a walk that is told to go elsewhere": "import os\nfound = []\nfor folder, folders, files in os.walk('.'):\n"
    "    found += files\n    folders[:] = [os.path.dirname(secret)] if len(found) < 9 else []",
    "a pattern that goes up and comes back": "import glob\nfound = glob.glob('../*/../work')",
    "a pattern that goes up from another folder": "import glob, os\nos.mkdir('a')\n"
    "found = glob.glob('../../*/../work', root_dir='a')",
    "a pattern from the root": "import glob, os\nfound = glob.glob('/*/..' + os.getcwd())",
    "a pattern of a path": "import pathlib\nfound = [str(p) for p in pathlib.Path('.').glob('../*/../work')]",
    "a pattern of a path, further down": "import os, pathlib\nos.mkdir('a')\n"
    "found = [str(p) for p in pathlib.Path('a').rglob('../../*/../work')]",
    "a pattern that lies about its text": "import glob\nclass K(str):\n    def split(self, *a): return []\n"
    "found = glob.glob(K('../*/../work'))",
    "a pattern of an object that gives a lying text": "import glob\nclass K(str):\n    def __radd__(self, other): return other + 'a'\n"
    "class P:\n    def __fspath__(self): return K('../*/../work')\nfound = glob.glob(P())",
}


@pytest.mark.parametrize("source", LISTINGS.values(), ids=LISTINGS)
def test_nothing_lists_what_is_beside_the_working_folder(run, tmp_path, source):
    (tmp_path / "beside").mkdir()
    outcome = run("found = []\n" + source)
    assert outcome.failure is None or outcome.failure.type == "PermissionError"
    assert run("found").value == []


def test_a_folder_is_walked_and_matched_as_ever(run):
    source = (
        "import glob, os, pathlib\nos.makedirs('a/b')\nopen('a/own', 'w').close()\n"
        "[sorted(os.walk('.')), list(os.walk('a', topdown=False)), list(os.walk('none')), glob.glob('a/b/../o*'),"
        " glob.glob('b/../*n', root_dir='a'), glob.glob(os.getcwd() + '/*') == [os.path.abspath('a')],"
        " glob.glob(b'**/own', recursive=True), [str(p) for p in pathlib.Path('a').glob('b/../o*')]]"
    )
    walked = [(".", ["a"], []), ("./a", ["b"], ["own"]), ("./a/b", [], [])]
    upwards = [("a/b", [], []), ("a", ["b"], ["own"])]
    assert run(source).value == [walked, upwards, [], ["a/b/../own"], ["b/../own"], True, [b"a/own"], ["a/b/../own"]]


@pytest.mark.parametrize("source", ["import os\nos.mkdir('a')\nos.removedirs('a')", "import os\nos.rmdir('.')"])
def test_the_working_folder_itself_and_those_above_are_not_removed(run, tmp_path, source):
    run(source)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["work"]
    assert run("import os\nos.listdir()").value == []


#: A class whose instances pass for an open file at first, and then for the name of a file elsewhere.
_TWO_FACED = """
class File:
    asked = []
    def __getattr__(self, name):
        if name not in ('read', 'write') or self.asked:
            File.__fspath__ = lambda self: place
            raise AttributeError(name)
        self.asked.append(name)
        return lambda *given: b''
class Kind(str):
    def __hash__(self): return 0
    def __eq__(self, other):
        File.asked.append(self)
        File.__fspath__ = lambda self: place
        return str.__eq__(self, other)
class Later(File):
    @property
    def __class__(self): return Path if self.asked else Later
class Path:
    def __fspath__(self): return place
class Parser:
    got = []
    def feed(self, text): self.got.append(text)
    def close(self): return ET.Element('a')
import xml.etree.ElementTree as ET, bz2, lzma
"""
TWO_FACED = {
    "a tree that is read": "place = secret\nET.parse(File(), Parser())",
    "a tree that is read again": "place = secret\nET.ElementTree().parse(File(), Parser())",
    "a tree that is written": "place = canary\nET.ElementTree(ET.Element('a')).write(File())",
    "a compressed file": "place = canary\nbz2.BZ2File(Later(), Kind('w')).close()",
    "another compressed file": "place = canary\nlzma.LZMAFile(Later(), Kind('w')).close()",
}


@pytest.mark.parametrize("source", TWO_FACED.values(), ids=TWO_FACED)
def test_what_passed_for_an_open_file_is_never_taken_for_a_name(run, canary, source):
    run(_TWO_FACED + source)
    assert not canary.exists()
    assert run("Parser.got").value == []


def test_a_file_of_ones_own_is_read_and_written_as_ever(run):
    source = (
        "import xml.etree.ElementTree as ET, bz2, io\nclass File:\n    def __init__(self, text=b''): self.text = text\n"
        "    def read(self, size=-1):\n        text, self.text = self.text, b''\n        return text\n"
        "    def write(self, text): self.text += bytes(text)\n"
        "tree, written, packed = ET.parse(File(b'<a/>')), File(), File()\ntree.write(written)\n"
        "tree.write(kept := io.BytesIO())\nbz2.BZ2File(packed, 'w').close()\n"
        "[tree.getroot().tag, written.text, kept.getvalue(), bz2.decompress(packed.text)]"
    )
    assert run(source).value == ["a", b"<a />", b"<a />", b""]


def test_a_command_line_that_is_none_is_not_read_from_the_host(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("typed by the user"))
    assert run("import shlex\nshlex.split(None)").failure.type == "ValueError"
    assert run("shlex.shlex()").failure.kind == "refused"
    assert run("shlex.split('a b # c', comments=True)").value == ["a", "b"]


def test_words_of_a_command_line_come_from_no_file_and_are_told_to_nobody(run, canary, capfd):
    begun = "import shlex\nlexer = shlex.shlex('a source b')\nlexer.source = 'source'\n"
    for act in ("list(lexer)", f"lexer.sourcehook({str(canary)!r})", "lexer.debug = 3"):
        assert run(begun + act).failure.kind == "refused"
    for made in ("class Mine(shlex.shlex): debug = 3", "shlex.shlex.debug = 3", "type('M', (shlex.shlex,), {})"):
        assert run(begun + made).failure is not None
    assert capfd.readouterr().out == ""


def test_a_time_zone_goes_by_one_name_that_is_a_text(run):
    source = (
        "import zoneinfo\nclass Path:\n    asked = 0\n    def __len__(self): return 1\n    def __fspath__(self):\n"
        "        self.asked += 1\n        return 'a' if self.asked < 3 else secret\nzoneinfo.ZoneInfo"
    )
    assert run(f"{source}(Path())").failure.type == "TypeError"
    assert run(f"{source}.no_cache(Path())").failure.type == "TypeError"


def test_time_zones_are_what_they_are_in_python(run):
    source = (
        "import zoneinfo, datetime, copy\nclass Own(zoneinfo.ZoneInfo): pass\nclass Text(str): pass\n"
        "z, paris = zoneinfo.ZoneInfo, zoneinfo.ZoneInfo('Europe/Paris')\n"
        "[paris is z(key=Text('Europe/Paris')), type(paris) is z, repr(paris), copy.deepcopy(paris) is paris, "
        "z.no_cache('UTC') is z('UTC'), type(Own('UTC')) is type(Own.no_cache('UTC')) is Own, isinstance(Own('UTC'), z), "
        "str(datetime.datetime(2024, 7, 1, tzinfo=paris))]"
    )
    paris = ["zoneinfo.ZoneInfo(key='Europe/Paris')", True, False, True, True, "2024-07-01 00:00:00+02:00"]
    assert run(source).value == [True, True, *paris]


def test_a_pattern_starts_at_the_folder_it_is_given_also_without_a_cage():
    with uncaged() as session:
        session.run("import glob, os\nos.mkdir('a')\nopen('a/own', 'w').close()")
        assert session.run("glob.glob('../a/*', root_dir='a')").value == ["../a/own"]
        assert session.run("glob.glob('../*/..', root_dir='a')").value == ["../a/.."]
        assert session.run("glob.glob('../../*', root_dir='a')").value == []
