"""Steps in, messages out: the beginning never changes, and what is left out is said."""

from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.memory import Memory, shortened
from codeact.records import Image


def memory(token_budget=10_000, steps=0, shown="word " * 1_000):
    made = Memory("system", "task", token_budget=token_budget)
    for step in range(1, steps + 1):
        made.remember(step, f"reply {step}", f"{step}: {shown}")
    return made


def test_each_exchange_becomes_two_messages():
    assert [message.role for message in memory(steps=2).messages()] == ["system", "user", *["assistant", "user"] * 2]


def test_a_note_is_given_once_and_stays_where_it_was_said():
    made = memory(steps=1, shown="short")
    made.note("Hurry.")
    first = made.messages()
    made.remember(2, "reply", "shown")
    assert first[-1].content == "1: short\n\nHurry."
    assert made.messages()[:4] == first


def test_a_note_before_the_first_step_goes_with_the_task():
    made = memory()
    made.note("Hurry.")
    first = made.messages()
    assert [message.content for message in first] == ["system", "task\n\nHurry."]
    assert made.messages() == first


def test_what_just_fits_is_not_touched():
    made = memory(steps=6)
    before = made.messages()
    assert made.fit() == ()
    assert made.messages() == before


def test_the_oldest_observations_are_shortened_first_and_the_last_one_never():
    made = memory(steps=10)
    assert made.fit() == (1, 2, 3, 4, 5, 6, 7, 8)
    contents = [message.content for message in made.messages()]
    assert "characters of step 1's output left out" in contents[3]
    assert contents[-1].endswith("word ")


def test_shortening_leaves_room_for_several_steps_so_that_the_beginning_is_stable():
    made = memory(steps=10)
    made.fit()
    made.remember(11, "reply", "short")
    assert made.fit() == ()


def test_pictures_of_shortened_steps_are_named_instead_of_shown():
    made = Memory("system", "task", token_budget=1_000)
    made.remember(1, "reply", "seen", [Image("chart.png", "image/png", b"1")])
    made.remember(2, "reply", "word " * 600)
    assert made.fit() == (1,)
    message = made.messages()[3]
    assert (message.images, "chart.png is no longer shown" in message.content) == ((), True)


def test_a_context_that_is_too_long_shrinks_the_last_observation_too():
    made = memory(steps=1, shown="word " * 20_000)
    assert made.shrink() == (1,)
    assert sum(len(message.content) for message in made.messages()) < 2_000


def test_long_replies_are_shortened_where_observations_are_not_enough_and_the_last_one_never():
    made = Memory("system", "task", token_budget=5_000)
    for step in range(1, 11):
        made.remember(step, "x = 1\n" * 1_000, "shown")
    assert made.fit() == tuple(range(1, 10))
    contents = [message.content for message in made.messages()]
    assert "characters of step 1's reply left out" in contents[2]
    assert contents[-2] == "x = 1\n" * 1_000
    assert sum(map(len, contents)) < 5_000 * 3.5


def test_a_run_of_any_length_fits_and_keeps_its_plan_and_the_last_step():
    made = Memory("system", "task", token_budget=10_000)
    plan, reply, shown = "plan " * 60, "x = 1\n" * 100, "word " * 180
    made.remember(0, plan, "Now do it.")
    for step in range(1, 201):
        made.remember(step, reply, f"{step}: {shown}")
        made.fit()
        assert sum(len(message.content) for message in made.messages()) <= 10_000 * 3.5
    contents = [message.content for message in made.messages()]
    left = (len(contents) - 4) // 2
    assert (
        contents[1]
        == f"task\n\n[Steps 1 to {200 - left} are left out here; the variables still hold what they assigned.]"
    )
    assert contents[2] == plan
    assert contents[5].startswith(f"{201 - left}: ")
    assert contents[-2:] == [reply, f"200: {shown}"]


def test_a_long_text_is_cut_between_lines_or_else_between_words():
    lines = shortened("one line\n" * 200, 100, 100, "it").split("\n")
    assert {line for line in lines if "left out" not in line} == {"one line", ""}
    words = shortened("word " * 400, 102, 103, "it").replace("\n", " ").split(" ")
    assert set(words[:10] + words[-10:]) <= {"word", ""}


def test_what_the_provider_counts_becomes_the_measure():
    made = memory(steps=3, token_budget=10_000)
    made.learn(15_000)
    assert made.fit() != ()


def test_a_reply_of_a_megabyte_is_not_remembered_whole():
    made = memory()
    made.remember(1, "x" * 1_000_000, "shown")
    assert len(made.messages()[2].content) < 50_000


@given(st.text(alphabet="ab \n", max_size=3_000), st.integers(10, 300), st.integers(10, 300))
@settings(deadline=None)
def test_shortening_says_exactly_how_much_it_left_out(text, head, tail):
    short = shortened(text, head, tail, "it")
    assert len(short) <= max(len(text), head + tail + 200)
    if short != text:
        before, note, after = short.partition("\n[… ")[0], short, short.rpartition(" …]\n")[2]
        assert text.startswith(before)
        assert text.endswith(after)
        assert f"{len(text) - len(before) - len(after):,} characters of it left out" in note
