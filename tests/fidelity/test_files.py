"""Programs that look for files, each run in plain CPython and in ours in a folder of its own: they find the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace

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
    "paths": "for p in PATTERNS: show(Path().glob(p)), show(Path('d').glob(p)), show(Path().rglob(p)), show(Path('d').rglob(p))\n"
    "show(Path('none').glob('*')), fail(lambda: list(Path().glob(''))), fail(lambda: list(Path().glob('/a')))",
    "glob": "for p in PATTERNS:\n    for hidden in (False, True):\n"
    "        show(glob.glob(p, include_hidden=hidden)), show(glob.glob(p, recursive=True, include_hidden=hidden))\n"
    "        show(glob.iglob(p, root_dir='d', recursive=True, include_hidden=hidden))\n"
    "show(glob.glob(b'*.txt')), print(glob.has_magic('a*'), glob.glob(glob.escape('d[1].txt')))",
    "resolving": "fail(lambda: Path('none').resolve(strict=True)), fail(lambda: os.path.realpath('none', strict=True))\n"
    "print(Path('d').resolve(strict=True) == Path.cwd() / 'd', Path('none').resolve().name, Path('a.txt').lstat().st_size)",
    "entries": "with os.scandir('d') as it:\n    for e in sorted(it, key=lambda e: e.name):\n"
    "        print(e, e.name, e.path, os.fspath(e), e.is_dir(), e.is_file(), e.is_symlink(), e.inode() == os.stat(e).st_ino)\n"
    "show(e.path for e in os.scandir()), show(e.path for e in os.scandir(Path('d/sub'))), show(it)\n"
    "fail(lambda: os.scandir('none')), fail(lambda: os.scandir('a.txt')), print(next(os.scandir('d/sub/.deep')).stat().st_size)",
    "variables": "os.environ['A'] = '1'\nprint(os.getenv('A'), os.getenv('nothing'), os.getenv('nothing', 'x'))\n"
    "del os.environ['A']\nprint(os.getenv('A'))",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_finds_the_files_it_finds_in_cpython(tmp_path, source):
    ours, plain = tmp_path / "ours", tmp_path / "plain"
    ours.mkdir(), plain.mkdir()
    printed: list[str] = []
    namespace = Namespace(Policy(check_first=False), folder=str(ours), output=printed.append)
    assert namespace.run(_BEFORE + source, operations=1_000_000, text_chars=100).failure is None
    told = subprocess.run(
        [sys.executable, "-Ic", _BEFORE + source], cwd=plain, capture_output=True, text=True, check=True
    )
    assert "".join(printed) == told.stdout
