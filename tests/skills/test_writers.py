"""Many processes write into one library at once, and some are killed on the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from codeact.skills.library import SkillLibrary

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Example
from tests.skills.shelves import skill
library = SkillLibrary(Path(sys.argv[1]))
me = sys.argv[2]
for number in range(int(sys.argv[4])):
    for name in (f"own_{me}_{number}", f"shared_{number}"):
        with library.shelf.store.lock():
            library.shelf.refresh()
            if not (library.root / name.replace("_", "-")).exists():
                from codeact.skills.record import Example
                library.shelf.put(skill(name), [Example({"number": 1}, (), 2)])
    print(number, flush=True)
"""


def test_many_processes_and_kills_leave_whole_skills_only(tmp_path: Path) -> None:
    root, project, count = tmp_path / "skills", str(Path(__file__).parents[2]), 25
    start = [sys.executable, "-c", WRITER, str(root)]
    writers = [
        subprocess.Popen([*start, str(me), project, str(count)], stdout=subprocess.PIPE, text=True) for me in range(4)
    ]
    killed = []
    for writer, after in zip(writers[:2], (3, 7), strict=True):
        done = [writer.stdout.readline() for _ in range(after)]
        writer.kill()
        killed.append(int(done[-1]))
    for writer in writers:
        writer.wait(timeout=300)
        writer.stdout.close()
    library = SkillLibrary(root)
    names = {card.name for card in library.list()}
    for me, upto in ((0, killed[0]), (1, killed[1]), (2, count - 1), (3, count - 1)):
        assert {f"own_{me}_{number}" for number in range(upto + 1)} <= names
    assert {f"shared_{number}" for number in range(count)} <= names
    assert library.broken() == []
    assert {card.state for card in library.list()} == {"active"}
    indexed = library.list()
    library.rebuild()
    assert library.list() == indexed
    with library.shelf.store.lock():
        assert os.listdir(root / ".codeact" / "staging") == []
