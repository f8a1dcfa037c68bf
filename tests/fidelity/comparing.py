"""One program in plain CPython and in ours: value, output, exception, message and line side by side."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import subprocess
import sys
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

from codeact.limits import Policy
from codeact.records import Failure
from codeact.snippet.explain import MESSAGE_CHARS
from codeact.snippet.failure_text import clean
from codeact.snippet.leaves import cut
from codeact.worker.namespace import Namespace
from tests.snippet.running import Step

OPERATIONS = 300_000
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_REFUSED = re.compile(r" is refused|not available in a snippet|not among the modules|it is not your own")
_WARNED = re.compile(
    r"^(<\w+>:\d+: )?\w*Warning: .*\n(  .*\n)?", re.M
)  # in a step's output; CPython tells it elsewhere
_MODULE = re.compile(r"<module '([\w.]+)'[^>]*>")


@dataclass(frozen=True, slots=True)
class Result:
    """What a program did; addresses and paths, which differ by nature, are left out."""

    printed: str
    type: str = ""
    message: str = ""
    line: int = 0
    value: str = ""


def in_cpython(source: str) -> Result:
    """What `exec` makes of it, the last expression being the value."""
    printed, names, value = io.StringIO(), {"__name__": "__main__"}, None
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(tree, "<plain>", "exec", dont_inherit=True), names)
            if isinstance(last, ast.Expr):
                code = compile(ast.Expression(last.value), "<plain>", "eval", dont_inherit=True)
                value = eval(code, names)
            shown = repr(value)
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<plain>"]
        message = cut(clean(_message(error)), MESSAGE_CHARS)
        return Result(_plain(printed.getvalue()), type(error).__name__, _plain(message), (lines or [0])[-1] or 0)
    return Result(_plain(printed.getvalue()), value=_plain(shown))


def _message(error: Exception) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def in_ours(source: str) -> tuple[Result, Failure | None]:
    """The same under our rules, in a namespace of its own; the failure tells what was refused."""
    step = Step(check_first=False)
    outcome = step.run(source, operations=OPERATIONS)
    failure, printed = outcome.failure, _plain(_WARNED.sub("", step.printed))
    if failure is not None:
        return Result(printed, failure.type, _plain(failure.message), failure.line), failure
    with contextlib.redirect_stdout(io.StringIO()):
        return Result(printed, value=_plain(repr(outcome.value))), None


def _plain(text: str) -> str:
    """The text without addresses and paths; where sets are sorted by address, in an order of its letters."""
    told, addresses = _ADDRESS.subn("0x", _MODULE.sub(r"<module '\1'>", text))
    return "".join(sorted(told)) if addresses and "{" in told and not _REFUSED.search(told) else told


def difference(source: str) -> tuple[Result, Result] | None:
    """Both results where they differ; None where all is well.

    Plain CPython is this process, so what is guarded in all of it is compared by `printed_in_folders`.
    """
    ours, plain = in_ours(source)[0], in_cpython(source)
    return None if plain == ours else (plain, ours)


def difference_in_generated(source: str) -> tuple[Result, Result] | None:
    """The same, for a program that need be none of Python, and where ours may be a refusal with a reason."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<plain>", "exec", dont_inherit=True)
    except (SyntaxError, MemoryError, RecursionError, SystemError):
        return None  # both say so: `test_program.py` has those
    ours, failure = in_ours(source)
    if failure is not None and failure.kind in ("refused", "limit"):
        return None
    if _REFUSED.search(ours.printed):
        return None  # the program caught a refusal, and printed what it says
    plain = in_cpython(source)
    return None if plain == ours else (plain, ours)


def main(first: int, count: int) -> None:
    """Look for differences among generated programs: `python -m tests.fidelity.comparing 1000 500`."""
    from tests.fidelity.programs import program

    for seed in range(first, first + count):
        if (found := difference_in_generated(program(seed))) is not None:
            print(seed, *found, sep="\n  ")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))


def printed_in_folders(parent: Path, source: str) -> tuple[str, str]:
    """What a program prints in ours and in plain CPython, each in an empty folder of its own below `parent`."""
    ours, plain = parent / "ours", parent / "plain"
    ours.mkdir(), plain.mkdir()
    printed: list[str] = []
    namespace = Namespace(Policy(check_first=False), folder=str(ours), output=printed.append)
    assert namespace.run(source, operations=1_000_000, text_chars=100).failure is None
    told = subprocess.run([sys.executable, "-Ic", source], cwd=plain, capture_output=True, text=True, check=True)
    return "".join(printed), told.stdout
