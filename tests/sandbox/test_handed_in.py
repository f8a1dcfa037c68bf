"""Files handed in to a session."""

from __future__ import annotations

import pytest

from codeact import Session
from codeact.errors import UsageError
from codeact.limits import Limits, Policy
from codeact.sandbox import launch
from tests.sandbox.conftest import Spoken

pytestmark = pytest.mark.slow

NAMES = [f"folder/{number}" for number in range(240)]
READ = "import os\nsorted(os.listdir('folder'), key=int) == [open(f'folder/{n}').read() for n in range(240)]"


@pytest.mark.parametrize("folder_bytes", [1 << 16, 256 << 20])
def test_as_many_files_as_may_be_handed_in_are_there_in_a_session_and_its_copy(folder_bytes):
    files = {name: name.removeprefix("folder/").encode() for name in NAMES}
    with launch.start(policy=Policy(), limits=Limits(folder_bytes=folder_bytes), files=files) as worker:
        session = Spoken(worker)
        assert session.run(READ) is True
        assert session.fork().run(READ) is True


def test_more_files_than_may_be_handed_in_are_refused():
    with pytest.raises(UsageError, match="241 files, and 240 are the most"):
        Session(files={str(number): b"" for number in range(241)})


def test_files_handed_in_take_no_room_from_the_session():
    with launch.start(policy=Policy(), limits=Limits(folder_bytes=1 << 20), files=dict.fromkeys(NAMES, b"x")) as worker:
        assert Spoken(worker).run("open('new', 'w').write('x' * (1 << 20))") == 1 << 20


@pytest.mark.parametrize("loss", ["os.remove('in/a')", "os.chmod('in/a', 0o600); open('in/a', 'w')"])
def test_a_file_handed_in_is_back_after_a_step_of_a_copy_that_lost_it_is_undone(loss):
    with launch.start(policy=Policy(), limits=Limits(), files={"in/a": b"given"}, checked=False) as worker:
        copy = Spoken(worker).fork()
        for _ in range(2):
            assert copy.run(f"import os\n{loss}\nos._exit(1)") == "RolledBack"
            assert copy.run("open('in/a').read()") == "given"


def test_a_file_handed_in_is_back_when_a_copy_goes_back():
    with launch.start(policy=Policy(), limits=Limits(), files={"a": b"given"}, checked=False) as worker:
        copy = Spoken(worker).fork()
        assert copy.run("import os\nos.remove('a')\nos.listdir('.')") == []
        assert copy.rewind(1).problem == ""
        assert copy.run("open('a').read()") == "given"


@pytest.mark.parametrize("loss", ["os.rename('in', 'out')", "os.rename('in/deep', 'in/out')", "os.remove('in/deep/a')"])
def test_neither_a_file_handed_in_nor_a_folder_on_the_way_to_it_can_be_moved(loss):
    with launch.start(policy=Policy(), limits=Limits(), files={"in/deep/a": b"given"}, checked=False) as worker:
        session = Spoken(worker)
        assert "[Errno" in str(session.run(f"import os\n{loss}"))
        assert session.run("open('in/deep/a').read()") == "given"


def test_a_folder_with_a_file_handed_in_that_was_closed_is_as_it_was_after_a_step_that_is_undone():
    with launch.start(policy=Policy(), limits=Limits(), files={"in/a": b"given"}, checked=False) as worker:
        session = Spoken(worker)
        session.run("import os")
        assert session.run("open('in/new', 'w'); os.chmod('in', 0); os._exit(1)") == "RolledBack"
        assert session.run("os.listdir('in')") == ["a"]


def test_files_are_moved_to_and_from_a_folder_with_a_file_handed_in():
    with Session(files={"in/a": b"given"}) as session:
        session.run("import os; open('new', 'w').write('x'); os.rename('new', 'in/new')")
        assert session.run("os.listdir('.'), sorted(os.listdir('in'))").value == (["in"], ["a", "new"])
        session.run("os.rename('in/new', 'back')")
        assert session.run("open('back').read(), os.listdir('in')").value == ("x", ["a"])
        assert not session.run("os.rename('in/a', 'back')").ok
        assert session.run("open('back').read(), sorted(os.listdir('.'))").value == ("x", ["back", "in"])
