"""Programs that look for files, each run in plain CPython and in ours in a folder of its own: they find the same."""

from __future__ import annotations

import sys

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace
from tests.fidelity.comparing import printed_in_folders

_BEFORE = """
import glob, os
from pathlib import Path
for name in ("d/sub/.deep", ".h", "e"): os.makedirs(name)
for name in ("a.txt", ".b.txt", "d/a.txt", "d/.c.txt", "d/sub/x.txt", "d/sub/.deep/y.txt", ".h/z.txt", "d[1].txt"):
    with open(name, "w") as file: file.write(name)
def show(found): print(sorted(map(str, found)))
def fail(act):
    try: print(act())
    except Exception as error: print(type(error).__name__, error)
PATTERNS = ("*", "**", "**/*", "*.txt", "*/", ".*", "d/*", "d/../*.txt", "**/*.txt", "a.txt", "no*", "**/", "*/*/x.*")
"""

PROGRAMS = {
    "names that go up from what is no folder": r"""
for name in ("none/../a.txt", "a.txt/../.b.txt", "d/../a.txt", "d/a.txt/../a.txt", "d/none/..", "d/sub/../../a.txt", "a.txt/.."):
    fail(lambda: open(name).read()), fail(lambda: os.stat(name).st_size), fail(lambda: Path(name).read_text())
    fail(lambda: open(name, "a").close()), fail(lambda: sorted(os.listdir(name)))
    print(os.path.exists(name), os.path.isdir(name), Path(name).exists(), os.access(name, os.R_OK), glob.glob(name))
fail(lambda: os.mkdir("none/../new")), fail(lambda: os.rename("a.txt/../d", "new")), fail(lambda: os.remove("none/../a.txt"))
show(os.listdir("."))
""",
    "names that no file can have": r"""
asked = (os.path.exists, os.path.lexists, os.path.isfile, os.path.isdir, os.path.islink, os.path.ismount)
for name in ("a\0b", "\ud800", b"a\0b", "x" * 5000):
    print([ask(name) for ask in asked]), fail(lambda: open(name))
for path in map(Path, ("a\0b", "\ud800")): print(path.exists(), path.is_file(), path.is_dir(), path.is_symlink())
""",
    "names that end with a slash": "import shutil\n"
    "for act in (lambda: open('new/', 'w'), lambda: open('a.txt/'), lambda: open('d/'), lambda: os.stat('a.txt/'), lambda: os.remove('a.txt/'),\n"
    "    lambda: os.listdir('a.txt/'), lambda: shutil.copyfile('a.txt', 'no/'), lambda: shutil.copy('a.txt', 'no/'), lambda: os.rename('a.txt', 'no/'),\n"
    "    lambda: shutil.copy('a.txt', 'e'), lambda: shutil.copy('a.txt', 'd/sub/'), lambda: shutil.copyfile('a.txt', 'd/')): fail(act)\n"
    "os.mkdir('f/'), os.makedirs('h/i/'), os.rename('f', 'g/'), os.rmdir('g/')\n"
    "show(glob.glob('**', recursive=True)), print([os.path.exists(name) for name in ('a.txt/', 'd/', 'd//', 'no/')], os.path.isfile('a.txt/'), os.path.isdir('d/'))",
    "what compressed files do not take": "import bz2, gzip, lzma\n"
    "for each in (gzip.open, bz2.open, lzma.open):\n"
    "    for mode in ('rbt', 'wtb'): fail(lambda: each('x', mode))\n"
    "    fail(lambda: each(123.5)), fail(lambda: each([])), fail(lambda: each('x', 'wb', encoding='utf8'))\n"
    "    fail(lambda: each('x', errors='ignore')), fail(lambda: each('x', 'xb', newline='')), print(os.path.exists('x'))",
    "a file that is sure to be there": """
import os, sys
with open("new.txt", "w") as file: file.write("x"), file.flush(), os.fsync(file.fileno()), os.fdatasync(file)
os.replace("new.txt", "a.txt")
def told(entry: os.DirEntry) -> os.stat_result: return entry.stat()
print([told(entry).st_size for entry in os.scandir() if isinstance(entry, os.DirEntry) and entry.name == "a.txt"], os.EX_OK, os.terminal_size((80, 24)))
print(sys.stdout.name, sys.stderr.name, isinstance(os.stat("a.txt"), os.stat_result))
""",
    "paths": "for p in PATTERNS: show(Path().glob(p)), show(Path('d').glob(p)), show(Path().rglob(p)), show(Path('d').rglob(p))\n"
    "show(Path('none').glob('*')), fail(lambda: list(Path().glob(''))), fail(lambda: list(Path().glob('/a')))",
    "glob": "for p in PATTERNS:\n    for hidden in (False, True):\n"
    "        show(glob.glob(p, include_hidden=hidden)), show(glob.glob(p, recursive=True, include_hidden=hidden))\n"
    "        show(glob.iglob(p, root_dir='d', recursive=True, include_hidden=hidden))\n"
    "show(glob.glob(b'*.txt')), print(glob.has_magic('a*'), glob.glob(glob.escape('d[1].txt')))",
    "resolving": "for act in (Path('none').resolve, lambda strict: os.path.realpath('none', strict=strict)):\n"
    "    try: print(act(strict=True))\n"
    "    except OSError as error: print(type(error).__name__, error.errno, error.strerror)  # Python 3.13 names it whole\n"
    "print(Path('d').resolve(strict=True) == Path.cwd() / 'd', Path('none').resolve().name, Path('a.txt').lstat().st_size)",
    "home": "home = os.path.expanduser('~')\nassert Path.home() == Path('~').expanduser() == Path(home)\n"
    "print([os.path.expanduser(p).replace(home, '~') for p in ('~/a', 'a~', './~', '~nobody-is-called-so', '')], os.path.expanduser(b'~/b')[-2:])\n"
    "print(str(Path('~/a/b').expanduser()).replace(home, '~'), Path('a').expanduser(), type(Path('a').expanduser()).__name__)",
    "paths by the names of parameters": "os.makedirs(name='n/m', exist_ok=True), os.mkdir(path='p'), os.makedirs('d/q', 0o755, True), os.removedirs(name='d/q')\n"
    "print(os.path.isdir('n/m'), os.path.exists(path='p'), os.stat(path='a.txt').st_size, os.path.getsize(filename='a.txt'))\n"
    "os.remove(path='a.txt'), os.rename(src='n', dst='r'), show(os.listdir(path='.'))\n"
    "for act in (os.makedirs, os.stat, os.remove, os.path.exists, lambda: os.mkdir(name='x'), lambda: os.makedirs('y', name='z')):\n"
    "    try: print(act())\n    except TypeError: print('no such call', os.path.exists('x'), os.path.exists('y'))",
    "the empty name": "import shutil\nprint(os.path.exists(''), os.path.isdir(''), os.path.isfile(''), list(os.walk('')), glob.glob(''), Path('').exists(), os.access('', os.R_OK))\n"
    "for act in (open, os.listdir, os.stat, os.mkdir, os.makedirs, os.remove, os.scandir, os.path.getsize, shutil.rmtree):\n"
    "    fail(lambda: act(''))\n"
    "fail(lambda: os.rename('', 'x')), fail(lambda: shutil.copy('', 'x')), fail(lambda: open('', 'w')), fail(lambda: os.stat(b''))\n"
    "print(sorted(os.listdir()), os.path.abspath('') == os.getcwd() == os.path.realpath(''))",
    "entries": "with os.scandir('d') as it:\n    for e in sorted(it, key=lambda e: e.name):\n"
    "        print(e, e.name, e.path, os.fspath(e), e.is_dir(), e.is_file(), e.is_symlink(), e.inode() == os.stat(e).st_ino)\n"
    "show(e.path for e in os.scandir()), show(e.path for e in os.scandir(Path('d/sub'))), show(it)\n"
    "fail(lambda: os.scandir('none')), fail(lambda: os.scandir('a.txt')), print(next(os.scandir('d/sub/.deep')).stat().st_size)",
    "what is not there": "Path('x').mkdir()\nfor act in (Path('n').read_text, Path('a/b').mkdir, Path('n').unlink, Path('n').stat,\n"
    "    lambda: Path('n').rename('m'), lambda: list(Path('n').iterdir()), lambda: os.replace(b'n', 'q'), lambda: open(Path('n')),\n"
    "    lambda: os.listdir(Path('n')), lambda: os.path.getsize(Path('n')), lambda: os.scandir(Path('n')), lambda: open('x'),\n"
    "    lambda: Path('x').write_text(5), lambda: Path('x').write_bytes('a'), lambda: os.makedirs('x'), Path('x').rmdir):\n"
    "    try: print(act())\n    except Exception as e:\n"
    "        print(type(e).__name__, e, repr(getattr(e, 'filename', 0)), repr(getattr(e, 'filename2', 0)))\n"
    "print([(folder, sorted(folders)) for folder, folders, _ in os.walk(Path('d/sub'))])",
    "copying and moving": "import shutil\nos.makedirs('new')\n"
    "print(shutil.copy('a.txt', 'new'), shutil.copy(Path('a.txt'), 'b'), shutil.copyfile('a.txt', 'new/c'), shutil.copy2('a.txt', 'new/'))\n"
    "print(shutil.move('new/c', 'new/m'), shutil.move('b', 'new'), os.path.getmtime('new/a.txt') == os.path.getmtime('a.txt'))\n"
    "print(shutil.copytree('d', 'copy', ignore=shutil.ignore_patterns('.*')), shutil.move('copy', 'new'), open('new/b').read())\n"
    "show(glob.glob('new/**', recursive=True)), shutil.rmtree('d'), shutil.rmtree('no', ignore_errors=True), show(os.listdir())\n"
    "for act in (lambda: shutil.copy('no', 'x'), lambda: shutil.copyfile('a.txt', './a.txt'), lambda: shutil.copyfile('e', 'y'),\n"
    "    lambda: shutil.rmtree('no'), lambda: shutil.move('no', 'y'), lambda: shutil.copytree('new', 'e'), lambda: shutil.rmtree('a.txt'),\n"
    "    lambda: shutil.move('new', 'new/d'), lambda: shutil.move('a.txt', 'new')): fail(act)\n"
    "with open('a.txt', 'rb') as a, open('q', 'wb') as b: shutil.copyfileobj(a, b)\n"
    "print(open('q').read(), shutil.get_terminal_size().columns)",
    "documents": "from xml.dom import minidom\nfrom xml.parsers.expat import ExpatError\n"
    "d = minidom.Document()\ne = d.appendChild(d.createElement('x'))\ne.setAttribute('k', 'v'), e.appendChild(d.createTextNode('a & b'))\n"
    "with open('d.xml', 'w') as f: d.writexml(f, addindent=' ', newl='\\n')\n"
    "e.firstChild.data = 'new'\ne.firstChild.nodeValue += 'er'\nprint(d.documentElement.toprettyxml(indent='  '))\n"
    "print(minidom.parse('d.xml').documentElement.tagName, minidom.parseString('<a b=\"1\"/>').toxml(), minidom.parse(open('d.xml')).toxml())\n"
    "fail(lambda: minidom.parseString('<a>')), fail(lambda: minidom.parse('none.xml'))",
    "trees with prefixes of their own": 'import xml.etree.ElementTree as ET\nt = ET.fromstring(\'<a xmlns="urn:a" xmlns:b="urn:b"><b:c/></a>\')\n'
    "print(ET.tostring(t)), ET.register_namespace('', 'urn:a'), ET.register_namespace('b', 'urn:b'), print(ET.tostring(t))\n"
    "fail(lambda: ET.register_namespace('ns1', 'urn:c'))",
    "temporary files": "import tempfile, json\n"
    "with tempfile.TemporaryDirectory() as d:\n"
    "    (Path(d) / 'x').write_text('hi'), os.makedirs(os.path.join(d, 'a/b')), show(os.listdir(d))\n"
    "with tempfile.NamedTemporaryFile('w', suffix='.json', delete=False) as f: json.dump([1], f)\n"
    "print(os.path.exists(d), f.name[-5:], json.load(open(f.name)), os.unlink(f.name), os.path.exists(f.name))\n"
    "with tempfile.NamedTemporaryFile('w+', encoding='utf-8', newline='') as t:\n"
    "    print(t.write('a\\nb'), t.flush(), t.seek(0), list(t), t.closed, os.path.exists(t.name), open(t.name).read())\n"
    "with tempfile.TemporaryFile() as b: print(b.write(b'xyz'), b.seek(1), b.read())\n"
    "print(os.path.exists(t.name), t.closed, os.path.basename(tempfile.mkdtemp(prefix='run_', dir='e'))[:4]), fail(t.read)\n"
    "held = tempfile.TemporaryDirectory()\nprint(os.path.isdir(held.name), held.cleanup(), os.path.isdir(held.name))",
    "what a temporary file says of itself": "import io, tempfile, zipfile\nwith tempfile.TemporaryFile() as b:\n"
    "    print(b.mode, b.readable(), b.writable(), b.seekable(), b.isatty())\n"
    "    text = io.TextIOWrapper(b, encoding='utf-8')\n    print(text.write('abc'), text.seek(0), text.read(), text.encoding)\n"
    "    zipfile.ZipFile(b, 'w').close(), print(zipfile.is_zipfile(b))\n"
    "with tempfile.NamedTemporaryFile('w+', encoding='latin-1', newline='') as t:\n"
    "    print(t.encoding, t.errors, t.newlines, t.line_buffering, t.seekable())",
    "logs whose settings do not go together": "import logging\n"
    "def told(**settings):\n"
    "    logging.basicConfig(force=True, **settings)\n"
    "    record = logging.LogRecord('n', 20, 'p', 3, 'm %s', ('x',), None)\n"
    "    return logging.getLogger().handlers[0].format(record)\n"
    "for given in (dict(bogus=1, other=2), dict(style='x'), dict(stream=None, filename='x'), dict(stream=None, handlers=[]),\n"
    "    dict(level='no'), dict(style='{'), dict(style='$'), dict(style='{', format=None)): fail(lambda: told(**given))",
    "logs in files": "import logging\nlogging.basicConfig(filename='app.log', level=logging.INFO, format='%(levelname)s %(message)s')\n"
    "logging.info('started'), print(open('app.log').read())\nlog = logging.getLogger('part')\n"
    "late = [logging.FileHandler('d/late.log', 'w', delay=True), logging.FileHandler('d/now.log', encoding='utf-8')]\n"
    "print([os.path.exists(h.baseFilename) for h in late], [os.path.basename(h.baseFilename) for h in late])\n"
    "for h in late: log.addHandler(h)\nlog.warning('\\u00e9'), [h.close() for h in late], log.error('closed')\n"
    "print([open(name).read() for name in ('app.log', 'd/late.log', 'd/now.log')], isinstance(late[0], logging.StreamHandler))",
    "variables that are no texts": "os.environ.clear()\n"
    "for act in (lambda: os.environ.__setitem__('A', 3), lambda: os.environ.update({'B': 1}), lambda: os.environ[3], "
    "lambda: os.environ.setdefault('C', None), lambda: os.environ['D'], lambda: 3 in os.environ): fail(act)\n"
    "env = os.environ\nenv |= {'X': '3', 'HOME': '/h'}\nprint(os.environ, repr(os.environ.copy()), os.environ | {'Y': '1'}, {'X': ''} | os.environ)\n"
    "print(isinstance(os.environ, dict), type(os.environ).__name__, dict(os.environ), os.environ.pop('no', 1), 'X' in os.environ)\n"
    "print(os.path.expandvars('$X/${HOME}/$NO/${NO}$X$$'), os.path.expandvars(b'$X'), [*os.environ.items()], len(os.environ))",
    "variables": "os.environ['A'] = '1'\nprint(os.getenv('A'), os.getenv('nothing'), os.getenv('nothing', 'x'))\n"
    "del os.environ['A']\nprint(os.getenv('A'))",
}

if sys.version_info >= (3, 14):
    PROGRAMS["from path to path"] = (
        "from pathlib import Path\nimport os\ndef told(act):\n    try: return act()\n"
        "    except (OSError, ValueError) as error: return type(error).__name__, error.args[:2]\n"
        "os.mkdir('f'), os.mkdir('f/g'), os.mkdir('k'), Path('f/g/x').write_text('x'), Path('f/y').write_text('yy')\n"
        "print(Path('f').copy('h'), Path('f/y').copy_into('h/g'), Path('f/y').copy('z', preserve_metadata=True).read_text())\n"
        "print(Path('z').move('w'), Path('w').move_into('k'), Path('k').move('m'), sorted(str(one) for one in Path().rglob('*')))\n"
        "p = Path('m/w')\nprint(p.info.exists(), p.info.is_file(), p.info.is_dir(), p.info.is_symlink(), Path('no').info.exists())\n"
        "for act in (lambda: p.copy('m/w'), lambda: p.move('m/w'), lambda: Path('f').copy('f/g/in'), lambda: p.copy('f'),\n"
        "    lambda: Path('f').copy('h'), lambda: Path('no').copy('q'), lambda: Path('no').move('q'), lambda: p.copy('no/q'),\n"
        "    lambda: Path().copy_into('f'), lambda: p.copy_into('no')): print(told(act))\n"
    )
if sys.version_info >= (3, 12):
    PROGRAMS["from folder to folder"] = (
        "def listed(found): print(sorted((str(at), type(at).__name__, sorted(below), sorted(files)) for at, below, files in found))\n"
        "os.mkdir('new'), listed(Path().walk()), listed(Path('d').walk(top_down=False)), listed(Path('none').walk())\n"
        "Path('none').walk(on_error=print), listed(Path('none').walk(on_error=lambda error: print(type(error).__name__)))\n"
        "for at, below, files in Path('d').walk():\n    print(at, below.remove('sub'), [at / name for name in sorted(files)])"
    )
    PROGRAMS["a temporary file for others to read"] = (
        "import tempfile\nwith tempfile.NamedTemporaryFile('w', -1, 'utf-8', None, '.x', delete_on_close=False) as f:\n"
        "    print(f.write('a'), f.close(), open(f.name).read(), f.name[-2:])\nprint(os.path.exists(f.name))\n"
        "with tempfile.NamedTemporaryFile(delete_on_close=True) as f: print(f.close(), os.path.exists(f.name))\n"
        "fail(lambda: tempfile.NamedTemporaryFile(delete_on_exit=True))"
    )


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_finds_the_files_it_finds_in_cpython(tmp_path, source):
    ours, plain = printed_in_folders(tmp_path, _BEFORE + source)
    assert ours == plain


def test_libraries_tell_of_files_by_the_names_they_were_given(tmp_path):
    for library in ("numpy", "pandas", "matplotlib"):
        pytest.importorskip(library)
    printed: list[str] = []
    namespace = Namespace(
        Policy(["numpy", "pandas", "matplotlib"], check_first=False), folder=str(tmp_path), output=printed.append
    )
    source = """
import numpy as np, pandas as pd, matplotlib.pyplot as plt
from pathlib import Path
for act in (lambda: pd.read_csv("n.csv"), lambda: pd.read_csv(Path("d") / "n.csv"), lambda: np.loadtxt("n.txt"),
            lambda: np.load("n.npy"), lambda: pd.DataFrame().to_csv("d/n.csv"), lambda: np.eye(2).tofile("d/n"),
            lambda: plt.figure() and plt.savefig("d/n.png")):
    try: act()
    except OSError as error: print(error)
"""
    assert namespace.run(source, operations=1_000_000, text_chars=100).failure is None
    assert "".join(printed).splitlines() == [
        "[Errno 2] No such file or directory: 'n.csv'",
        "[Errno 2] No such file or directory: 'd/n.csv'",
        "n.txt not found.",
        "[Errno 2] No such file or directory: 'n.npy'",
        "Cannot save file into a non-existent directory: 'd'",
        "[Errno 2] No such file or directory: 'd/n'",
        "[Errno 2] No such file or directory: 'd/n.png'",
    ]
