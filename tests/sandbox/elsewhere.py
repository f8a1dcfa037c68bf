"""Run a program as somebody else, or where less is allowed: `-m tests.sandbox.elsewhere [WISH…] PROGRAM`, as root.

`user` drops to an ordinary user, after making a private view of the file system in which that user can enter every
folder this Python and this package lie in. `no-capabilities` leaves root nothing but its number, `no-override` all but
its way past what files allow. `no-proc` hides `/proc`, `proc-read-only` lets nobody write to it, `read-only` to any
file. For `mounted-below` see there. The others are kernels that offer less (`kernels.py`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import codeact
from codeact.worker import kernel
from tests.sandbox import kernels

USER = 12_345
_OVERRIDE = (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
INSPECT = """
import json
from codeact.sandbox.walls import inspect
found = inspect()
print(json.dumps([found.fit, {wall.name: [wall.holds, wall.detail, wall.remedy] for wall in found.walls}]))
"""
WORKS = """
from codeact import Limits, Session
def hour() -> None:
    'Takes an hour, at once.'
    session.clock._stood -= 3600
with Session(tools=[hour], limits=Limits(operations=10**12)) as session:
    session.run("x = 1; open('f', 'w').write('y' * 6_000_000)")
    seen = session.run("hour()\\nwhile True: pass")
    with session.fork() as copy:
        print(seen.rolled_back, session.run("x").value, copy.run("len(open('f').read())").value)
"""


def elsewhere(*wishes: str, program: str) -> str:
    """What the program prints there, with a folder for temporary files that goes when it has ended."""
    command = [sys.executable, "-m", "tests.sandbox.elsewhere", *wishes, program]
    root = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o1777)
        raw = {**os.environ, "CODEACT_RAW_SESSIONS": "1", "TMPDIR": place}
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=raw, cwd=root)
    assert done.returncode == 0, done.stderr
    return done.stdout


def mount_of(folder: str) -> Path:
    """The mount a folder lies on."""
    place = Path(folder).resolve()
    return next(above for above in (place, *place.parents) if above.is_mount())


def inspect(*wishes: str) -> tuple[bool, dict[str, list[object]]]:
    """Whether the doctor is content there, and each wall: whether it holds, what it is, and the remedy."""
    fit, walls = json.loads(elsewhere(*wishes, program=INSPECT))
    return fit, walls


def main() -> None:
    *wishes, program = sys.argv[1:]
    for wish in wishes:
        if wish.startswith("landlock-version-"):
            kernels.with_landlock_of(int(wish.rpartition("-")[2]))
    if "no-proc" in wishes:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount("empty", "/proc", "tmpfs", flags=0)
    if "proc-read-only" in wishes:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.make_read_only("/proc", below=False)
    if "read-only" in wishes:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
        for place in {mount_of(folder) for folder in ("/", os.environ["TMPDIR"], "/tmp", "/var/tmp", os.getcwd())}:
            kernel.remount_read_only(str(place))
    if "mounted-below" in wishes:  # a place anybody may write to, below one that sessions read
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
        os.makedirs("/usr/local/lib", exist_ok=True)
        kernel.mount("below", "/usr/local/lib", "tmpfs", flags=0, options="mode=755")
        os.mkdir("/usr/local/lib/a b")
        kernel.mount("below", "/usr/local/lib/a b", "tmpfs", flags=0, options="mode=777")
    if "user" in wishes:
        open_closed_folders()
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    if "no-capabilities" in wishes:
        kernel.drop_capabilities()
    for capability in _OVERRIDE if "no-override" in wishes else ():
        kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
    kernels.refuse(wishes)
    os.chdir("/")
    os.execv(sys.executable, [sys.executable, "-c", program])


def open_closed_folders() -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    package = os.path.dirname(os.path.dirname(codeact.__file__))
    needed = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix, package)}
    needed |= {os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))}
    for place in sorted(needed):
        closed = next((folder for folder in ancestors(place) if not os.stat(folder).st_mode & 0o001), None)
        if closed is None:
            continue
        below = sorted(other for other in needed if other.startswith(closed + "/"))
        copies = [tempfile.mkdtemp() for _ in below]
        for source, copy in zip(below, copies, strict=True):
            kernel.mount(source, copy, "", flags=kernel.MS_BIND | kernel.MS_REC)
        kernel.mount("open", closed, "tmpfs", flags=0, options="mode=755")
        for source, copy in zip(below, copies, strict=True):
            os.makedirs(source, exist_ok=True)
            kernel.mount(copy, source, "", flags=kernel.MS_BIND | kernel.MS_REC)
            kernel.unmount(copy)
            os.rmdir(copy)


def ancestors(place: str) -> list[str]:
    parts = place.split("/")
    return ["/".join(parts[:length]) for length in range(2, len(parts))]


if __name__ == "__main__":
    main()
