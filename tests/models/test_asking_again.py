"""Stopping, asking again, and asking another model."""

import asyncio
import inspect
import threading

import pytest

from codeact import errors
from codeact.models import Stop, Stopped, ask, open_model
from codeact.models.provider import Preparing
from codeact.testing import Breaks, Fails, FakeProvider, Hangs, Says
from tests.models.parts import ASK, model_at


@pytest.mark.parametrize("answer", [Hangs(), Hangs("hello")])
def test_a_stopped_run_hangs_up(answer):
    stop = Stop()
    with FakeProvider([answer]) as provider:
        threading.Thread(target=lambda: (provider.asked.wait(60), stop.set())).start()
        with pytest.raises(Stopped):
            model_at(provider).reply(ASK, stop=stop)
        assert provider.gone.wait(60)


def test_a_question_called_off_while_it_is_prepared_is_put_away():
    begun, called_off, made = threading.Event(), threading.Event(), []

    async def question():
        return "never asked"

    def prepare():
        begun.set()
        called_off.wait(60)
        made.append(question())
        return made[0]

    async def ask_in(executor):
        return await (await asyncio.get_running_loop().run_in_executor(executor, prepare))

    async def ask_and_call_off():
        executor = Preparing()
        asks = asyncio.ensure_future(ask_in(executor))
        await asyncio.to_thread(begun.wait, 60)
        asks.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asks
        called_off.set()
        executor.shutdown()

    asyncio.run(ask_and_call_off())
    assert inspect.getcoroutinestate(made[0]) == inspect.CORO_CLOSED


def test_a_run_whose_time_is_spent_hangs_up(monkeypatch):
    given, waits, timeout = [], [], asyncio.timeout

    def limited(seconds):
        given.append(seconds)
        waits.append(timeout(seconds))
        return waits[-1]

    monkeypatch.setattr(asyncio, "timeout", limited)
    with FakeProvider([Hangs("hello")]) as provider:
        with pytest.raises(Stopped):  # the time is spent as the first word comes
            model_at(provider).reply(ASK, stop=Stop(wall_seconds=600), on_token=lambda _: waits[0].reschedule(0))
        assert provider.gone.wait(60)
    assert 0 < given[0] <= 600


def test_a_rate_limit_and_a_server_in_trouble_are_waited_out():
    waits = []
    with FakeProvider([Fails(429, retry_after_seconds=0), Breaks("x"), Says("at last")]) as provider:
        reply = ask(model_at(provider), ASK, stop=Stop(), on_wait=lambda seconds, why: waits.append(why))
    assert reply.text == "at last"
    assert len(waits) == 2


def test_a_wait_of_centuries_is_one_that_a_stop_ends():
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(Stopped):
        stop.wait(1e12)


def test_a_wait_longer_than_the_time_left_is_not_begun():
    with FakeProvider([Fails(429, retry_after_seconds=3600)]) as provider, pytest.raises(errors.RateLimited):
        ask(model_at(provider), ASK, stop=Stop(wall_seconds=600))
    assert len(provider.requests) == 1


def test_what_cannot_get_better_is_not_asked_again():
    with FakeProvider([Fails(401)]) as provider, pytest.raises(errors.NotAuthorised):
        ask(model_at(provider), ASK, stop=Stop())
    assert len(provider.requests) == 1


def test_of_several_models_the_next_is_asked_where_one_cannot_answer():
    with FakeProvider([Fails(500)]) as down, FakeProvider([Says("second")]) as up:
        model = open_model([model_at(down), model_at(up)])
        assert ask(model, ASK, stop=Stop()).text == "second"
    assert len(down.requests) == 1
