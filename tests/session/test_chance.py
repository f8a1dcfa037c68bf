"""Chance and the clock: different for every session and every copy, the same wherever that is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Policy, Session
from codeact.session import Isolation

KINDS = pytest.mark.parametrize("isolation", ["caged", "inline"])
DRAW = "import random\n(random.random(), random.sample(range(100), 5))"
NUMPY = Policy(imports=["numpy"])


def drawn(session: Session, code: str = DRAW) -> Any:
    return session.run(code).value


def test_a_copy_draws_other_numbers_than_its_original() -> None:
    with Session() as session:
        drawn(session)
        with session.fork() as copy, session.fork() as other:
            values = [repr(drawn(each)) for each in (session, copy, other)]
    assert len(set(values)) == 3


MADE = """
import random, numpy as np
class Own(random.Random):
    pass
drawn = [random.Random(), Own(), np.random.RandomState(), np.random.default_rng(), np.random.Generator(np.random.SFC64())]
drawn.append(drawn[3].spawn(2)[1])
given = [random.Random(5), np.random.RandomState(5), np.random.default_rng(5), np.random.default_rng(5).spawn(2)[1]]
def of(generators):
    return [float(each.uniform(0, 1)) for each in generators]
"""


def test_generators_made_without_a_seed_draw_other_numbers_in_a_copy_and_those_with_one_the_same(
    tmp_path: Path,
) -> None:
    pytest.importorskip("numpy", reason="an extra")
    with Session(policy=NUMPY) as session:
        assert session.run(MADE).ok
        with session.fork() as copy:
            mine, its = drawn(session, "of(drawn)"), drawn(copy, "of(drawn)")
            assert not set(mine) & set(its)
            assert drawn(session, "of(given)") == drawn(copy, "of(given)")
            copy.save(tmp_path / "copy.session")
            following = drawn(copy, "of(drawn)")
    with Session.resume(tmp_path / "copy.session") as again:
        assert drawn(again, "of(drawn)") == following


def test_generators_of_a_deterministic_session_draw_the_same_in_a_copy() -> None:
    pytest.importorskip("numpy", reason="an extra")
    with Session(policy=NUMPY, deterministic=True) as session:
        assert session.run(MADE).ok
        with session.fork() as copy:
            assert drawn(session, "of(drawn)") == drawn(copy, "of(drawn)")


def test_a_copy_that_went_back_draws_other_numbers_than_its_original() -> None:
    with Session() as session:
        session.run("x = 1")
        with session.fork() as copy:
            for each in (session, copy):
                each.rewind()
            assert drawn(session) != drawn(copy)


def test_a_copy_of_a_deterministic_session_draws_the_same() -> None:
    with Session(deterministic=True) as session:
        drawn(session)
        with session.fork() as copy:
            assert drawn(copy) == drawn(session)


def test_a_copy_that_is_saved_draws_the_same_when_it_is_built_again(tmp_path: Path) -> None:
    with Session() as session:
        drawn(session)
        with session.fork() as copy:
            seen = drawn(copy)
            copy.save(tmp_path / "copy.session")
            following = drawn(copy)
    assert seen != following
    with Session.resume(tmp_path / "copy.session") as again:
        assert drawn(again) == following


@KINDS
def test_two_sessions_draw_different_numbers_and_deterministic_ones_the_same(isolation: Isolation) -> None:
    with Session(isolation=isolation) as one, Session(isolation=isolation) as two:
        assert drawn(one) != drawn(two)
    with (
        Session(isolation=isolation, deterministic=True) as one,
        Session(isolation=isolation, deterministic=True) as two,
    ):
        assert drawn(one) == drawn(two)


def test_numpys_old_stream_is_seeded_as_well() -> None:
    pytest.importorskip("numpy", reason="an extra")
    code = "import numpy\nnumpy.random.rand(3).tolist()"
    with Session(policy=NUMPY) as one, Session(policy=NUMPY) as two:
        assert drawn(one, code) != drawn(two, code)
        with one.fork() as copy:
            assert drawn(one, code) != drawn(copy, code)
    with Session(policy=NUMPY, seed=5) as one, Session(policy=NUMPY, seed=5) as two:
        assert drawn(one, code) == drawn(two, code)


ENTROPY = """
import os, random, secrets, uuid
str((os.urandom(4), random.Random().random(), random.SystemRandom().random(), secrets.token_hex(4), uuid.uuid4()))
"""
GENERATOR = "import numpy\nnumpy.random.default_rng().random()"


def test_what_draws_from_the_machine_repeats_where_a_session_is_resumed(tmp_path: Path) -> None:
    with Session() as session, Session() as other:
        seen = drawn(session, f"import uuid\nfirst = str(uuid.uuid4())\n{ENTROPY}")
        assert drawn(other, ENTROPY) != seen
        with session.fork() as copy:
            assert drawn(copy, ENTROPY) != drawn(session, ENTROPY)
        first, following = drawn(session, "first"), drawn(session, ENTROPY)
        session.save(tmp_path / "drawn.session")
    with Session.resume(tmp_path / "drawn.session") as again:
        assert drawn(again, "first") == first
        assert drawn(again, ENTROPY) != following
    with Session(deterministic=True) as one, Session(deterministic=True) as two:
        assert drawn(one, ENTROPY) == drawn(two, ENTROPY)


def test_a_step_that_was_undone_has_drawn_nothing() -> None:
    draw = "import uuid\nstr(uuid.uuid4())"
    few = Limits(operations=10_000)
    with Session(deterministic=True, limits=few) as one, Session(deterministic=True, limits=few) as two:
        for session in (one, two):
            session.run("import uuid")
        one.run("for _ in range(9): uuid.uuid4()\nwhile True: pass")
        assert drawn(one, draw) == drawn(two, draw)


def test_numpys_new_streams_are_seeded_as_well() -> None:
    pytest.importorskip("numpy", reason="an extra")
    with Session(policy=NUMPY, seed=5) as one, Session(policy=NUMPY, seed=5) as two, Session(policy=NUMPY) as other:
        assert drawn(one, GENERATOR) == drawn(two, GENERATOR) != drawn(other, GENERATOR)


CLOCKS = """
import time, datetime
from datetime import date
first, day = time.time(), datetime.datetime.now()
time.sleep(3600)
(first, str(day), str(date.today()), time.time() - first, time.perf_counter_ns(), time.strftime("%Y"),
 isinstance(day, datetime.datetime), isinstance(datetime.datetime(2020, 1, 1), datetime.date), str(day - datetime.timedelta(1)))
"""


@KINDS
def test_the_clock_of_a_deterministic_session_goes_on_with_each_reading(isolation: Isolation) -> None:
    with (
        Session(isolation=isolation, deterministic=True) as one,
        Session(isolation=isolation, deterministic=True) as two,
    ):
        seen = drawn(one, CLOCKS)
        assert seen == drawn(two, CLOCKS)
    assert seen[:3] == (1_704_067_200.0, "2024-01-01 00:00:00.001000", "2024-01-01")
    assert 3600 < seen[3] < 3601
    assert seen[5:] == ("2024", True, True, "2023-12-31 00:00:00.001000")


WAITS = """
import asyncio, queue, time
first = time.time()
async def main():
    began = asyncio.get_running_loop().time()
    await asyncio.gather(asyncio.sleep(3600), asyncio.sleep(60))
    return asyncio.get_running_loop().time() - began
waited = asyncio.run(main())
try:
    queue.Queue().get(timeout=0.01)
except queue.Empty:
    over = time.time()
(first, waited, over)
"""


@KINDS
def test_what_waits_takes_its_time_on_the_clock_of_a_deterministic_session(isolation: Isolation) -> None:
    with (
        Session(isolation=isolation, deterministic=True) as one,
        Session(isolation=isolation, deterministic=True) as two,
    ):
        first, waited, then = drawn(one, WAITS)
        assert (first, waited, then) == drawn(two, WAITS)
    assert 3600 < waited < then - first < 3601


def test_dates_of_libraries_are_told_by_the_clock_of_a_deterministic_session() -> None:
    pytest.importorskip("pandas", reason="an extra")
    code = "import pandas as pd\n[str(pd.Timestamp.now()), str(pd.Timestamp.now('UTC')), str(pd.Timestamp('today').date())]"
    with Session(policy=Policy(imports=["pandas"]), deterministic=True) as session:
        seen = drawn(session, code)
    assert [text[:19] for text in seen] == ["2024-01-01 00:00:00"] * 2 + ["2024-01-01"]


def test_a_deterministic_session_with_clocks_is_built_again(tmp_path: Path) -> None:
    with Session(deterministic=True) as session:
        seen = drawn(session, CLOCKS)
        session.save(tmp_path / "clocks.session")
    with Session.resume(tmp_path / "clocks.session") as again:
        assert drawn(again, "(first, str(day))") == (seen[0], seen[1])


@KINDS
def test_only_a_deterministic_session_has_a_clock_of_its_own(isolation: Isolation) -> None:
    with Session(isolation=isolation) as session:
        assert drawn(session, "import time\ntime.time()") > 1_750_000_000


DATED = """
import gzip, io, logging, sys, zipfile
packed, written = io.BytesIO(), io.StringIO()
with zipfile.ZipFile(packed, "w") as archive: archive.writestr("a", "b")
handler = logging.StreamHandler(written)
handler.setFormatter(logging.Formatter("%(asctime)s"))
log = logging.getLogger("dated")
log.addHandler(handler), log.warning("x")
[gzip.compress(b"x", mtime=None)[4:8], archive.infolist()[0].date_time[:3], written.getvalue()[:10]]
"""


@KINDS
def test_what_a_deterministic_session_packs_and_logs_is_dated_by_its_clock(isolation: Isolation) -> None:
    with Session(isolation=isolation, deterministic=True) as session:
        assert session.run(DATED).value[1:] == [(2024, 1, 1), "2024-01-01"]
        assert session.run("gzip.compress(b'x', mtime=None)[6:8]").value == (1_704_067_200 >> 16).to_bytes(2, "little")
    with Session(isolation=isolation) as session:
        assert session.run(DATED).value[1][0] > 2024
