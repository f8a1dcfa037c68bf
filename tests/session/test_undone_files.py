"""A step that is undone undoes what it did to the working folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeact import Limits, Session
from codeact.session import Isolation
from codeact.testing import raw_session
from tests.session.parts import with_hours

BEFORE = """
import os
os.mkdir('kept'); os.mkdir('gone')
open('kept/a.txt', 'w').write('first')
open('b.txt', 'w').write('second')
open('gone/c.txt', 'w').write('third')
"""
SPOILT = """
open('kept/a.txt', 'r+').write('FIRST')
open('b.txt', 'w').close()
os.remove('gone/c.txt'); os.rmdir('gone')
os.mkdir('new'); open('new/d.txt', 'w').write('fourth')
open('gone', 'w').write('a file where a folder was')
os.rename('b.txt', 'e.txt')
"""
SEEN = """
sorted((os.path.join(at, name), open(os.path.join(at, name)).read()) for at, _, names in os.walk('.') for name in names)
"""
AS_IT_WAS = [("./b.txt", "second"), ("./gone/c.txt", "third"), ("./kept/a.txt", "first")]


@pytest.fixture
def session() -> Iterator[Session]:
    limits = Limits(memory_bytes=256 << 20, folder_bytes=64 << 20, checkpoints=3)
    with with_hours(kind=raw_session, limits=limits) as session:
        assert session.run(BEFORE).ok
        yield session


def files(session: Session) -> list[tuple[str, str]]:
    seen = session.run(SEEN)
    found: list[tuple[str, str]] = seen.value
    return found


@pytest.mark.parametrize(
    "end", ["os._exit(1)", "bytearray(1 << 30)", "__import__('ctypes').string_at(0)", "hour()\nwhile True: pass"]
)
def test_a_step_that_dies_leaves_the_files_as_they_were(session: Session, end: str) -> None:
    seen = session.run(SPOILT + end)

    assert seen.rolled_back, seen.failure
    assert files(session) == AS_IT_WAS


def test_what_an_earlier_step_has_closed_is_what_it_was(session: Session) -> None:
    session.run("import os; os.chmod('b.txt', 0); os.chmod('gone', 0); os.mkdir('kept/in'); os.chmod('kept', 0o100)")
    opened = "os.chmod('b.txt', 0o600); os.chmod('gone', 0o700); os.chmod('kept', 0o700); os.rmdir('kept/in')"
    seen = session.run(opened + SPOILT + "os._exit(1)")

    assert seen.rolled_back, seen.failure
    assert files(session) == AS_IT_WAS
    assert session.run("os.path.isdir('kept/in')").value


def test_going_back_takes_the_files_along(session: Session) -> None:
    session.run(SPOILT)
    session.run("open('more.txt', 'w').write('x')")
    session.rewind(2)

    assert files(session) == AS_IT_WAS


def test_what_an_undone_step_wrote_is_undone_each_time(session: Session) -> None:
    for _ in range(3):
        assert session.run(SPOILT + "os._exit(1)").rolled_back
        assert files(session) == AS_IT_WAS


def test_files_of_a_step_that_raised_stay(session: Session) -> None:
    session.run("open('b.txt', 'w').write('changed'); 1 / 0")

    assert ("./b.txt", "changed") in files(session)


def test_a_change_that_leaves_size_and_time_alone_is_seen(session: Session) -> None:
    session.run("then = os.stat('b.txt').st_mtime_ns")
    session.run("open('b.txt', 'r+').write('SECOND'); os.utime('b.txt', ns=(then, then))")
    session.run("os._exit(1)")

    assert ("./b.txt", "SECOND") in files(session)


def test_a_file_with_holes_costs_what_it_holds(session: Session) -> None:
    sparse = "with open('holes', 'wb') as f:\n    f.truncate(60 << 20); f.seek(30 << 20); f.write(b'middle')\n"
    for number in range(20):
        assert session.run(sparse.replace("holes", f"holes{number}")).ok
    session.run("[os.remove(f'holes{n}') for n in range(20)]; os._exit(1)")
    seen = session.run("f = open('holes7', 'rb'); f.seek(30 << 20); [f.read(6), os.stat('holes7').st_size]")

    assert seen.value == [b"middle", 60 << 20]


def test_more_files_than_memory_end_the_step_at_a_limit() -> None:
    limits = Limits(memory_bytes=64 << 20, folder_bytes=200 << 20)
    with Session(limits=limits) as session:
        session.run("open('a', 'w').write('kept'); 1")
        seen = session.run("for n in range(150):\n    with open(f'f{n}', 'w') as f:\n        f.write('x' * (1 << 20))")

        assert seen.failure is not None
        assert seen.failure.kind == "limit"
        assert "working folder" in seen.failure.message
        assert session.run("open('a').read()").value == "kept"


def test_a_copy_goes_back_to_its_own_files(session: Session) -> None:
    with session.fork() as copy:
        copy.run("open('own', 'w').write('x')")
        copy.run(SPOILT + "os._exit(1)")

        assert files(copy) == sorted([*AS_IT_WAS, ("./own", "x")])
        assert files(session) == AS_IT_WAS


def test_a_file_handed_in_is_there_after_any_going_back(tmp_path: Path) -> None:
    (tmp_path / "given.csv").write_text("1,2\n")
    with Session(files={"in/given.csv": tmp_path / "given.csv"}) as session:
        session.run("open('in/more.csv', 'w').write('3')")
        session.rewind(1)

        assert session.run("open('in/given.csv').read()").value == "1,2\n"
        assert "FileNotFoundError" in str(session.run("open('in/more.csv').read()").failure)


@pytest.mark.parametrize("checkpoints", [0, 1])
def test_a_session_out_of_descriptors_goes_on_and_keeps_its_files(checkpoints: int) -> None:
    with Session(limits=Limits(checkpoints=checkpoints)) as session:
        session.run("open('kept', 'w').write('x'); held = []")
        seen = session.run("for n in range(200): held.append(open(f'f{n}', 'w'))")
        assert "Too many open files" in str(seen.failure)
        for _ in range(3):
            assert session.run("len(held) > 20").value is True
        assert session.run("while True: pass").failure is not None
        session.run("for file in held: file.close()")
        assert session.run("open('kept').read()").value == "x"


NESTED_BEYOND_ANY_PATH = """
import os
os.mkdir('nested')
for turn in range(6):
    os.makedirs('outer/' + '/'.join(['d' * 10] * 180))
    os.rename('nested', 'outer/' + '/'.join(['d' * 10] * 180) + '/nested')
    os.rename('outer', 'nested')
"""


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_folders_nested_beyond_any_path_cost_neither_variables_nor_the_host(isolation: Isolation) -> None:
    with Session(isolation=isolation) as session:
        session.run("import time\nborn = time.monotonic_ns()")
        born = session.run("born").value
        seen = session.run(NESTED_BEYOND_ANY_PATH)
        assert seen.ok, seen.failure
        assert session.run("born").value == born
        folder = Path(session._life._link.worker.folder)
    assert isolation == "caged" or not folder.exists()
