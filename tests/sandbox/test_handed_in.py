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
