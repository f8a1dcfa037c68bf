"""What a run has used of its budget: one object on the host, charged by everything that costs."""

from __future__ import annotations

import threading
import time

from codeact.limits import Budget
from codeact.records import Observation, Reply, RunCost

_NEARLY = 0.85  # of tokens, dollars or seconds: from here on the model is told to finish


class Ledger:
    """The account of one run; charges of an inner run reach the outer one too."""

    def __init__(self, budget: Budget, *, outer: Ledger | None = None, seconds_used: float = 0.0) -> None:
        self.budget = budget
        self.depth: int = 0 if outer is None else outer.depth + 1  # agents above this one
        self._outer = outer
        self._begun = time.monotonic() - seconds_used  # a resumed run has used some before
        self._lock = threading.Lock()
        self._steps = self._prompt_tokens = self._completion_tokens = self._operations = self._tool_calls = 0
        self._cost_usd = 0.0

    def charge_reply(self, reply: Reply, *, step: bool = True) -> None:
        """Count a reply; `step` is False for questions that snippets ask."""
        with self._lock:
            self._steps += int(step)
            self._prompt_tokens += reply.prompt_tokens
            self._completion_tokens += reply.completion_tokens
            self._cost_usd += reply.cost_usd
        if self._outer is not None:
            self._outer.charge_reply(reply, step=False)

    def charge_step(self, seen: Observation) -> None:
        """Count what a snippet used."""
        with self._lock:
            self._operations += seen.cost.operations
            self._tool_calls += seen.cost.tool_calls
        if self._outer is not None:
            self._outer.charge_step(seen)

    @property
    def cost(self) -> RunCost:
        """What was used so far."""
        with self._lock:
            return RunCost(
                steps=self._steps,
                prompt_tokens=self._prompt_tokens,
                completion_tokens=self._completion_tokens,
                cost_usd=self._cost_usd,
                wall_seconds=time.monotonic() - self._begun,
                operations=self._operations,
                tool_calls=self._tool_calls,
            )

    @property
    def seconds_left(self) -> float:
        """Wall seconds until the budget is spent, at least 0.0."""
        own = max(0.0, self.budget.wall_seconds - (time.monotonic() - self._begun))
        return own if self._outer is None else min(own, self._outer.seconds_left)

    def spent(self) -> str:
        """Say what is spent; empty while there is something left of everything."""
        used, budget = self.cost, self.budget
        tokens = used.prompt_tokens + used.completion_tokens
        if used.steps >= budget.steps:
            return f"all {budget.steps} steps of the budget are used"
        if tokens >= budget.tokens:
            return f"{tokens:,} tokens are used, the budget was {budget.tokens:,}"
        if used.cost_usd >= budget.cost_usd and used.cost_usd > 0:
            return f"${used.cost_usd:.4f} are spent, the budget was ${budget.cost_usd:g}"
        if used.wall_seconds >= budget.wall_seconds:
            return f"the {budget.wall_seconds:g} s of the budget are over"
        return self._spent_by_snippets(used) or (self._outer.spent() if self._outer is not None else "")

    def _spent_by_snippets(self, used: RunCost) -> str:
        if used.operations >= self.budget.operations:
            return f"{used.operations:,} operations are used, the budget was {self.budget.operations:,}"
        if used.tool_calls >= self.budget.tool_calls:
            return f"{used.tool_calls:,} tool calls were made, the budget was {self.budget.tool_calls:,}"
        return ""

    def nearly_spent(self) -> str:
        """Say how little is left; empty while there is enough."""
        used, budget = self.cost, self.budget
        tokens = used.prompt_tokens + used.completion_tokens
        if used.steps == budget.steps - 1 and budget.steps > 1:
            return "1 step"
        if tokens >= _NEARLY * budget.tokens:
            return f"{max(0, budget.tokens - tokens):,} tokens"
        if used.cost_usd > 0 and used.cost_usd >= _NEARLY * budget.cost_usd:
            return f"${max(0.0, budget.cost_usd - used.cost_usd):.4f}"
        if used.wall_seconds >= _NEARLY * budget.wall_seconds:
            return f"{max(0.0, budget.wall_seconds - used.wall_seconds):.0f} s"
        return ""
