"""What the tests of the agent share: snippets as replies, two tools, and a world that tools change."""

import textwrap
import time

from codeact.agent import Agent
from codeact.testing import ScriptedModel
from codeact.toolbox import tool


def code(source):
    return f"```python\n{textwrap.dedent(source).strip()}\n```"


#: Reads the clock more often than a recording keeps.
UNRECORDED = "import time\nfor _ in range(10_000): time.time_ns()\n"

SENT = []


@tool(effect="write")
def send(to: str) -> str:
    """Sends a message."""
    SENT.append(to)
    return f"sent to {to}"


@tool(effect="read")
def price(item: str) -> float:
    """The price of an item."""
    return {"apple": 0.5, "pear": 0.75}[item]


class DrivenTime:
    """The time of the host, which a test may move on."""

    def __init__(self):
        self.ahead = 0.0

    def monotonic(self):
        return time.monotonic() + self.ahead


class World:
    """What tools change, and how often each was called."""

    def __init__(self):
        self.calls, self.orders, self.failing = [], {}, []

    def tools(self, **declared):
        world = self

        @tool(effect="write", undo=lambda call: world.orders.pop(call.result))
        def order(item: str) -> str:
            """Orders something."""
            world.calls.append(f"order {item}")
            world.orders[f"no. {len(world.calls)}"] = item
            return f"no. {len(world.calls)}"

        @tool(effect="irreversible")
        def mail(to: str) -> bool:
            """Sends a mail."""
            world.calls.append(f"mail {to}")
            return True

        @tool(effect="read", **declared)
        def stock(item: str) -> int:
            """How many there are."""
            world.calls.append(f"stock {item}")
            if world.failing:
                raise world.failing.pop()
            return len(world.calls)

        return [order, mail, stock]

    def agent(self, tmp_path, replies, *, declared=None, **options):
        model = replies if hasattr(replies, "reply") else ScriptedModel(replies)
        return Agent(model, tools=self.tools(**(declared or {})), **{"runs": tmp_path / "runs", **options})


def two_agents(world, tmp_path, inner, outer, **options):
    """An agent that trades by another one."""
    trader = world.agent(tmp_path, inner, **options).as_tool("trader", "Trades.")
    return Agent(ScriptedModel(outer), tools=[trader, world.tools()[0]], runs=tmp_path / "outer")
