"""Many processes promote into one library at once, some the same skills, and some are killed: what is there afterwards.

`python -m benchmarks.crowd 8 1000` takes some minutes: each promotion runs its program several times over.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

from codeact import Session, SkillLibrary
from codeact.records import Run, Step
from codeact.skills.record import Promoted

BOOK = [{"amount": 3}, {"amount": 4}]
BITS = 14


def recorded(number: int) -> Run:
    """A run whose program no other number has: its additions and products are the number's bits."""
    bits = [number >> place & 1 for place in range(BITS)]
    lines = ["x = len(book)", *("x = x + len(book)" if bit else "x = x * len(book) % 997" for bit in bits)]
    code = "\n".join([*lines, "final_answer(x)"])
    with Session(isolation="inline") as session:
        session.assign({"book": BOOK})
        seen = session.run(code)
    return Run(f"run-{number}", f"Work out figure {number:05} of the book", {"book": BOOK}, "answered", seen.answer,
               steps=(Step(1, code, code, seen),))  # fmt: skip


def write(root: Path, me: int, each: int) -> None:
    """Promote a half of one's own, and a half that all promote; each is told once it is in."""
    library = SkillLibrary(root, isolation="inline")
    for number in range(each):
        mine = (me + 1) * each + number if number % 2 else number
        outcome = library.promote(recorded(mine))
        if not isinstance(outcome, Promoted):
            raise SystemExit(f"declined: {outcome}")
        print(outcome.skill.name, outcome.skill.meaning, flush=True)


def main(processes: int, each: int) -> int:
    """Let them write, kill a quarter of them on the way, and look at what is left; 0 where all of it is right."""
    with tempfile.TemporaryDirectory() as folder:
        root, begun = Path(folder) / "skills", time.perf_counter()
        start = [sys.executable, "-m", "benchmarks.crowd", "write", str(root), str(each)]
        writers = [subprocess.Popen([*start, str(me)], stdout=subprocess.PIPE, text=True) for me in range(processes)]
        told: set[str] = set()
        for place, writer in enumerate(writers[: processes // 4]):
            told |= {_line(writer) for _ in range(each // (place + 2))}
            writer.kill()
        for writer in writers:
            told |= set((writer.stdout.read() if writer.stdout else "").splitlines(keepends=False))
            writer.wait()
        seconds = time.perf_counter() - begun
        library = SkillLibrary(root, isolation="inline")
        cards, whole = library.list(), [line.split() for line in told if len(line.split()) == 2]
        meanings = [library.get(card.name).meaning for card in cards]
        lost = [name for name, meaning in whole if meaning not in set(meanings)]
        doubled, torn = len(meanings) - len(set(meanings)), len(library.broken())
        library.rebuild()
        same = library.list() == cards
    print(f"{processes} processes, {each} promotions each, {processes // 4} killed, {seconds:.0f} s: "
          f"{len(cards)} skills, {len(lost)} lost, {doubled} doubled, {torn} torn, "
          f"index equal after rebuild: {same}")  # fmt: skip
    failed = [writer.returncode for writer in writers[processes // 4 :] if writer.returncode]
    return 0 if not lost and not doubled and not torn and same and not failed else 1


def _line(writer: subprocess.Popen[str]) -> str:
    return writer.stdout.readline().strip() if writer.stdout else ""


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)  # inline, which is said once
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[4]), int(sys.argv[3]))
    else:
        sys.exit(main(*map(int, sys.argv[1:3])))
