"""Tools the agent brings itself: finding tools among many, and asking the model from inside a snippet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeact.agent.ledger import Ledger, cost_of
from codeact.models import Model, Stop, ask
from codeact.records import Message
from codeact.toolbox import Tool, make_tool, tool

SKILL_TOOLS = ("search_skills", "show_skill")
OWN_TOOLS = frozenset(("ask_model", "search_tools", *SKILL_TOOLS))  # what is not the user's
_SHOWN = 8


def search_tools_tool(tools: Sequence[Tool]) -> Tool:
    """Give `search_tools`, which shows the stubs of the tools that fit some words."""
    words = {tool.name: _words(f"{tool.name} {tool.spec.doc}") for tool in tools}
    stubs = {tool.name: tool.stub for tool in tools}

    @tool(effect="read")
    def search_tools(what: str) -> str:
        """Signatures of the tools that fit `what`, best first."""
        asked = _words(what)
        scores = {name: _fit(asked, name, known) for name, known in words.items()}
        best = sorted((name for name in scores if scores[name] > 0), key=lambda name: (-scores[name], name))[:_SHOWN]
        return (
            "\n".join(stubs[name] for name in best) or f"None of the {len(stubs)} tools fits {what!r}: try other words."
        )

    return make_tool(search_tools)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).replace("_", " ").lower())


def _fit(asked: Sequence[str], name: str, known: Sequence[str]) -> float:
    """Score by words found, those of the name twice; a common beginning counts half."""
    score = 0.0
    for word in set(asked):
        if word in known:
            score += 2.0 if word in name.lower() else 1.0
        elif len(word) > 3 and any(other.startswith(word[:4]) for other in known):
            score += 0.5
    return score


def ask_model_tool(model: Model, ledger: Ledger, stop: Stop) -> Tool:
    """Give `ask_model`, which puts one question to the model under the run's budget."""

    @tool(effect="read")
    def ask_model(prompt: str, text: str = "") -> str:
        """A language model's answer to `prompt` about `text`; use .map over pieces of a long text."""
        if spent := ledger.spent_inside():
            raise RuntimeError(f"ask_model is not possible any more: {spent}")
        messages = [Message("user", f"{prompt}\n\n{text}".strip())]
        reply = ask(model, messages, stop=stop)
        ledger.charge_besides(cost_of(reply))
        return reply.text

    return make_tool(ask_model)
