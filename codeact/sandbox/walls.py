"""Each wall of the cage, proved on this machine: a throw-away session without the language tries to break them all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from codeact.errors import CageError, SessionError
from codeact.limits import Limits, Policy
from codeact.records import Wall
from codeact.sandbox import launch
from codeact.wire import messages, orders
from codeact.wire.frames import ChannelClosed, host_channel
from codeact.wire.undelivered import NotInTime
from codeact.wire.values import unpack

_LIMITS = Limits(memory_bytes=64 << 20, folder_bytes=8 << 20)
_STEP = messages.StepLimits(operations=10_000_000, output_chars=0, tool_calls=0, text_chars=1_000, value_bytes=10_000)
_ATTEMPT_SECONDS = 20.0
_REPORT = "This is a defect of the cage on this machine: do not run untrusted code here, and report it"

# A wall's name, and a program whose value is a list of what got through: empty where the wall holds.
_TOOLS = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def through(what, attempt):
    try:
        return [what] if attempt() is not False else []
    except (OSError, MemoryError, RuntimeError, ValueError):
        return []
"""
_ATTEMPTS = {
    orders.PRIVILEGES: """
through("new privileges", lambda: libc.prctl(39, 0, 0, 0, 0) != 1) + through("a set-id file", lambda: (
    open("s", "w").close(), os.chmod("s", 0o4755)))""",
    orders.IDENTITY: """
through("root", lambda: os.setuid(0)) + through("root's number", lambda: os.getuid() == 0)""",
    orders.CAPABILITIES: """
through("chroot", lambda: os.chroot(".")) + through("a capability", lambda: any(libc.prctl(23, c, 0, 0, 0) == 1
    for c in range(41)) and libc.mount(b"x", b".", b"tmpfs", 0, None) == 0)""",
    orders.DESCRIPTORS: """
[f"descriptor {d}" for d in range(4, 300) if through("open", lambda: os.fstat(d).st_mode & 0o170000 in (
    0o140000, 0o100000, 0o040000, 0o060000) or os.fstat(d).st_rdev != os.stat("/dev/null").st_rdev
    and os.fstat(d).st_mode & 0o170000 == 0o020000)]""",
    orders.ENVIRONMENT: """
[name for name in os.environ if name in ("PATH", "USER", "HOSTNAME", "SHELL", "LD_PRELOAD") or "KEY" in name]""",
    orders.FILES: """
[f for f in ("/etc/passwd", "/etc/shadow", "/proc/1/environ", "/sys/kernel", "/dev/shm", "/dev/kmsg")
    if through(f, lambda: os.stat(f))]""",
    orders.LANDLOCK: """
through("the root folder", lambda: os.listdir("/")) + through("writing beside Python", lambda: open(
    os.path.dirname(os.__file__) + "/codeact-probe", "w")) + through("a link", lambda: os.symlink("/", "link"))""",
    orders.SYSCALLS: """
[w for w, a in {
    "a socket": socket.socket, "a program": lambda: os.execv("/bin/true", ["true"]),
    "a signal": lambda: os.kill(os.getpid(), 0), "hidden memory": lambda: os.memfd_create("x"),
    "a namespace": lambda: libc.unshare(0x10000000) == 0, "tracing": lambda: libc.ptrace(0, 0, 0, 0) == 0,
    "a session": lambda: libc.syscall(112) > 0, "a key": lambda: libc.syscall(250, 0, -3, 0) > 0,
}.items() if through(w, a)]""",
    orders.NETWORK: """
through("a network interface", lambda: [label for _, label in socket.if_nameindex() if label != "lo"] != [])""",
    orders.PIDS: """
through("the host's processes", lambda: os.path.exists("/proc/self"))""",
    orders.IPC: """
through("System V memory", lambda: libc.shmget(0, 4096, 0o1600) >= 0)""",
    orders.LIMITS: """
through("memory", lambda: bytearray(200 << 20)) + through("descriptors", lambda: [os.dup(0) for _ in range(200)])""",
    orders.PROCESSES: """
through("a process", lambda: os.fork() or os._exit(0))""",
    orders.FOLDER: """
through("space", lambda: [open(f"f{n}", "wb").write(bytes(1 << 20)) for n in range(32)])""",
}


@dataclass(frozen=True, slots=True)
class Inspection:
    """The walls as they stand; `fit` where a session starts and no wall that was said to hold was broken through."""

    walls: tuple[Wall, ...]
    fit: bool


def inspect() -> Inspection:
    """Every wall as it stands on this machine; where the cage cannot be put up, the one wall that is in the way."""
    try:
        standing = _standing()
        found = tuple(_attacked(wall) if wall.holds else wall for wall in standing)
    except CageError as error:
        return Inspection((Wall(error.wall, holds=False, detail=error.reason, remedy=error.remedy),), fit=False)
    return Inspection(found, fit=[wall.holds for wall in found] == [wall.holds for wall in standing])


def _standing() -> tuple[Wall, ...]:
    with launch.start(policy=Policy(), limits=_LIMITS, checked=False) as worker:
        return worker.walls


def _attacked(wall: Wall) -> Wall:
    """The wall after an attack, in a session of its own, for an attack may leave one exhausted."""
    with launch.start(policy=Policy(), limits=_LIMITS, checked=False) as worker:
        try:
            through = _run(worker, _TOOLS + _ATTEMPTS[wall.name])
        except (SessionError, ChannelClosed, NotInTime) as error:
            return replace(wall, holds=False, detail=f"the attack on it could not be run ({error})", remedy=_REPORT)
    if through:
        return replace(wall, holds=False, detail=f"broken through: {', '.join(map(str, through))}", remedy=_REPORT)
    return wall


def _run(worker: launch.Worker, source: str) -> list[object]:
    """The value of a program run unchecked in the session, which is a list unless the program did not end."""
    channel = host_channel(worker.socket)
    channel.send(messages.Define([], []))
    for step in ("None", source):  # in its first step a session may do less: it has no frozen states yet
        worker.before_step()
        channel.send(messages.Step(step, _STEP, backup=True))
    channel.receive(_ATTEMPT_SECONDS)
    while True:
        answer = channel.receive(_ATTEMPT_SECONDS)
        if isinstance(answer, messages.Finished):
            if answer.failure is not None:
                return [f"{answer.failure.type}: {answer.failure.message}"]
            found = unpack(answer.value)
            return found if isinstance(found, list) else [found]
        if isinstance(answer, messages.RolledBack):
            return ["the session's process died"]
