"""What the loop costs around the model: per step, for many agents at once, and in the prompt beside smolagents."""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.rows import Row

STEPS = 100
AGENTS = 100
TOOLS = 10
MANY = 1_000
COUNTED = "counted as gpt-4o counts"


def measure() -> Iterator[Row]:
    """Overhead of a step in a caged session, a hundred agents in one loop, and the size of the prompt."""
    whole, inside = _step_ms()
    yield Row("agent, a step", whole, "ms", 5.0, "scripted model, caged session")
    yield Row("agent, a step without its session", whole - inside, "ms")
    yield Row("agent, from the first token to its event", _first_event_ms(), "ms", 20.0, "read from the stream")
    seconds, lost = asyncio.run(_many())
    yield Row(f"{AGENTS} agents at once, two steps each", seconds, "s")
    yield Row(f"{AGENTS} agents at once, events lost", float(lost), "events", 0.0)
    yield Row(f"system prompt, {MANY:,} tools", float(_tokens(_our_prompt(MANY))), "tokens", 2_000.0, COUNTED)
    ours = _tokens(_our_prompt(TOOLS))
    yield Row(f"system prompt, {TOOLS} tools", float(ours), "tokens", None, COUNTED)
    if importlib.util.find_spec("smolagents") is None:
        return
    yield Row(f"system prompt, {TOOLS} tools", ours / _tokens(_their_prompt()), "x smolagents", 0.6, COUNTED)
    yield Row("smolagents, a step", _their_step_ms(), "ms", None, "the same model and code, in its own interpreter")


def _tokens(text: str) -> int:
    """Count with the tables of a model that litellm ships; nothing is fetched."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    return int(litellm.token_counter(model="gpt-4o", text=text))


def _code(source: str) -> str:
    return f"```python\n{source}\n```"


def _step_ms() -> tuple[float, float]:
    """Give the middle time of a step, and of the part of it that the session takes."""
    from codeact import Agent, Budget
    from codeact.events import CodeReady, Event, Observed, StepStarted
    from codeact.testing import ScriptedModel

    replies = [_code(f"x = {number}\nprint(x)") for number in range(STEPS)]
    at: dict[type[Event], list[float]] = {StepStarted: [], CodeReady: [], Observed: []}

    def note(event: Event) -> None:
        if type(event) in at:
            at[type(event)].append(time.perf_counter())

    agent = Agent(ScriptedModel([*replies, _code("final_answer(x)")]), budget=Budget(steps=STEPS + 1), runs=None)
    agent.run("count", on_event=note)
    whole = [later - earlier for earlier, later in itertools.pairwise(at[StepStarted][1:])]  # the first warms up
    inside = [over - begun for begun, over in zip(at[CodeReady], at[Observed], strict=True)]
    return statistics.median(whole) * 1000, statistics.median(inside) * 1000


def _first_event_ms(times: int = 20) -> float:
    """Give the middle time between a model's first token and the caller of `stream` having it."""
    from codeact import Agent
    from codeact.events import Token
    from codeact.records import Reply

    given = []

    class Talks:
        name = "talks"

        def reply(self, messages: Any, *, on_token: Any = None, stop: Any = None) -> Reply:
            given.append(time.perf_counter())
            on_token("It is ")
            return Reply("It is 42.")

    came = []
    for _ in range(times):
        for event in Agent(Talks(), runs=None).stream("answer"):
            if isinstance(event, Token):
                came.append(time.perf_counter())
    return statistics.median(later - earlier for earlier, later in zip(given, came, strict=True)) * 1000


async def _many() -> tuple[float, int]:
    from codeact import Agent
    from codeact.events import Observed
    from codeact.testing import ScriptedModel

    async def one(number: int) -> int:
        agent = Agent(ScriptedModel([_code(f"x = {number}"), _code("final_answer(x)")]), runs=None)
        return sum([1 async for event in agent.astream("count") if isinstance(event, Observed)])

    begun = time.perf_counter()
    seen = await asyncio.gather(*(one(number) for number in range(AGENTS)))
    return time.perf_counter() - begun, 2 * AGENTS - sum(seen)


def _functions(count: int) -> list[Callable[..., Any]]:
    def named(number: int) -> Callable[..., Any]:
        def measure_city(city: str, days: int = 3) -> float:
            """The average of a measurement in a city over some days.

            Args:
                city: the name of the city
                days: how many days
            """
            return float(len(city) * days)

        measure_city.__name__ = f"measure_city_{number}"
        return measure_city

    return [named(number) for number in range(count)]


def _our_prompt(count: int) -> str:
    from codeact.prompts.system import system_prompt
    from codeact.toolbox import Toolbox

    return system_prompt([made.stub for made in Toolbox(_functions(count)).tools.values()])


def _their_step_ms() -> float:
    """Give the middle time of a step of smolagents, which prints and parses but keeps nothing in."""
    from smolagents import ChatMessage, CodeAgent, LogLevel, MessageRole, Model

    at: list[float] = []

    class Scripted(Model):
        def generate(self, *args: Any, **named: Any) -> Any:
            at.append(time.perf_counter())
            said = f"Thought: go\n<code>\nx = {len(at)}\nprint(x)\n</code>"
            return ChatMessage(role=MessageRole.ASSISTANT, content=said)

    CodeAgent(tools=[], model=Scripted(), max_steps=STEPS, verbosity_level=LogLevel.OFF).run("count")
    return statistics.median(later - earlier for earlier, later in itertools.pairwise(at[1:STEPS])) * 1000


def _their_prompt() -> str:
    from smolagents import CodeAgent, Model, Tool

    def made(number: int) -> Any:
        described = {
            "name": f"measure_city_{number}",
            "description": "The average of a measurement in a city over some days.",
            "inputs": {
                "city": {"type": "string", "description": "the name of the city"},
                "days": {"type": "integer", "description": "how many days", "nullable": True},
            },
            "output_type": "number",
            "forward": lambda self, city, days=3: 1.0,
            "skip_forward_signature_validation": True,
        }
        return type("Measure", (Tool,), described)()

    return str(CodeAgent(tools=[made(number) for number in range(TOOLS)], model=Model()).initialize_system_prompt())
