"""A file that is open stands where it stood when a step is undone, and is nobody else's in a copy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Limits, Session
from codeact.testing import raw_session

LINES = "file = open('lines', 'w')\nfor number in range(2000): file.write(f'{number}\\n')\nfile.close()"
READ_ONE = "lines = open('lines', buffering=64)\nnext(lines)"
LEFT = "sum(1 for line in lines)"
LOG = "log = open('log', 'w')\nlog.write('one ')\nlog.flush()"
WRITE = "log.write('{}')\nlog.flush()\nopen('log').read()"
BIG = "file = open('big', 'w+')\nfile.write('x' * 5_000_000)\nfile.flush()"
ENDLESS = "\nwhile True: pass"


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(limits=Limits(operations=100_000, checkpoints=3, folder_bytes=8 << 20)) as session:
        yield session


def run(session: Session, *steps: str) -> None:
    for step in steps:
        assert session.run(step).ok


@pytest.mark.parametrize("lost", ["", "\nimport os\nos.remove('lines')", "\nimport os\nos.rename('lines', 'others')"])
def test_a_file_that_an_undone_step_read_on_is_read_on_from_where_it_stood(session: Session, lost: str) -> None:
    run(session, LINES, READ_ONE)
    for _ in range(2):
        assert session.run(LEFT + lost + ENDLESS).rolled_back

    assert session.run(LEFT).value == 1999


@pytest.mark.parametrize("lost", ["", "\nimport os\nos.remove('log')", "\nopen('log', 'w').close()"])
def test_a_file_that_an_undone_step_wrote_on_is_written_on_from_where_it_stood(session: Session, lost: str) -> None:
    run(session, LOG)
    for _ in range(2):
        assert session.run(WRITE.format("two") + lost + ENDLESS).rolled_back

    assert session.run(WRITE.format("three")).value == "one three"


def test_a_file_that_is_open_goes_back_with_the_session(session: Session) -> None:
    run(session, LOG, LINES, READ_ONE, LEFT, WRITE.format("two"))
    session.rewind(2)

    assert session.run(LEFT).value == 1999
    assert session.run(WRITE.format("three")).value == "one three"


def test_a_file_that_is_open_is_another_one_in_a_copy(session: Session) -> None:
    run(session, LINES, READ_ONE, LOG)
    with session.fork() as copy:
        assert copy.run(LEFT).value == 1999
        assert copy.run(WRITE.format("copied")).value == "one copied"
        assert session.run(WRITE.format("two")).value == "one two"
        assert session.run(LEFT).value == 1999
        assert copy.run(LEFT + "\nlog.write('x')" + ENDLESS).rolled_back
        assert copy.run(WRITE.format(", twice")).value == "one copied, twice"


def test_a_file_without_a_name_is_out_of_reach_of_a_copy() -> None:
    with raw_session() as session:
        run(session, "import os\nfile = open('a', 'w+b', buffering=0)\nos.remove('a')")
        with session.fork() as copy:
            failure = copy.run("file.write(b'x')").failure
            assert failure is not None
            assert failure.type == "OSError"
        assert session.run("file.write(b'ok'), file.seek(0), file.read()").value == (2, 0, b"ok")


@pytest.mark.parametrize(
    ("checkpoints", "spoilt"),
    [(3, "file.write('y')\nfile.flush()"), (3, "open('big', 'w').write('z')"), (1, "import os\nos.remove('big')")],
)
def test_a_file_of_more_than_half_the_folder_is_put_back_while_it_is_open(checkpoints: int, spoilt: str) -> None:
    limits = Limits(operations=6_000_000, folder_bytes=8 << 20, checkpoints=checkpoints)
    with Session(limits=limits) as session:
        run(session, "import time\nkept = time.time_ns()")  # a state that was built again would have another
        kept = session.run("kept").value
        run(session, BIG, "1")
        assert session.run(spoilt + ENDLESS).rolled_back
        assert session.run("file.seek(0), file.read() == 'x' * 5_000_000, kept").value == (0, True, kept)
