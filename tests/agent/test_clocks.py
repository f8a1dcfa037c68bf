"""What clocks said in a run, they say again where its steps are run again."""

import pytest

from codeact import errors, events
from codeact.agent import replay
from codeact.journal import read
from tests.agent.parts import code


def test_an_interrupted_run_that_shows_the_time_shows_the_same_again(make, runs):
    steps = [code("import time\nkept = time.time_ns()\nprint(kept)"), errors.NotAuthorised("no key")]
    with pytest.raises(errors.NotAuthorised):
        make(steps).run("go")
    path, warned = next(runs.iterdir()), []
    run = make([code("final_answer(kept)")]).resume(path, on_event=warned.append)
    assert f"{run.answer}\n" == run.steps[0].observation.stdout
    assert not [event for event in warned if isinstance(event, events.Warned)]
    assert replay(path).answer == run.answer


def test_a_call_that_says_the_time_is_the_one_that_was_decided_about(world, tmp_path):
    asked = code("import time\nbegan = time.time_ns()\nfinal_answer(mail(f'Ann {began} {time.time_ns()}'))")
    first = world.agent(tmp_path, [asked], approve="pause").run("go")
    again = world.agent(tmp_path, []).resume(first.journal, decision=True)
    assert again.ended == "answered"
    waited = next(read(first.journal).of("waiting"))
    assert world.calls == [f"mail {waited['arguments']['to']}"]


def test_a_run_killed_inside_a_step_makes_the_calls_it_had_made_though_they_say_the_time(world, make, runs):
    source = "import time\na = mail(str(time.time_ns()))\nb = mail(str(time.time_ns()))\nfinal_answer(time.time_ns())"
    whole = world.agent(runs, [code(source)]).run("go")
    lines = whole.journal.read_text().splitlines()
    last = max(number for number, line in enumerate(lines) if '"kind": "call"' in line)
    (runs / "cut.jsonl").write_text("\n".join(lines[: last + 1]) + "\n")
    again = world.agent(runs, []).resume(runs / "cut.jsonl")
    assert (again.ended, len(world.calls)) == ("answered", 2)


def test_what_a_candidate_reads_is_not_recorded(world, tmp_path):
    replies = [code("import time\nfinal_answer(time.time_ns())")] * 2
    run = world.agent(tmp_path, replies, candidates=2).run("go")
    told = [reading for entry in read(run.journal).of("clock") for reading in entry["readings"]]
    assert told == [run.answer]
