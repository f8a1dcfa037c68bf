"""A worker that says anything: proper messages bent, cut, doubled, mixed up, blown up, or plain noise."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable

import msgspec

from codeact.limits import Limits
from codeact.records import Failure, Observation, Variable
from codeact.session.observing import observe
from codeact.session.past import Lived
from codeact.session.serving import Serving
from codeact.session.stretch import Stretch
from codeact.toolbox import Toolbox
from codeact.wire import messages as say
from codeact.wire.frames import host_channel

BEGAN, FIRST_CALL = 1 << 32, 3 << 32  # of the first of the steps that share a state, and of the step that is served
PACKETS = 24  # of one worker; as many as fit into a socket nobody reads
LIMITS = Limits(tool_calls=50, output_chars=10_000)

Packets = list[bytes]


def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


TOOLS = Toolbox([add]).tools
_SPENT = say.Spent(1, 2, 3, 0.1, 1 << 20)
_VALUES = [
    1, None, "text", b"bytes", [1, 2.5], {"a": [None]}, {0: "set", 1: [1, 2]}, {0: "rows", 1: ["a"], 2: [[1, 2]]},
    {0: "eval", 1: "x"}, {0: "ints", 1: b"12345678"}, {0: "described", 1: "t", 2: "u"}, {0: 0}, {1: 2}, {0: "dict", 1: [[1], 2]},
]  # fmt: skip


def proper(chance: random.Random) -> object:
    """Something a worker may say, at the right time or not."""
    value = chance.choice(_VALUES)
    number = FIRST_CALL + chance.choice((1, 1, 1, 2, 3, 0, -1))
    named = chance.choice(("ValueError", "Paused", "Interrupted", ""))  # two are what the host calls its own
    kind = chance.choice(("raised", "limit", "crash"))
    failure = chance.choice((None, Failure(kind, named, "x" * chance.choice((1, 10_000)))))
    written = [
        say.WrittenFile(chance.choice((b"a.txt", b"../up", b"/abs", b"", b"x\0", b"\xff")), chance.choice((3, -1)))
    ]
    return chance.choice(
        (
            say.Call(number, chance.choice(("add", "add", "add", "os.system", "")), [value], {}, chance.random() < 0.5),
            say.Call(number, "add", [1], {"b": value}, False),
            say.Output("text" * chance.choice((1, 100, 5_000))),
            say.Waits(chance.choice((0, 1, -1)), chance.choice((None, 0, 1, -1))),
            say.Finished(value, "text", failure, _SPENT, chance.random() < 0.5, value, written, [], FIRST_CALL),
            say.Finished(value, "text", failure, _SPENT, False, None, [], [], chance.choice((0, FIRST_CALL + 1))),
            say.Finished(value, "text", None, _SPENT, False, None, [], [], FIRST_CALL, steady=True),
            say.RolledBack(chance.choice((0, BEGAN, FIRST_CALL))),
            say.Missed(chance.choice((0, BEGAN, FIRST_CALL))),
            say.Rewound(beyond=chance.choice((0, 1, -1, 1 << 40))),
            say.Done("x"),
            say.Described({"x": Variable("int", "1")}),
            say.Content(b"x"),
            say.Describe(),
        )
    )


def _whole(content: bytes) -> Packets:
    return [b"\x03" + content]


def _in_parts(content: bytes, chance: random.Random) -> Packets:
    cut = chance.randrange(len(content) + 1)
    return [b"\x01" + content[:cut], b"\x02" + content[cut:]]


def _bent(content: bytes, chance: random.Random) -> bytes:
    bent = bytearray(content)
    for _ in range(chance.randrange(1, 4)):
        bent[chance.randrange(len(bent))] = chance.randrange(256)
    return bytes(bent)


_BENDINGS: tuple[Callable[[bytes, random.Random], Packets], ...] = (
    lambda content, chance: _whole(content),
    lambda content, chance: _whole(content),
    lambda content, chance: _whole(content) * 2,
    lambda content, chance: _whole(content[: chance.randrange(len(content))]),
    lambda content, chance: _whole(_bent(content, chance)),
    lambda content, chance: _whole(content + chance.randbytes(3)),
    _in_parts,
    lambda content, chance: _in_parts(content, chance)[::-1],
    lambda content, chance: [bytes([chance.randrange(256)]) + content],
    lambda content, chance: _whole(chance.randbytes(chance.randrange(1, 200))),
    lambda content, chance: _whole(b"\xdd\xff\xff\xff\xff" + content),  # an array of 4 thousand million
    lambda content, chance: _whole(b"\x91" * chance.randrange(1, 3_000)),  # nested to death
    lambda content, chance: [b"\x01" + bytes(30_000), *[b"\x00" + bytes(30_000)] * 2],
)


def stretch() -> Stretch:
    """A step that no state is frozen after."""
    made = Stretch()
    made.steps, made.began, made.last = [Lived("1")], BEGAN, BEGAN
    return made


def packets(chance: random.Random) -> Packets:
    """What one worker says, all in all."""
    said: Packets = []
    while len(said) < PACKETS:
        content = msgspec.msgpack.encode(proper(chance))
        said += chance.choice(_BENDINGS)(content, chance)
    if chance.random() < 0.2:
        chance.shuffle(said)
    return said[:PACKETS]


def heard(said: Packets, before: Stretch | None = None) -> tuple[Serving, Observation]:
    """Let a host serve a step for a worker that says this and hangs up; it may follow others without a state."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
            serving = Serving(host_channel(ours), TOOLS, LIMITS, FIRST_CALL)
            serving.stretch = before or serving.stretch
            for packet in said:
                theirs.send(packet)
            theirs.shutdown(socket.SHUT_WR)
            assert serving.run("1", 60), "the host waits for ever"
            serving.see_if_missed(60)
        return serving, observe(serving, LIMITS, 0.0)
