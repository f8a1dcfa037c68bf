"""Copies of copies: each has a folder of its own, and none reaches the one of whom it comes from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.sandbox.conftest import until
from tests.sandbox.elsewhere import elsewhere

pytestmark = pytest.mark.slow

root_alone = pytest.mark.skipif(os.geteuid() != 0, reason="looking into another process's root takes root")

WRITE = "open({name!r}, 'w').write('x')\nimport os\n[open('first').read(), sorted(os.listdir('.'))]"
REACH = "try:\n    said = open({path!r}, 'a').name\nexcept OSError as error:\n    said = type(error).__name__\nsaid"


def test_each_generation_of_copies_writes_and_reads_files_of_its_own(speak):
    generations = three_generations(speak())

    said = [session.run(WRITE.format(name=f"own {number}")) for number, session in enumerate(generations)]
    assert said == [["all", ["first", f"own {number}"]] for number in range(3)]


def test_no_copy_reaches_the_folder_of_whom_it_comes_from_nor_of_another_copy(speak):
    generations = three_generations(speak())
    other = generations[0].fork()

    for number, session in enumerate(generations):
        for beyond in [*generations[:number], *([other] if number else [])]:
            assert session.run(REACH.format(path=f"{beyond.worker.folder}/first")) == "PermissionError"
    for beyond in generations:
        assert other.run(REACH.format(path=f"{beyond.worker.folder}/first")) == "PermissionError"


def test_a_copy_works_on_in_its_folder_when_whom_it_comes_from_is_closed(speak):
    first, second, third = three_generations(speak())
    second.worker.close()
    first.worker.close()

    assert third.run(WRITE.format(name="own")) == ["all", ["first", "own"]]
    assert third.fork().run(WRITE.format(name="new")) == ["all", ["first", "new", "own"]]


@root_alone
@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0), (0, 1, 2)])
def test_closed_copies_leave_no_place_behind_in_whatever_order_they_are_closed(speak, zygote_pid, order):
    forks = Path("/proc", str(zygote_pid()), "root", "forks")
    others = set(forks.iterdir())
    generations = three_generations(speak())
    (base,) = set(forks.iterdir()) - others
    assert len([path for path in base.rglob("*") if path.is_dir()]) == 4  # a place and a folder for each copy

    for number in order[:2]:
        generations[number].worker.close()
    if order[2] == 0:  # no place of a copy is left while the first session lives
        until(lambda: not list(base.iterdir()))
    generations[order[2]].worker.close()
    assert not base.exists()


GENERATIONS = """
import os, tempfile
from codeact import Session
place = os.environ["TMPDIR"] = tempfile.mkdtemp()
os.chmod(place, 0o711)
with Session() as first:
    first.run("open('first', 'w').write('all')")
    with first.fork() as second, second.fork() as third:
        second.run("open('second', 'w').write('x')")
        link = third._life._link
        print(third.run("import os; open('third', 'w').write('x'); ','.join(sorted(os.listdir('.')))").value)
        print(third._life._link is link)
print(os.listdir(place))
"""


@root_alone
@pytest.mark.parametrize("wishes", [("user",), ("no-namespaces",), ("user", "no-namespaces"), ("no-landlock",)])
def test_a_copy_of_a_copy_has_a_folder_of_its_own_elsewhere_too(wishes):
    assert elsewhere(*wishes, program=GENERATIONS).split() == ["first,third", "True", "[]"]


WRITES_TO_THE_FOLDER_OF_ITS_COPY = """
import os, threading
from codeact.session.onestep import OneStep
from codeact.testing import raw_session
with raw_session() as other, raw_session() as session:
    other.run("x = 1")
    session.run('''
import os, socket
receive, told = socket.recv_fds, []
def overheard(*arguments):
    found = receive(*arguments)
    told.extend([found[0].decode()] if found[0][:1] == b'/' else [])
    return found
socket.recv_fds = overheard
''')
    copy = session.fork()
    (place,) = session.run("told").value
    endless = "while True:\\n    try: os.mkdir(told[0] + '/' + os.urandom(8).hex())\\n    except OSError: pass"
    step = OneStep(session, endless)
    writing = threading.Thread(target=step.run)
    writing.start()
    while not os.listdir(place):
        pass
    copy.close()
    print(writing.is_alive(), other.run("x").value)
    step.call_off()  # what it has made has to be taken away
    writing.join()
"""


@root_alone
@pytest.mark.parametrize("wishes", [("no-namespaces",), ("user", "no-namespaces")])
def test_a_copys_folder_that_its_original_goes_on_writing_to_holds_up_nobody(wishes):
    assert elsewhere(*wishes, program=WRITES_TO_THE_FOLDER_OF_ITS_COPY).split() == ["True", "1"]


LOOKS_FOR_THE_COPIES_OF_ANOTHER = """
import os
from codeact.testing import raw_session
with raw_session() as session, session.fork() as copy:
    copy.run("open('mine', 'w').write('x')")
    with raw_session() as other:
        print(other.run('''
import os, sys
frame = sys._getframe()
while type(frame.f_locals.get("self")).__name__ != "_Zygote":
    frame = frame.f_back
members = frame.f_locals["self"].sessions._members.values()
folder, = (member.folder for member in members if member.folder)
try:
    os.chmod(folder, 0)
except OSError:
    pass
os.path.exists(folder + '/mine')
''').value, copy.run("open('mine').read()").value)
"""


@root_alone
@pytest.mark.parametrize("wishes", [("user",), ("user", "no-landlock"), ("no-landlock",)])
def test_no_session_reaches_the_folders_of_the_copies_of_another(wishes):
    assert elsewhere(*wishes, program=LOOKS_FOR_THE_COPIES_OF_ANOTHER).strip() == "False x"


def three_generations(first):
    first.run("open('first', 'w').write('all')")
    second = first.fork()
    return first, second, second.fork()
