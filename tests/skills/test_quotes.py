"""Skills are written as every Python reads them, whichever wrote them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from codeact.skills.library import SkillLibrary
from codeact.skills.quotes import readable
from tests.skills.playing import ORDERS, Played, play

#: As Python 3.12 and later write it → as all of them read it.
WRITTEN = {
    "a key": ("f'{o['id']}'", "f\"{o['id']}\""),
    "a key in a list": ("[f'{o['id']}' for o in book]", "[f\"{o['id']}\" for o in book]"),
    "keys in two": ("f'{a['x']}' + f'{a['y']}'", "f\"{a['x']}\" + f\"{a['y']}\""),
    "letters beyond ASCII": ("'é', f'ü{o['ö']}', f'{o['ß']}'", "'é', f\"ü{o['ö']}\", f\"{o['ß']}\""),
    "a text with the other quotes": ("f'say \"{o['id']}\", he said'", "f'''say \"{o['id']}\", he said'''"),
    "both quotes at the end": ("f'{o['id']}\"'", "f'''{o['id']}\"'''"),
    "one within another": ("f'{f'{o['id']}'}'", "f'''{f\"{o['id']}\"}'''"),
    "the width": ("f'{o:>{w['id']}}'", "f\"{o:>{w['id']}}\""),
    "nothing to do": ("f'{o}' 'a'", "f'{o}' 'a'"),
    "what no quotes fit": ("f'{f'''{f\"\"\"{o['a']}\"\"\"}'''}'", "f'{f'''{f\"\"\"{o['a']}\"\"\"}'''}'"),
}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no f-string holds its own quotes before Python 3.12")
@pytest.mark.parametrize(("code", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_an_f_string_stands_in_quotes_it_does_not_hold(code: str, expected: str) -> None:
    assert readable(code) == expected


@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_a_skill_is_written_as_every_python_reads_it(tmp_path: Path) -> None:
    code = 'final_answer([f\'{o["id"]}: {o["amount"]:.2f}\' for o in book])'
    made = SkillLibrary(tmp_path, isolation="inline").promote(
        play(Played("run", "orders", "Label the orders", (code,), {"book": ORDERS}))
    )
    assert "f\"{o['id']}: {o['amount']:.2f}\"" in made.skill.code
