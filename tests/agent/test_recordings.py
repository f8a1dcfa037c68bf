"""Recorded runs: replayed, compared, gone on with."""

import pytest

from codeact import errors, events
from codeact.agent import Agent, compare, replay
from codeact.cli.page import page_of
from codeact.journal import read
from codeact.limits import Budget
from codeact.session import Session
from codeact.testing import ScriptedModel, replays
from codeact.toolbox import tool
from tests.agent.parts import SENT, UNRECORDED, code, price, send


def test_a_recording_is_a_test_in_one_line(make):
    run = make([code("final_answer(price('pear'))")], tools=[price]).run("go")
    assert replays(run.journal)


MADE = "@dataclass\nclass Made:\n    kind: object\n"


@pytest.mark.parametrize("answer", ["{int: 1}", "{(int, 1)}", "Made(int)"])
def test_an_answer_that_holds_a_class_is_refused_recorded_and_read_again(make, answer):
    source = f"from dataclasses import dataclass\n{MADE}final_answer({answer})"
    run = make([code(source), code("final_answer({'int': 1})")]).run("go")
    assert run.answer == {"int": 1}
    assert replays(run.journal)


def test_two_recordings_are_compared_by_what_happened(make):
    same = [make([code("print(1)"), code("final_answer(2)")]).run("go").journal for _ in range(2)]
    other = make([code("print(1)"), code("final_answer(3)")]).run("go").journal
    assert compare(*same) == ""
    assert compare(same[0], other).startswith("step 2: the reply: its text is")


def test_the_first_difference_of_two_runs_is_the_call_that_came_to_something_else(make):
    steps = [code("sum(many.map([1, 2, 3]))"), code("final_answer(many(4))")]

    def run(wrong):
        @tool(effect="read")
        def many(n: int) -> int:
            """How many."""
            return n * 1000 + (n == wrong)

        return make(steps, tools=[many]).run("go").journal

    one, other, early = run(0), run(4), run(2)
    assert compare(one, other) == f"step 2: a call: its result is '4000' in {one}, '4001' in {other}"
    assert compare(one, early) == f"step 1: a call: its result is '2000' in {one}, '2001' in {early}"
    shorter = make(steps[:1], tools=[], budget=Budget(steps=1)).run("other").journal
    assert compare(one, shorter).startswith("what was asked: its task is")


def test_a_recorded_run_replays_offline_with_its_tools_results(make):
    SENT.clear()
    run = make(
        [code("a = send('Ann')\nprint(a)"), code("1 / 0"), code("final_answer([a, send('Ben')])")], tools=[send]
    ).run("go")
    again = replay(run.journal)
    assert (again.answer, len(again.steps), again.ended) == (run.answer, 3, "answered")
    assert SENT == ["Ann", "Ben"]


def test_a_replay_that_goes_another_way_names_the_first_difference(make):
    run = make([code("print(1)"), code("final_answer(2)")]).run("go")
    run.journal.write_text(run.journal.read_text().replace(r"print(1)\n", r"print(3)\n"))
    with pytest.raises(errors.Diverged, match=r"step 1 differs from the recording in its code"):
        replay(run.journal)


def test_a_replayed_call_that_was_not_recorded_is_named(make):
    run = make([code("final_answer(price('pear'))")], tools=[price]).run("go")
    run.journal.write_text(run.journal.read_text().replace("'pear'", "'plum'"))
    with pytest.raises(errors.Diverged, match=r"step 1 calls price\(\{'item': 'plum'\}\); recorded is price"):
        replay(run.journal)


def test_an_interrupted_run_that_shows_something_else_goes_on_and_says_what_differs(make, runs):
    steps = [code(f"{UNRECORDED}kept = 1\nprint(time.time_ns())"), errors.NotAuthorised("no key")]
    with pytest.raises(errors.NotAuthorised):
        make(steps).run("go")
    path, warned = next(runs.iterdir()), []
    run = make([code("final_answer(kept)")]).resume(
        path, on_event=lambda event: warned.append(event.text) if isinstance(event, events.Warned) else None
    )
    assert run.answer == 1
    assert [text.partition(":")[0] for text in warned] == ["step 1 differs from the recording in its stdout"]
    with pytest.raises(errors.Diverged, match="step 1 differs from the recording in its stdout"):
        replay(path)


def test_an_interrupted_run_goes_on_and_no_effect_happens_twice(make, runs):
    SENT.clear()
    with pytest.raises(errors.NotAuthorised):
        make([code("send('Ann')\nx = 1"), errors.NotAuthorised("no key")], tools=[send]).run("go")
    run = make([code("send('Ben')\nfinal_answer(x + 1)")], tools=[send]).resume(next(runs.iterdir()))
    assert (run.answer, len(run.steps), SENT) == (2, 2, ["Ann", "Ben"])
    assert replay(run.journal).answer == 2


def test_a_run_killed_inside_a_step_serves_the_calls_it_had_made(make, runs):
    SENT.clear()
    whole = make([code("a = send('Ann')\nb = send('Ben')\nfinal_answer([a, b])")], tools=[send]).run("go")
    lines = whole.journal.read_text().splitlines()
    cut = lines[: next(number for number, line in enumerate(lines) if '"kind": "call"' in line) + 1]
    (runs / "cut.jsonl").write_text("\n".join(cut) + '\n{"kind": "call_sta')
    SENT.clear()
    run = make(["never"], tools=[send]).resume(runs / "cut.jsonl")
    assert run.answer == ["sent to Ann", "sent to Ben"]
    assert SENT == ["Ben"]


def test_a_call_that_had_begun_when_the_run_was_killed_is_not_made_again_blindly(make, runs):
    whole = make([code("send('Ann')"), code("final_answer(1)")], tools=[send]).run("go")
    lines = whole.journal.read_text().splitlines()
    begun = next(number for number, line in enumerate(lines) if '"kind": "call_started"' in line)
    (runs / "cut.jsonl").write_text("\n".join(lines[: begun + 1]) + "\n")
    SENT.clear()
    run = make([code("final_answer('checked')")], tools=[send]).resume(runs / "cut.jsonl")
    assert SENT == []
    assert "whether it happened is not known" in run.steps[0].observation.failure.message


def test_a_run_that_is_still_going_is_not_gone_on_with_beside_itself(world, tmp_path):
    record, refused = tmp_path / "run.jsonl", []
    other = world.agent(tmp_path, [code("final_answer(mail('Ann'))")])

    def meanwhile(event):
        if isinstance(event, events.ToolEnded) and not refused:
            for door in (other.resume, other.undo):
                with pytest.raises(errors.JournalError, match="is being written") as error:
                    door(record)
                refused.append(error)

    world.agent(tmp_path, [code("order('pear')"), "done"]).run("go", record=record, on_event=meanwhile)
    assert (len(refused), world.calls) == (2, ["order pear"])


def test_a_run_can_be_gone_on_with_as_soon_as_its_end_is_told(make):
    last = list(make([code("x = 5")], budget=Budget(steps=1)).stream("go"))[-1]
    stream = make([code("x = 6")], budget=Budget(steps=2)).stream_resume(last.run.journal)
    ended = next(event for event in stream if isinstance(event, events.RunEnded))
    assert make([code("final_answer(x)")]).resume(ended.run.journal).answer == 6


def test_a_resume_that_cannot_begin_does_not_stand_in_the_way_of_the_next(make):
    run = make([code("x = 5")], budget=Budget(steps=1)).run("go")
    for wrong in ({"decision": True}, {}):
        with pytest.raises(errors.CodeactError):
            Agent([], runs=None).resume(run.journal, **wrong)
    assert make([code("final_answer(x)")]).resume(run.journal).answer == 5


def even(answer):
    return None if answer % 2 == 0 else "it must be even"


def test_a_run_whose_first_answer_was_refused_replays_and_says_so_to_whoever_reads_it(make):
    run = make([code("x = 3\nfinal_answer(x)"), code("final_answer(x + 1)")], final_answer_checks=[even]).run("go")
    assert replay(run.journal).answer == 4
    assert [entry["value"] for entry in read(run.journal).of("refused")] == [3]
    assert "it must be even" in page_of(run.journal)


def test_a_replay_compares_what_the_code_gave_and_gives_what_was_taken(make):
    run = make([code("x = '5'\nfinal_answer(x)")], output_type=int).run("go")
    assert replay(run.journal).answer == 5
    changed = run.journal.read_text().replace('"raw": "5"', '"raw": "6"')
    run.journal.write_text(changed)
    with pytest.raises(errors.Diverged, match="the answer differs from the recording: '5' now, '6' then"):
        replay(run.journal)


def test_an_answer_that_is_a_text_and_was_refused_is_refused_again(make):
    refuse = [lambda answer: "too short" if len(answer) < 5 else None]
    run = make(["no", "not yet"], final_answer_checks=refuse).run("go")
    assert replay(run.journal).answer == "not yet"
    alone = make(["no"], final_answer_checks=refuse, budget=Budget(steps=1)).run("go")
    assert (alone.ended, replay(alone.journal).ended) == ("budget", "budget")


def test_a_refusal_holds_on_a_resume_whoever_checks_now(make):
    run = make([code("x = 1\nfinal_answer(x)")], final_answer_checks=[even], budget=Budget(steps=1)).run("go")
    model = ScriptedModel([code("final_answer(x + 1)")])
    assert make(model).resume(run.journal).answer == 2
    assert "it must be even" in model.seen[0][-1].content
    assert len(list(read(run.journal).of("refused"))) == 1


def test_a_recording_that_does_not_say_what_was_refused_is_still_read(make):
    steps = [code("x = 3\nfinal_answer(x)"), code("final_answer(x + 1)")]
    run = make(steps, final_answer_checks=[even]).run("go")
    kept = [line for line in run.journal.read_text().splitlines(True) if '"kind": "refused"' not in line]
    run.journal.write_text("".join(kept))
    assert replay(run.journal).answer == 4


def test_a_check_that_changes_the_answer_changes_what_is_taken_and_not_what_was_given(make):
    run = make([code("final_answer([1])")], final_answer_checks=[lambda answer: answer.append(2)]).run("go")
    assert (run.answer, run.steps[0].observation.answer) == ([1, 2], [1])
    assert replay(run.journal).answer == [1, 2]


def test_a_parameter_that_a_tool_has_got_since_tells_no_call_from_the_recorded_one(make):
    paid = []

    def pay(amount: int) -> str:
        """Pay."""
        paid.append(amount)
        return "paid"

    run = make([code("x = pay(5)")], tools=[pay], budget=Budget(steps=1)).run("go")

    def pay(amount: int, currency: str = "EUR") -> str:
        """Pay."""
        paid.append((amount, currency))
        return "paid"

    model = [code("pay(6)\nfinal_answer(x)")]
    assert make(model, tools=[pay]).resume(run.journal).answer == "paid"
    assert paid == [5, (6, "EUR")]


def test_a_resumed_run_asks_nothing_back_twice(make):
    run = make(["", code("x = 1")], budget=Budget(steps=2)).run("go")
    resumed = make([code("final_answer(x)")], budget=Budget(steps=5)).resume(run.journal)
    assert resumed.answer == 1
    assert len(list(read(run.journal).of("asked_back"))) == 1


def test_a_run_that_was_answered_is_not_resumed(make):
    run = make(["42"]).run("go")
    with pytest.raises(errors.JournalError, match="was answered"):
        make(["43"]).resume(run.journal)


def test_a_run_out_of_budget_goes_on_with_a_larger_one(make):
    run = make([code("x = 5")], budget=Budget(steps=1)).run("go")
    assert run.ended == "budget"
    assert make([code("final_answer(x)")], budget=Budget(steps=5)).resume(run.journal).answer == 5


def test_a_saved_session_is_told_apart_from_a_run(make, tmp_path):
    with Session() as session:
        session.run("x = 1")
        session.save(tmp_path / "s.session")
    for door in (replay, make([]).resume, make([]).undo):
        with pytest.raises(errors.JournalError, match=r"is a session; `codeact resume .*` goes on with it"):
            door(tmp_path / "s.session")


@pytest.mark.parametrize(
    ("happens", "said"),
    [(lambda path: path.write_text("2"), "has changed since"), (lambda path: path.unlink(), "is gone")],
)
def test_a_file_that_is_not_what_it_was_is_named_on_a_resume_and_a_replay(make, tmp_path, happens, said):
    (tmp_path / "a.csv").write_text("1")
    run = make([code("x = 1")], budget=Budget(steps=1)).run("go", files=[tmp_path / "a.csv"])
    happens(tmp_path / "a.csv")
    for door in (make(["x"]).resume, replay):
        with pytest.raises(errors.JournalError, match=rf"a\.csv.*{said}"):
            door(run.journal)


def test_a_recording_of_replies_alone_is_a_model_and_no_run(tmp_path):
    header = '{"kind": "header", "format": "codeact-journal", "version": 1, "replies": "written by hand"}'
    (tmp_path / "replies.jsonl").write_text(header + '\n{"kind": "reply", "text": "42"}\n')
    assert Agent(f"recorded:{tmp_path / 'replies.jsonl'}", runs=None).run("go").answer == "42"
    with pytest.raises(errors.JournalError, match=r"holds replies only: use it as a model, --model recorded:.*\.jsonl"):
        replay(tmp_path / "replies.jsonl")


def test_a_run_stopped_inside_a_step_is_replayed_up_to_that_step(world, tmp_path):
    agent = world.agent(tmp_path, [code("x = stock('a')\nx"), code("mail('Ann')")], approve="pause")
    paused = agent.run("go")
    again = replay(paused.journal)
    assert (again.ended, len(again.steps), again.steps[0].observation.value) == ("interrupted", 1, 1)


def test_a_deterministic_run_draws_and_tells_the_time_alike_each_time_and_replays(make):
    def run():
        source = "import random, time\nfinal_answer([random.random(), time.time(), hash('x')])"
        return make([code(source)], deterministic=True).run("go")

    first, second = run(), run()
    assert first.answer == second.answer
    assert replay(first.journal).answer == first.answer
    assert compare(first.journal, second.journal) == ""
