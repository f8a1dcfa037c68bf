"""The messages that cross the wall, both ways; a message that is none of these ends the session.

`call` numbers are the worker's: an answer carries the number of its call. Fields named `value`, `arguments`, `named`,
`variables` and `answer` hold what `values.pack` made.
"""

from __future__ import annotations

from typing import Any

import msgspec

from codeact.records import Failure, SkillSource, ToolSpec, Variable


class _Message(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Positional on the wire: the tag, then the fields in order."""


class Define(_Message, frozen=True, tag="define"):
    """Host → worker, first of all: these tools and skills exist in the session.

    Answered by `Done` where there are skills, which run code of their own; nobody waits for the rest.
    With a `seed`, random numbers are the same each time; with `fixed_clock`, what the clocks say as well.
    """

    tools: list[ToolSpec]
    skills: list[SkillSource]
    seed: int | None = None
    fixed_clock: bool = False


class Reseed(_Message, frozen=True, tag="reseed"):
    """Host → worker: draw random numbers from this seed on; answered by `Done`."""

    seed: int


class Assign(_Message, frozen=True, tag="assign"):
    """Host → worker: bind these names; answered by `Done`."""

    variables: Any


class StepLimits(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one step may use, as far as the worker itself keeps count; some more where it is lived `again`."""

    operations: int
    output_chars: int
    tool_calls: int
    text_chars: int
    value_bytes: int
    again: bool = False


class Step(_Message, frozen=True, tag="step"):
    """Host → worker: run this source; answered by `Finished`. `backup`: freeze a copy of the state first.

    `frugal`: let go of all frozen states once the step has ended without a failure.
    The step's calls are numbered from `first_call` on, so that none is taken for one of a step that was killed.
    With `after`, it is for the state in which the step with that first call was the last one, and for no other.
    `soon`: the next one is likely to come at once, and is to be looked for. Its clocks say these `readings` first.
    """

    source: str
    limits: StepLimits
    backup: bool
    first_call: int = 0
    frugal: bool = False
    after: int = 0
    soon: bool = False
    readings: list[int] = []


class Returned(_Message, frozen=True, tag="returned"):
    """Host → worker: the tool returned this."""

    call: int
    value: Any


class Raised(_Message, frozen=True, tag="raised"):
    """Host → worker: the tool raised; `error` is a built-in exception's name, or empty."""

    call: int
    error: str
    message: str


class Given(_Message, frozen=True, tag="given"):
    """Host → worker: the answers up to here came before the wait was over, those from here on after it."""


class Describe(_Message, frozen=True, tag="describe"):
    """Host → worker: say which variables there are; answered by `Described`."""


class ReadFile(_Message, frozen=True, tag="read-file"):
    """Host → worker: send a file of the working folder; answered by `Content`."""

    name: bytes
    most_bytes: int


class Rewind(_Message, frozen=True, tag="rewind"):
    """Host → worker: an older state takes over; answered by `Rewound`."""

    steps: int


class Fork(_Message, frozen=True, tag="fork"):
    """Host → worker: make a copy of the session, which draws from this seed; answered by `Done`."""

    seed: int | None = None  # None: it goes on drawing what its original will draw


class Done(_Message, frozen=True, tag="done"):
    """Worker → host: done, or not, and then why not."""

    problem: str = ""


#: So many waits of a step are told of, and readings of its clocks.
MOST_WAITS, MOST_READINGS = 1 << 17, 10_000

NO_ROOM = Done("there is not enough memory left for it; the user can allow more with Limits(memory_bytes=…)")


class Call(_Message, frozen=True, tag="call"):
    """Worker → host: call this tool. `aside`: other calls may run beside it; `readings`: what clocks said before it."""

    call: int
    tool: str
    arguments: list[Any]
    named: dict[str, Any]
    aside: bool
    readings: list[int] = []


class Waits(_Message, frozen=True, tag="waits"):
    """Worker → host: while calls are under way, answers are looked for, or the code of the step is over.

    It is answered by `Given`, when all that was given before is on its way. `taken`: a wait is over, and so many
    answers have been taken in; where more were given, it was not in vain. With `unanswered` calls a wait begins that
    the answer to one of so many can end, and nothing else: no `Given` then.
    """

    unanswered: int = 0
    taken: int | None = None


class Output(_Message, frozen=True, tag="output"):
    """Worker → host: this was printed."""

    text: str


class WrittenFile(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A file a step wrote, named as the file system does."""

    name: bytes
    size_bytes: int


class Picture(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A picture a step made."""

    name: str
    media_type: str
    content: bytes


class Spent(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a step used by the worker's own count."""

    loops: int
    calls: int
    elements: int
    cpu_seconds: float
    peak_memory_bytes: int


class Finished(_Message, frozen=True, tag="finished"):
    """Worker → host: the step is over; `began`: its code was run, not refused as a whole.

    `steady`: given the same answers by its tools, it would come to the same again. `readings`: since the last call.
    """

    value: Any
    text: str
    failure: Failure | None
    spent: Spent
    answered: bool
    answer: Any
    files: list[WrittenFile]
    pictures: list[Picture]
    first_call: int = 0  # of the step this is the end of
    began: bool = True
    steady: bool = False
    readings: list[int] = []


class Described(_Message, frozen=True, tag="described"):
    """Worker → host: the variables of the session."""

    variables: dict[str, Variable]


class Content(_Message, frozen=True, tag="content"):
    """Worker → host: a file's bytes; None where there is no such file or it is too large."""

    content: bytes | None
    problem: str = ""


class RolledBack(_Message, frozen=True, tag="rolled-back"):
    """Worker → host: the process that ran the step is gone; I am the state before it, known by its `first_call`."""

    first_call: int = 0


class Missed(_Message, frozen=True, tag="missed"):
    """Worker → host: this step was for a state that I am not, and has not run."""

    first_call: int


class Rewound(_Message, frozen=True, tag="rewound"):
    """Worker → host: I am the older state that was asked for, or so many steps `beyond` it; or why there is none."""

    problem: str = ""
    beyond: int = 0


ToWorker = Define | Reseed | Assign | Step | Returned | Raised | Given | Describe | ReadFile | Rewind | Fork
ToHost = Done | Call | Waits | Output | Finished | Described | Content | RolledBack | Missed | Rewound


def without_surrogates(part: Any) -> Any:
    """Give the same with each lone surrogate replaced by U+FFFD."""
    if isinstance(part, str):
        return part.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(part, dict):
        return {without_surrogates(key): without_surrogates(value) for key, value in part.items()}
    if isinstance(part, list):
        return [without_surrogates(item) for item in part]
    if names := getattr(part, "__struct_fields__", None) or getattr(part, "__dataclass_fields__", None):
        return type(part)(**{name: without_surrogates(getattr(part, name)) for name in names})
    return part
