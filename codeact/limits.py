"""What a snippet and a run may use: limits, budget, policy."""

from __future__ import annotations

import difflib
import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields

from codeact.errors import UsageError

_MOST = 1 << 62  # what fits a message, and the sums made of it
_MOST_OF_A_VALUE = 79 << 20  # a message ends at 80 MiB, and says more than the value
_KINDS = {"int": "a whole number of 0 or more", "float": "a number of 0 or more", "bool": "True or False"}


def _check(settings: object) -> None:
    """Refuse what is no such number, and make whole ones of `1e8` and its like."""
    for field in fields(settings):  # type: ignore[arg-type]  # every caller is a dataclass
        given, kind = getattr(settings, field.name), str(field.type)
        if (value := _read(given, kind)) is None:
            too_large = isinstance(given, int) and given > _MOST
            shown = f"a number of {given.bit_length()} bits" if too_large else f"{given!r:.80}"
            most = ", and 2**62 at most," if too_large else ""
            raise UsageError(f"{type(settings).__name__}({field.name}={shown}): {_KINDS[kind]}{most} is needed")
        object.__setattr__(settings, field.name, value)


def _read(given: object, kind: str) -> float | None:
    if kind == "bool" or isinstance(given, bool):
        return given if isinstance(given, bool) and kind == "bool" else None
    if not isinstance(given, int | float) or not given >= 0 or (isinstance(given, int) and given > _MOST):
        return None  # NaN is among them
    if kind == "float":
        return given
    return int(given) if given <= _MOST and given == int(given) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one step of a session may use; past any of these the step ends and is rolled back.

    `operations` counts turns of loops, calls and elements. `wall_seconds` take in the time of the step's tools, of
    which it makes `tool_calls` at most. A step prints `output_chars`; a model is shown `text_chars` of its value.
    `value_bytes` is the most for a value on its way in or out, and twice as much for all calls of a step together.
    `memory_bytes` and `folder_bytes` hold for the session with all its states, the others for each step.
    With `atomic`, a step that fails in any way is undone, not only one that was stopped.
    `checkpoints` is the number of earlier states kept for `rewind`; with 0, and inline, no backup is taken, and after a
    killed step the state is built again by running the earlier steps once more with what their tools returned. `rewind`
    does the same in a process with over a hundred sessions, which keeps frozen states only while a step runs.
    """

    operations: int = 100_000_000
    wall_seconds: float = 30.0
    memory_bytes: int = 1 << 30
    output_chars: int = 50_000
    tool_calls: int = 1_000
    value_bytes: int = 64 << 20
    text_chars: int = 4_000
    folder_bytes: int = 256 << 20
    checkpoints: int = 1
    atomic: bool = False

    def __post_init__(self) -> None:
        _check(self)
        if self.value_bytes > _MOST_OF_A_VALUE:
            raise UsageError(
                f"Limits(value_bytes={self.value_bytes}): {_MOST_OF_A_VALUE} (79 MiB) at most is needed, as a value "
                "crosses in one message; what is larger is handed in as a file, with files="
            )
        if self.atomic and not self.checkpoints:
            raise UsageError(
                "Limits(atomic=True, checkpoints=0): a state to go back to is needed, checkpoints=1 keeps one"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one run of an agent may use in all; spent, the run ends with the best it has.

    `steps` are turns of the model, `tokens` those it reads and writes, `cost_usd` dollars as litellm knows the prices.
    `wall_seconds` are the whole run's, `operations` and `tool_calls` those of all its steps.
    What `ask_model` and inner agents use counts too, except for `steps`.
    """

    steps: int = 12
    tokens: int = 200_000
    cost_usd: float = 1.0
    wall_seconds: float = 300.0
    operations: int = 1_000_000_000
    tool_calls: int = 10_000

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True, init=False)
class Policy:
    """What a snippet may say beyond the default: `imports` are added to the default allowlist.

    `check_first` reports undefined names, wrong tool arguments and refused imports before the first side effect.
    """

    imports: tuple[str, ...] = ()
    check_first: bool = True

    def __init__(self, imports: Iterable[str] = (), *, check_first: bool = True) -> None:
        if isinstance(imports, str) or not isinstance(imports, Iterable):
            raise UsageError(f"Policy(imports={imports!r:.80}): a list of module names is needed")
        names = list(imports)
        for name in names:
            if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
                raise UsageError(f"Policy(imports=…): {name!r:.80} is not a module's name")
        if not isinstance(check_first, bool):
            raise UsageError(f"Policy(check_first={check_first!r:.80}): {_KINDS['bool']} is needed")
        object.__setattr__(self, "imports", tuple(sorted(set(names))))
        object.__setattr__(self, "check_first", check_first)

    @property
    def missing(self) -> str:
        """Which of the imports no snippet can make, as nothing of that name is installed here; empty where all can."""
        return "; ".join(filter(None, map(missing_module, self.imports)))


_installed: set[str] = set()


def missing_module(name: str) -> str:
    """Say that a module is not installed, and what comes close to its name; empty where it is."""
    root = name.partition(".")[0]
    if root in _installed or root in sys.modules or importlib.util.find_spec(root) is not None:
        _installed.add(root)
        return ""
    from importlib.metadata import packages_distributions

    there = {*packages_distributions(), *sys.stdlib_module_names}
    near = difflib.get_close_matches(root, [one for one in there if not one.startswith("_")], n=2, cutoff=0.75)
    told = f" (close to it: {', '.join(near)})" if near else ""
    return f"no module {root!r} is installed here{told}"
