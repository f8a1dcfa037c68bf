"""Programs that pack and unpack archives, each run in plain CPython and in ours in a folder of its own: all is the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import printed_in_folders

_BEFORE = """
import io, os, zipfile
from pathlib import Path
os.makedirs("d/sub"), os.makedirs("empty")
for name in ("a.txt", "d/b.txt", "d/sub/c.bin"): Path(name).write_text(name * 50)
def packed(**files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items(): archive.writestr(name.replace("_", "/"), text)
    held.seek(0)
    return held
def tree(): print(sorted(str(path) for path in Path().rglob("*")))
def fail(act):
    try: print(act())
    except Exception as error: print(type(error).__name__, error)
"""

PROGRAMS = {
    "a folder that is packed": "with zipfile.ZipFile('x.zip', 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:\n"
    "    for folder, _, names in os.walk('d'):\n"
    "        for name in sorted(names):\n"
    "            path = os.path.join(folder, name)\n            archive.write(path, os.path.relpath(path, 'd'))\n"
    "    archive.write(Path('a.txt')), archive.write('empty'), archive.write('./a.txt', arcname='/top/again.txt')\n"
    "with zipfile.ZipFile('x.zip') as archive:\n"
    "    print(archive.namelist(), archive.testzip(), archive.filename, archive.mode, archive)\n"
    "    for info in archive.infolist(): print(info.filename, info.file_size, info.compress_size, info.is_dir(), info.CRC)\n"
    "    print(archive.read('b.txt')[:7], archive.getinfo('top/again.txt').compress_type == zipfile.ZIP_DEFLATED)\n"
    "print(archive), fail(lambda: archive.read('b.txt')), print(zipfile.is_zipfile('x.zip'), zipfile.is_zipfile('a.txt'))",
    "a whole path": "with zipfile.ZipFile(Path('x.zip').absolute(), 'w') as archive: archive.write(os.path.abspath('a.txt'))\n"
    "print(archive.namelist() == [os.path.abspath('a.txt').lstrip('/')])",
    "what is unpacked": "held = packed(a='1', b_c='22', b_d_e='333')\n"
    "with zipfile.ZipFile(held) as archive:\n"
    "    print(os.path.relpath(archive.extract('b/c')), archive.extract('a', 'out'), archive.extract(archive.getinfo('a'), Path('two/deep')))\n"
    "    print(archive.extractall('all'), archive.extractall('some', members=['a']), archive.extractall(Path('d')))\n"
    "tree(), print(Path('all/b/d/e').read_text()), fail(lambda: zipfile.ZipFile(held).extract('none'))",
    "unpacked here": "os.mkdir('here'), zipfile.ZipFile(packed(q_r='x')).extractall()\ntree()\n"
    "print(zipfile.ZipFile(packed(s='x')).extract('s') == os.path.abspath('s'))",
    "names that lead out": "held = io.BytesIO()\nwith zipfile.ZipFile(held, 'w') as archive:\n"
    "    for name in ('../up.txt', '/root.txt', 'd/../../x.txt', './here.txt', 'f/', 'a//b'): archive.writestr(name, 'x')\n"
    "with zipfile.ZipFile(held) as archive: print(archive.namelist(), archive.extractall('out'))\ntree()",
    "files inside one": "archive = zipfile.ZipFile('x.zip', 'w')\n"
    "with archive.open('n/l.txt', 'w') as file: print(file.write(b'one\\ntwo\\n'), file.writable(), file.readable())\n"
    "archive.writestr(zipfile.ZipInfo('i.csv', (2020, 1, 2, 3, 4, 6)), 'k,v\\n1,2\\n'), archive.close()\n"
    "import csv\nwith zipfile.ZipFile('x.zip') as archive:\n"
    "    with archive.open('n/l.txt') as file: print(file.readline(), file.read(), file.name, file.mode, isinstance(file, zipfile.ZipExtFile))\n"
    "    with io.TextIOWrapper(archive.open('i.csv'), encoding='utf-8', newline='') as file: print(list(csv.DictReader(file)))\n"
    "    print([line for line in archive.open('n/l.txt')], archive.getinfo('i.csv').date_time)",
    "one that is added to": "with zipfile.ZipFile('x.zip', 'a') as archive: archive.writestr('1', 'a')\n"
    "with zipfile.ZipFile('x.zip', 'a') as archive: archive.writestr('2', 'b'), archive.write('a.txt', compress_type=zipfile.ZIP_BZIP2)\n"
    "archive = zipfile.ZipFile('x.zip')\nprint(archive.namelist(), archive.read('2'), archive.read('a.txt')[:5], archive.fp.closed)\n"
    "archive.close(), print(archive.fp), fail(lambda: zipfile.ZipFile('x.zip', 'x')), archive.close()",
    "settings": "held = io.BytesIO()\nwith zipfile.ZipFile(held, mode='w', compression=zipfile.ZIP_LZMA, allowZip64=False) as archive:\n"
    "    archive.comment = b'made here'\n    info = zipfile.ZipInfo('x')\n    info.compress_type, info.external_attr = zipfile.ZIP_STORED, 0o644 << 16\n"
    "    info.comment = b'c'\n    archive.writestr(info, b'123'), archive.mkdir('folder'), archive.writestr('y', 'z' * 99)\n"
    "archive = zipfile.ZipFile(held)\narchive.setpassword(b'secret'), archive.debug\n"
    "print(archive.comment, archive.infolist()[0], archive.getinfo('folder/').is_dir(), archive.read('y') == b'z' * 99)\n"
    "print(zipfile.is_zipfile(held), zipfile.is_zipfile(io.BytesIO(b'no')), zipfile.is_zipfile('none'))",
    "facts about a file": "info = zipfile.ZipInfo.from_file('a.txt')\nprint(info.filename, info.file_size, info.external_attr >> 28)\n"
    "print(zipfile.ZipInfo.from_file('d', 'other').filename, zipfile.ZipInfo.from_file(Path('d/b.txt'), arcname='q').filename)\n"
    "fail(lambda: zipfile.ZipInfo.from_file('none'))",
    "a listing": "held = io.BytesIO()\nwith zipfile.ZipFile(held, 'w') as archive: archive.writestr(zipfile.ZipInfo('a'), 'xyz')\n"
    "archive.printdir(), archive.printdir(told := io.StringIO()), print(told.getvalue())",
    "what is wrong": "Path('bad.zip').write_bytes(packed(a='x').getvalue()[:-9])\n"
    "for act in (lambda: zipfile.ZipFile('none.zip'), lambda: zipfile.ZipFile('a.txt'), lambda: zipfile.ZipFile('bad.zip'),\n"
    "    lambda: zipfile.ZipFile('x', 'rw'), lambda: zipfile.ZipFile('d'), lambda: zipfile.ZipFile(packed()).getinfo('q'),\n"
    "    lambda: zipfile.ZipFile(packed(a='')).open('a', 'z'), lambda: zipfile.ZipFile('y.zip', 'w').write('none'),\n"
    "    lambda: zipfile.ZipFile(packed(a='')).writestr('b', ''), lambda: zipfile.ZipFile(None),\n"
    "    lambda: zipfile.ZipFile(io.BytesIO(b'x'))): fail(act)\n"
    "held = bytearray(packed(a='hello world').getvalue())\nheld[36] ^= 255\nfail(lambda: zipfile.ZipFile(io.BytesIO(held)).read('a'))\n"
    "try: zipfile.ZipFile('a.txt')\nexcept zipfile.BadZipFile as error: print('bad', error)",
    "a file of ones own": "class Own:\n    def __init__(self): self.held = io.BytesIO()\n"
    "    def write(self, data): return self.held.write(data)\n    def flush(self): pass\n"
    "own = Own()\nwith zipfile.ZipFile(own, 'w') as archive: archive.writestr('a', 'b')\n"
    "print(zipfile.ZipFile(own.held).read('a'), isinstance(archive, zipfile.ZipFile), type(archive) is zipfile.ZipFile)",
    "folders by shutil": "import shutil\n"
    "print(shutil.make_archive('out', 'zip', 'd') == os.path.abspath('out.zip'), shutil.make_archive('new/two', 'zip', root_dir='.', base_dir='d/sub') != '')\n"
    "print(shutil.make_archive('all', 'zip', base_dir='d'), shutil.make_archive('e', 'zip', Path('empty')) == os.path.abspath('e.zip'))\n"
    "for name in ('out', 'new/two', 'all', 'e'): print(name, sorted(zipfile.ZipFile(name + '.zip').namelist()))\n"
    "shutil.unpack_archive('out.zip', 'a/b'), shutil.unpack_archive(Path('all.zip'), Path('c')), os.remove('a.txt'), shutil.unpack_archive('new/two.zip')\n"
    "tree(), fail(lambda: shutil.make_archive('x', 'zip', 'none')), fail(lambda: shutil.unpack_archive('none.zip'))",
    "an archive in an archive": "with zipfile.ZipFile('x.zip', 'w') as outer: outer.writestr('in.zip', packed(a='deep').getvalue())\n"
    "with zipfile.ZipFile('x.zip') as outer, zipfile.ZipFile(outer.open('in.zip')) as inner: print(inner.read('a'))",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_packs_and_unpacks_as_in_cpython(tmp_path, source):
    ours, plain = printed_in_folders(tmp_path, _BEFORE + source)
    assert ours == plain
