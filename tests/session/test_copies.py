"""Copies of a session: each has state and a folder of its own, and knows that by the path its original had."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact import Policy, Session
from codeact.errors import UsageError
from codeact.testing import raw_session

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

WAYS = (
    "os.path.exists(whole) and os.path.isfile(path)",
    "open(whole).read() == path.read_text() == 'copy'",
    "os.listdir(here) == os.listdir() == ['notes']",
    "[entry.path for entry in os.scandir(here)] == [whole]",
    "glob.glob(here + '/*') == [whole] and glob.glob('*') == ['notes']",
    "[str(found) for found in Path(here).rglob('*')] == [whole]",
    "list(os.walk(here)) == [(here, [], ['notes'])]",
    "gzip.open(here + '/small', 'w').close() or os.listdir() == ['notes', 'small']",
    "os.path.relpath(whole) == 'notes' and Path('notes').resolve() == path",
    "tempfile.gettempdir() == here and os.path.dirname(tempfile.mkdtemp()) == here",
    "os.rename(whole, here + '/moved') or os.listdir() == ['moved']",
)


@pytest.mark.parametrize("way", WAYS)
def test_a_path_that_was_kept_is_good_in_a_copy_and_leads_to_its_own_file(way: str) -> None:
    with Session() as session:
        session.run("import glob, gzip, os, tempfile\nfrom pathlib import Path\nopen('notes', 'w').write('original')")
        session.run("here, whole, path = os.getcwd(), os.path.abspath('notes'), Path('notes').absolute()")
        with session.fork() as copy, copy.fork() as second:
            for each in (copy, second):
                each.run("open(whole, 'w').write('copy')")
                seen = each.run(way)
                assert seen.value is True, seen.failure
        assert session.run("open(whole).read()").value == "original"


def test_a_library_tells_of_a_file_of_a_copy_by_the_path_it_was_given() -> None:
    with Session(policy=Policy(imports=["numpy"])) as session:
        session.run("import os, numpy\nwhole = os.path.abspath('none')")
        with session.fork() as copy:
            for given in ("whole", "'none'"):
                named = session.run(given).value
                seen = copy.run(
                    f"try: numpy.load({given})\nexcept OSError as error: said = error.filename, str(error)\nsaid"
                )
                assert seen.value == (named, f"[Errno 2] No such file or directory: {named!r}")


def test_a_copy_that_asked_for_its_folder_is_built_again(tmp_path: Path) -> None:
    with Session() as session:
        session.run("import os")
        with session.fork() as copy:
            assert copy.run("os.getcwd()").value == session.run("os.getcwd()").value
            copy.save(tmp_path / "copy.session")
    Session.resume(tmp_path / "copy.session").close()


def test_a_copy_does_not_reach_its_originals_folder_by_the_path_it_knows_its_own_by() -> None:
    with Session() as session:
        session.run("import os\nhere = os.getcwd()")
        with session.fork() as copy:
            session.run("open('later', 'w').close()")
            assert copy.run("os.listdir(here), os.path.exists(here + '/later')").value == ([], False)
            assert copy.run("open(here + '/../later')").failure is not None


def test_a_copy_goes_its_own_way() -> None:
    with Session() as session:
        session.run("rows = [1]\nopen('note', 'w').write('both')")
        with session.fork() as copy:
            copy.run("rows.append(2)\nopen('note', 'w').write('copy')")
            assert copy.run("rows, open('note').read()").value == ([1, 2], "copy")
        assert session.run("rows, open('note').read()").value == ([1], "both")


LISTINGS = (
    "os.listdir()",
    "[entry.name for entry in os.scandir()]",
    "list(os.walk('.'))",
    "list(os.walk('.', topdown=False))",
    "glob.glob('**', recursive=True)",
    "[str(path) for path in Path().iterdir()]",
    "[str(path) for path in Path().glob('*')]",
    "[str(path) for path in Path().rglob('*')]",
)


@pytest.mark.parametrize("listing", LISTINGS)
def test_files_are_listed_in_the_same_order_in_a_copy_and_where_it_is_built_again(listing: str, tmp_path: Path) -> None:
    with Session() as session:
        session.run("import os, glob\nfrom pathlib import Path\nfor d in 'dbac': os.mkdir(d)\nopen('d/x', 'w').close()")
        session.run("for name in 'hfge': open(name, 'w').close()")
        with session.fork() as copy:
            assert copy.run(listing).value == session.run(listing).value
            copy.save(tmp_path / "copy.session")
    Session.resume(tmp_path / "copy.session").close()


def test_an_inline_session_cannot_be_copied() -> None:
    with Session(isolation="inline") as session, pytest.raises(UsageError, match="caged"):
        session.fork()


# What is forked from here on settles in only when the folder it comes from is gone.
SETTLES_LATE = """
import os
from codeact.worker.copies import Copies
original = os.getpid()
def forget(copies, forget=Copies.forget):
    forget(copies)
    while os.getppid() == original:
        os.sched_yield()
Copies.forget = forget
"""


def test_a_copy_of_a_copy_lives_on_where_that_one_is_closed_before_it_has_settled_in() -> None:
    with raw_session() as session:
        session.run("name = 'kept'")
        with session.fork() as copy:
            copy.run(SETTLES_LATE)
            second = copy.fork()
        with second:
            assert second.run("name").value == "kept"


# What is forked from here on cannot be bound to its folder, as the kernel refuses it to the sixteenth generation.
CANNOT_BE_BOUND = """
import os, select
from codeact.worker import landlock
def enforce(rules):
    select.select([3], [], [])
    os._exit(1)
landlock.enforce = enforce
"""


@pytest.mark.parametrize("source", ["", "#" * 500_000], ids=["short", "too long to be sent at once"])
def test_a_copy_that_dies_before_it_has_read_its_first_step_is_built_again_and_runs_it(source: str) -> None:
    with raw_session() as session:
        session.run("name = 'kept'")
        session.run(CANNOT_BE_BOUND)
        with session.fork() as copy:
            seen = copy.run("name" + source)
            assert seen.value == "kept", seen.failure


def test_a_copy_is_as_good_as_any_however_many_generations_lie_before_it() -> None:
    session = Session()
    session.run("generation = 0")
    for generation in range(1, 21):
        copy = session.fork()
        session.close()
        session = copy
        seen = session.run("generation += 1\ngeneration")
        assert seen.value == generation, seen.failure
    session.close()


_TOUCHES = {
    "removed": "import os\nos.remove('orders.csv')",
    "replaced": "import os\nopen('new', 'w').close()\nos.replace('new', 'orders.csv')",
    "its folder moved": "import os\nos.rename('in', 'out')",
    "written to, which fails": "open('orders.csv', 'w')",
}


@pytest.mark.parametrize("code", _TOUCHES.values(), ids=_TOUCHES)
def test_what_a_copy_does_to_files_it_was_handed_is_done_again_where_it_is_built_again(
    code: str, tmp_path: Path
) -> None:
    with Session(files={"orders.csv": b"item", "in/more.csv": b"more"}) as session:
        session.run("kept = 1")
        with session.fork() as parent, parent.fork() as copy:
            seen = copy.run(code)
            listed = copy.run("later = 2\nimport os\nsorted(os.listdir('.'))").value
            copy.save(tmp_path / "copy")
            copy._life._link.close()
            assert copy.run("later").value == 2
            assert copy.run("sorted(os.listdir('.'))").value == listed
            assert session.run(code).failure != seen.failure
    with Session.resume(tmp_path / "copy") as again:
        assert again.run("sorted(os.listdir('.'))").value == listed
        again.rewind(1)
        assert again.run("kept, later").value == (1, 2)
        with again.fork() as copy:
            copy.save(tmp_path / "its copy")
    with Session.resume(tmp_path / "its copy") as again:
        assert again.run("kept, later, sorted(os.listdir('.'))").value == (1, 2, listed)
