"""What a session sees of the host's files, and what it can do in its own folder."""

from __future__ import annotations

import pytest

from codeact import Limits
from codeact.testing import raw_session

HIDDEN = (
    "/etc/passwd",
    "/etc/shadow",
    "/proc/self/environ",
    "/proc/1/root",
    "/sys/kernel",
    "/dev/shm",
    "/dev/kmsg",
    "/var/tmp",
)


@pytest.mark.parametrize("place", HIDDEN)
def test_the_hosts_files_do_not_exist(attack, place):
    seen = attack(f"refused(lambda: os.stat({place!r})), refused(lambda: os.open({place!r}, os.O_PATH))")

    assert seen.value == ("FileNotFoundError", "FileNotFoundError")


def test_a_file_of_the_host_is_neither_read_nor_changed(attack, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    attempts = [
        f"open({str(secret)!r}).read()",
        f"open({str(secret)!r}, 'w')",
        f"os.truncate({str(secret)!r}, 0)",
        f"os.rename({str(secret)!r}, 'mine')",
        f"os.unlink({str(secret)!r})",
        f"open('../' * 20 + {str(secret)!r}).read()",
        f"os.open({str(secret)!r}, os.O_PATH)",
    ]
    seen = attack(f"[refused(lambda a=a: eval(a)) for a in {attempts!r}]")

    assert seen.value == ["FileNotFoundError"] * len(attempts)
    assert secret.read_text() == "hidden"


@pytest.mark.parametrize("place", ["os.__file__", "os.path.dirname(os.__file__) + '/new.py'", "'/new'", "'/forks/new'"])
def test_nothing_outside_the_folder_is_written(attack, place):
    assert attack(f"refused(lambda: open({place}, 'w'))").value in ("PermissionError", "OSError")


@pytest.mark.parametrize("reach", ["os.listdir({!r})", "open({!r} + '/mine').close()", "os.mkdir({!r} + '/new')"])
def test_a_copy_reaches_not_the_folder_of_the_session_it_was_made_of(reach):
    with raw_session() as session:
        folder = session.run("import os\nopen('mine', 'w').close()\nos.getcwd()").value
        with session.fork() as copy:
            assert (failure := copy.run(reach.format(folder)).failure) is not None
            assert failure.type == "PermissionError"
            assert copy.run("os.listdir('.')").value == ["mine"]


def test_the_root_is_not_listed(attack):
    assert attack("[refused(lambda: os.listdir(p)) for p in ('/', '/forks', '..')]").value == ["PermissionError"] * 3


@pytest.mark.parametrize(
    "make", ["os.symlink('/', 'l')", "os.link('a', 'b')", "os.mkfifo('p')", "os.mknod('d', 0o20600, 259)"]
)
def test_the_folder_takes_no_links_pipes_or_devices(attack, make):
    assert attack(f"open('a', 'w').close()\nrefused(lambda: {make})").value == "PermissionError"


def test_the_folder_has_a_size(attack):
    seen = attack(
        "def fill():\n"
        "    for n in range(64):\n"
        "        open(f'f{n}', 'wb').write(bytes(1 << 20))\n"
        "[refused(fill), sum(os.stat(f).st_blocks * 512 for f in os.listdir('.')) <= 17 << 20]"
    )

    assert seen.value == ["OSError", True]


def test_the_folder_has_a_number_of_files(attack):
    seen = attack("def fill():\n    for n in range(100_000):\n        os.mkdir(str(n))\nrefused(fill)")

    assert seen.value == "OSError"


def test_a_program_written_to_the_folder_is_not_mapped_as_code(attack):
    seen = attack(
        "open('x', 'wb').write(bytes(4096))\nf = os.open('x', os.O_RDONLY)\nsyscall(mmap, 0, 4096, 5, 2, f, 0)"
    )

    assert seen.value == -1


@pytest.mark.parametrize(
    "attempt", ["open('in.csv', 'w')", "os.unlink('in.csv')", "os.rename('in.csv', 'x')", "os.chmod('in.csv', 0o666)"]
)
def test_a_file_handed_in_stays_as_it_is(tmp_path, attempt):
    source = tmp_path / "orders.csv"
    source.write_text("1,2\n")
    code = (
        f"import os\ntry:\n    {attempt}\n    said = 'through'\nexcept OSError:\n    said = open('in.csv').read()\nsaid"
    )
    with raw_session(files={"in.csv": source}, limits=Limits(memory_bytes=128 << 20)) as session:
        assert session.run(code).value == "1,2\n"


def test_sessions_do_not_see_each_others_folders():
    with raw_session() as one, raw_session() as other:
        one.run("open('mine', 'w').write('x')")

        assert other.run("import os\nos.listdir('.')").value == []


def test_of_the_devices_only_nothing_and_chance_can_be_opened(attack):
    seen = attack(
        "[name for name in ('null', 'zero', 'full', 'random', 'urandom', 'tty', 'kvm', 'fuse', 'mem', 'ptmx', 'loop0')\n"
        " if not refused(lambda: os.close(os.open('/dev/' + name, os.O_RDONLY)))]"
    )

    assert seen.value == ["null", "random", "urandom"]
