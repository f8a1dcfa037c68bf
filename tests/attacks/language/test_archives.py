"""An archive is a way to many files at once: with the cage off, none of them is beside the working folder."""

from __future__ import annotations

import sys
import zipfile

import pytest

_BEFORE = """
import io, math, os, zipfile
from zipfile import ZipFile, ZipInfo
class Text(str):
    def split(self, *given): return ['..', '..', canary]
    def replace(self, *given): return self
    def endswith(self, *given): return False
    def __getitem__(self, at): return '/'
class Twice:
    def __init__(self, later): self.asked, self.later = 0, later
    def __fspath__(self):
        self.asked += 1
        return 'a' if self.asked < 2 else self.later
def archive(name='../canary', text='x'):
    held = io.BytesIO()
    with ZipFile(held, 'w') as made: made.writestr(name, text)
    return ZipFile(held)
open('a', 'w').close()
outer = os.path.dirname(secret)
"""

WAYS_OUT = {
    "an archive elsewhere": "ZipFile(canary, 'w').close()",
    "an archive above": "ZipFile('../canary', 'w').close()",
    "one added to elsewhere": "ZipFile(canary, 'a').close()",
    "one that is read elsewhere": "ZipFile(packed).read('inside')",
    "one that is asked for elsewhere": "assert zipfile.is_zipfile(packed)",
    "a path that answers otherwise": "ZipFile(Twice(canary), 'w').close()\nassert os.path.exists(canary)",
    "a question that answers otherwise": "assert zipfile.is_zipfile(Twice(packed))",
    "a descriptor": "ZipFile(0)",
    "a descriptor of another kind": "class N:\n    def __index__(self): return 0\nassert zipfile.is_zipfile(N())",
    "a file from elsewhere": "ZipFile('x', 'w').write(secret)",
    "a file from above": "ZipFile('x', 'w').write('../secret.txt', 'y')",
    "a file whose path answers otherwise": "with ZipFile('x', 'w') as z: z.write(Twice(secret))\nassert ZipFile('x').read('a')",
    "the facts of a file elsewhere": "ZipInfo.from_file(secret)",
    "the facts, asked of an entry": "archive().infolist()[0].from_file(secret)",
    "the facts, asked of its type": "type(archive().infolist()[0]).from_file(secret)",
    "the facts, asked of a class of ones own": "class Own(ZipInfo): pass\nOwn.from_file(secret)",
    "the facts, asked from C": "list(map(ZipInfo.from_file, [secret]))",
    "the facts, by name": "import operator\noperator.methodcaller('from_file', secret)(ZipInfo)",
    "the facts of what answers otherwise": "assert ZipInfo.from_file(Twice(secret)).file_size",
    "extracting elsewhere": "archive('canary').extractall(outer)",
    "extracting above": "archive('canary').extract('canary', '..')",
    "extracting to what answers otherwise": "archive('canary').extract('canary', Twice(outer))\nassert os.path.exists(canary)",
    "a name that lies": "z = archive('b')\nz.infolist()[0].filename = Text('b')\nz.extractall()\nassert os.path.exists(canary)",
    "an entry that is none": "class Own:\n    filename, is_dir = canary, lambda self: False\n    header_offset = 0\n"
    "archive().extract(Own())",
    "an entry that passes for one": "class Own:\n    filename, is_dir = Text('b'), lambda self: True\n    __class__ = ZipInfo\n"
    "archive().extract(Own())\nassert os.path.exists(canary)",
    "a list of entries of ones own": "class Own:\n    filename, is_dir = Text('b'), lambda self: True\n    __class__ = ZipInfo\n"
    "z = archive()\nz.filelist.append(Own())\nz.NameToInfo['q'] = Own()\nz.extract('q')\nassert os.path.exists(canary)",
    "a class built on it": "class Own(ZipFile):\n    def _extract_member(self, *given): return given",
    "a class built on its type": "type('Own', (type(archive()),), {})",
    "another way of extracting": "archive()._extract_member('../canary', outer, None)",
    "one that is set": "z = archive()\nz._extract_member = print",
    "an archive set up anew": "archive().__init__(canary, 'w')",
    "something set up as an archive": "class Own: pass\nZipFile.__init__(Own(), canary, 'w')",
    "the unguarded file below": "z = ZipFile('x', 'w')\nz.fp.raw",
    "the class below": "ZipFile.__bases__",
    "its modules": "zipfile.shutil",
    "a path inside one": "zipfile.Path(packed).read_text()",
    "compiled files": "zipfile.PyZipFile('x', 'w').writepy(outer)",
    "a module that is given a password": "ZipFile.setpassword(math, b'x')",
    "a class that is given a comment": "ZipFile.comment.fset(ZipInfo, b'x')",
    "an entry for all": "ZipInfo.filename = 'x'",
    "an archive for all": "ZipFile.debug = 3",
    "a folder packed elsewhere": "import shutil\nshutil.make_archive(canary, 'zip', '.')",
    "a folder from elsewhere": "import shutil\nshutil.make_archive('x', 'zip', '.', base_dir='..')",
    "one unpacked elsewhere": "import shutil\nshutil.unpack_archive(shutil.make_archive('x', 'zip', '.'), '..')",
    "an archive of another kind": "import shutil\nshutil.make_archive('x', 'tar', '/etc')",
    "a text that lies about where it is": "z = archive('b')\nz.extract('b', Text(outer))",
}


@pytest.mark.parametrize("source", WAYS_OUT.values(), ids=WAYS_OUT)
def test_no_archive_leads_out_of_the_working_folder(run, tmp_path, canary, source):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        packed.writestr("inside", "the secret")
    outcome = run(_BEFORE + f"packed = {str(tmp_path / 'packed.zip')!r}\n" + source)
    assert outcome.failure is not None
    assert "the secret" not in f"{outcome}"
    assert not canary.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["packed.zip", "secret.txt", "work"]


def test_what_an_archive_prints_is_the_output_of_the_step(run, printed, capfd):
    assert run(_BEFORE + "archive().printdir()\nz = archive()\nz.debug = 3\nz.close()").failure is None
    assert "canary" in "".join(printed)
    assert capfd.readouterr() == ("", "")


def test_what_comes_out_of_an_archive_is_charged(run):
    few = run(_BEFORE + "z = archive('b', 'x' * 8)\nlen(z.read('b'))")
    many = run(_BEFORE + "z = archive('b', 'x' * 800_000)\nlen(z.read('b'))")
    assert many.value == 800_000
    assert many.operations - few.operations > 150_000
    bomb = (
        "block = bytes(100_000)\nwith ZipFile('b', 'w', zipfile.ZIP_DEFLATED) as z:\n    with z.open('x', 'w') as f:\n"
    )
    assert run(_BEFORE + bomb + "        for _ in range(200): f.write(block)").failure is None
    assert run("zipfile.ZipFile('b').read('x')").failure.kind == "limit"


def test_the_host_asks_for_the_facts_of_any_file(run, tmp_path):
    run(_BEFORE)
    assert zipfile.ZipInfo.from_file(tmp_path / "secret.txt").file_size == len("the secret")
    with zipfile.ZipFile(tmp_path / "own.zip", "w") as archive:
        archive.write(tmp_path / "secret.txt", "s")
    assert archive.namelist() == ["s"]
    assert sys.modules["zipfile"] is zipfile


def test_the_end_of_a_member_sets_nothing_on_what_everybody_shares(run):
    member = "type(ZipFile(io.BytesIO(), 'w').open('a', 'w'))(ZipInfo, ZipInfo('a'), False)"
    assert run(f"{_BEFORE}member = {member}\nmember.close()").failure.kind == "refused"
    left = vars(zipfile.ZipInfo).get("_writing", "nothing")
    if left != "nothing":
        del zipfile.ZipInfo._writing
    assert left == "nothing"
