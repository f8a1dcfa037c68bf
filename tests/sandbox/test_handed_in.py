"""Files handed in to a session."""

from __future__ import annotations

import pytest

from codeact.limits import Limits, Policy
from codeact.sandbox import launch
from tests.sandbox.conftest import Spoken

NAMES = [f"folder/{number}" for number in range(240)]
READ = "import os\nsorted(os.listdir('folder'), key=int) == [open(f'folder/{n}').read() for n in range(240)]"


@pytest.mark.parametrize("folder_bytes", [1 << 16, 256 << 20])
def test_as_many_files_as_may_be_handed_in_are_there_in_a_session_and_its_copy(folder_bytes):
    files = {name: name.removeprefix("folder/").encode() for name in NAMES}
    with launch.start(policy=Policy(), limits=Limits(folder_bytes=folder_bytes), files=files) as worker:
        session = Spoken(worker)
        assert session.run(READ) is True
        assert session.fork().run(READ) is True


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
