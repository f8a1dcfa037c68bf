"""What the host and its zygote say to each other about sessions; no byte of this comes from a snippet.

host ── Spawn, with the session's socket ──▶ zygote ── Spawned ──▶ host
                                               └ fork ─▶ session ── Caged | Refused, over its own socket ──▶ host

Orders are numbered, and each answer bears the number of its order: one that nobody waits for any more, because Ctrl-C
ended the wait, is not taken for the answer to the next.
"""

from __future__ import annotations

import msgspec

from codeact.records import Wall

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
    """The first order: what a zygote imports, which walls it leaves out, where code may be imported from.

    `temporary`: where the host keeps temporary files, if it says so. The two may read the bytes of a path differently.
    """

    imports: tuple[str, ...]
    paths: tuple[bytes, ...]
    without: tuple[str, ...] = ()
    temporary: bytes = b""


class Spawn(msgspec.Struct, frozen=True, tag=True):
    """Fork a session that talks over the socket sent along; the other descriptors are the files named."""

    checked: bool
    memory_bytes: int
    folder_bytes: int
    checkpoints: int
    files: tuple[str, ...] = ()
    check_first: bool = True
    replaceable: bool = False  # until its first step has ended: what it was told before, another can be told anew


class Kill(msgspec.Struct, frozen=True, tag=True):
    """Kill the process of a session that runs the step, or `whole`: all its processes, again until they have ended."""

    session: int
    whole: bool


class Fork(msgspec.Struct, frozen=True, tag=True):
    """Make room for a copy of a session, and send what it needs through the host's end of its socket, sent along."""

    session: int


class MakeRoom(msgspec.Struct, frozen=True, tag=True):
    """Let a session have its frozen states, which it had no need of in its first step; not answered."""

    session: int


class TakenOver(msgspec.Struct, frozen=True, tag=True):
    """Another process of a session has taken over; note which, while none of it runs a step that could lie about it."""

    session: int


class Look(msgspec.Struct, frozen=True, tag=True):
    """Look whether the sessions keep to their memory; not answered."""


class Stir(msgspec.Struct, frozen=True, tag=True):
    """Say what the processes of a session are doing."""

    session: int


class Stirring(msgspec.Struct, frozen=True, tag=True):
    """Whether any of them is awake, or waits to be run, and for how long all of them have computed.

    `step`: the first call of the step that has begun, by the session's own account.
    """

    awake: bool
    cpu_seconds: float
    step: int


class Born(msgspec.Struct, frozen=True, tag=True):
    """The zygote's process number as the host knows it, said by the process that forked it."""

    pid: int


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The zygote's imports are done."""


class Spawned(msgspec.Struct, frozen=True, tag=True):
    """A session was forked; `session` is the number to name it by in further orders."""

    session: int


class Forked(msgspec.Struct, frozen=True, tag=True):
    """There is room: the copy's number, and the folder it will have."""

    session: int
    folder: str


class Noted(msgspec.Struct, frozen=True, tag=True):
    """Who has taken over is noted."""


class Killed(msgspec.Struct, frozen=True, tag=True):
    """What was named is killed; `left` says whether another process of the session lives, or has yet to end."""

    left: bool


class Caged(msgspec.Struct, frozen=True, tag=True):
    """A session's first word: it is caged, and how."""

    walls: tuple[Wall, ...]
    folder: str


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A zygote's or session's last word: a wall cannot be put up."""

    wall: str
    reason: str
    remedy: str


ORDER_BYTES = 1 << 17  # an order or its answer is one packet of at most this size
Order = Start | Spawn | Kill | Fork | MakeRoom | TakenOver | Look | Stir
Answer = Born | Ready | Spawned | Killed | Noted | Forked | Stirring | Refused
FirstWord = Caged | Refused

_NUMBER_BYTES = 8

encode = msgspec.msgpack.Encoder().encode
_orders: msgspec.msgpack.Decoder[Order] = msgspec.msgpack.Decoder(Order)
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
_first_words: msgspec.msgpack.Decoder[FirstWord] = msgspec.msgpack.Decoder(FirstWord)
decode_order, decode_answer, decode_first_word = _orders.decode, _answers.decode, _first_words.decode


def numbered(message: object, number: int = 0) -> bytes:
    """An order or an answer behind the order's number, as it travels; the first order has the number 0."""
    return number.to_bytes(_NUMBER_BYTES) + encode(message)


def taken_apart(packet: bytes) -> tuple[int, bytes]:
    """The number of the order that a packet holds, or holds the answer to, and what follows it."""
    return int.from_bytes(packet[:_NUMBER_BYTES]), packet[_NUMBER_BYTES:]
