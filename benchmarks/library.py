"""A library of 10,000 skills: how long finding one, and opening all of it, takes."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.rows import Row
from codeact.skills import layout
from codeact.skills.library import SkillLibrary
from codeact.skills.meaning import meaning_of
from codeact.skills.record import Example, Skill
from codeact.snippet.words import word_set

COUNT = 10_000
VERBS = sorted(word_set("convert count find draw compare sort merge split rename translate measure plan check send"))
THINGS = sorted(
    word_set("""
    orders sales invoices cities routes files logs words images prices people teams lessons recipes flights books
    sensors parcels meetings tickets plants songs taxes loans grades games shops farms rivers stars
    """)
)
SIDES = sorted(word_set("region month customer size colour weight author country machine season room street"))


def fill(root: Path, count: int = COUNT) -> list[str]:
    """Lay so many skills into a folder, and give requests for some of them."""
    rng = random.Random(3)
    requests = []
    for number in range(count):
        verb, thing, side = rng.choice(VERBS), rng.choice(THINGS), rng.choice(SIDES)
        name, words = f"{verb}_{thing}_{side}_{number}", f"{verb.capitalize()} the {thing} by {side}."
        code = f'def {name}(rows: list) -> int:\n    """{words}"""\n    return len(rows) + {number}\n'
        skill = Skill(name, code, words, f"{name}(rows: list) -> int", meaning=meaning_of(code), tasks=(words,))
        folder = root / skill.folder
        folder.mkdir(parents=True)
        for file, content in layout.write(skill, [Example({"rows": []}, (), number)]).items():
            (folder / file).write_bytes(content)
        if number % (count // 200) == 0:
            requests.append(f"please {verb} my {thing} for every {side}, they are in the table")
    return requests


def measure(count: int = COUNT) -> list[Row]:
    """Fill a folder and measure; the first opening, which builds the index, is only shown."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        requests = fill(root, count)
        library = SkillLibrary(root, accept=True)
        built = _ms(library.list)
        library.close()
        again = SkillLibrary(root, accept=True)
        loaded = _ms(lambda: again.search(requests[0]))
        listed = _ms(again.list)
        times = sorted(_ms(partial(again.search, request)) for request in requests)
        spent = sorted(_ms(partial(again.search, request), time.process_time) for request in requests)
        again.close()
    return [
        Row(f"{count:,} skills: search, middle", statistics.median(times), "ms"),
        Row(f"{count:,} skills: search, 99th of 100", times[len(times) * 99 // 100], "ms", 10),
        Row(f"{count:,} skills: search, 99th of 100, processor time alone", spent[len(spent) * 99 // 100], "ms", 10),
        Row(f"{count:,} skills: open and first search", loaded, "ms", 200),
        Row(f"{count:,} skills: list", listed, "ms", 200),
        Row(f"{count:,} skills: build the index", built / 1000, "s"),
    ]


def _ms(act: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    begun = clock()
    act()
    return (clock() - begun) * 1000
