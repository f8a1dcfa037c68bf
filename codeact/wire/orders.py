"""What the host and its zygote say to each other about sessions; no byte of this comes from a snippet.

    host ── Spawn, with the session's socket ──▶ zygote ── Spawned ──▶ host
                                                   └ fork ─▶ session ── Caged | Refused, over its own socket ──▶ host
"""

from __future__ import annotations

import msgspec

# The names of the walls, as `Session(without=…)`, `session.walls` and `codeact doctor` say them.
PRIVILEGES, IDENTITY, CAPABILITIES = "privileges", "identity", "capabilities"
DESCRIPTORS, ENVIRONMENT = "descriptors", "environment"
FILES, LANDLOCK, SYSCALLS = "files", "landlock", "syscalls"
NETWORK, PIDS, IPC = "network", "pids", "ipc"
LIMITS, PROCESSES, FOLDER = "limits", "processes", "folder"
WALLS = (
    *(PRIVILEGES, IDENTITY, CAPABILITIES, DESCRIPTORS, ENVIRONMENT, FILES, LANDLOCK, SYSCALLS),
    *(NETWORK, PIDS, IPC, LIMITS, PROCESSES, FOLDER),
)


class Start(msgspec.Struct, frozen=True, tag=True):
    """The first order: what a zygote imports, which walls it leaves out, where code may be imported from."""

    imports: tuple[str, ...]
    paths: tuple[str, ...]
    without: tuple[str, ...] = ()


class Spawn(msgspec.Struct, frozen=True, tag=True):
    """Fork a session that talks over the socket sent along; the other descriptors are the files named."""

    checked: bool
    memory_bytes: int
    folder_bytes: int
    checkpoints: int
    files: tuple[str, ...] = ()


class Kill(msgspec.Struct, frozen=True, tag=True):
    """Kill the process of a session that runs the step, or `whole`: all its processes."""

    session: int
    whole: bool


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The zygote's imports are done."""


class Spawned(msgspec.Struct, frozen=True, tag=True):
    """A session was forked; `session` is the number to name it by in further orders."""

    session: int


class Killed(msgspec.Struct, frozen=True, tag=True):
    """What was named is dead; `left` says whether another process of the session lives."""

    left: bool


class WallReport(msgspec.Struct, frozen=True):
    """One wall of a session as it stands."""

    name: str
    holds: bool
    detail: str = ""
    remedy: str = ""


class Caged(msgspec.Struct, frozen=True, tag=True):
    """A session's first word: it is caged, and how."""

    walls: tuple[WallReport, ...]
    folder: str


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A zygote's or session's last word: a wall cannot be put up."""

    wall: str
    reason: str
    remedy: str


ORDER_BYTES = 1 << 17  # an order or its answer is one packet of at most this size
Order = Start | Spawn | Kill
Answer = Ready | Spawned | Killed | Refused
FirstWord = Caged | Refused

encode = msgspec.msgpack.Encoder().encode
decode_order = msgspec.msgpack.Decoder(Order).decode
decode_answer = msgspec.msgpack.Decoder(Answer).decode
decode_first_word = msgspec.msgpack.Decoder(FirstWord).decode
