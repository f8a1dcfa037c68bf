"""What a run has used of its budget: one object on the host, charged by everything that costs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import fields, replace

from codeact.clock import Clock
from codeact.limits import Budget
from codeact.records import Observation, Reply, RunCost

_NEARLY = 0.85  # of anything but steps: from here on the model is told to finish


class Ledger:
    """The account of one run; charges of an inner run reach the outer one too.

    `besides` is told what is charged beside the run's own replies and steps: a recording gives those back, not these.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        clock: Clock | None = None,
        outer: Ledger | None = None,
        seconds_used: float = 0.0,
        used: RunCost = RunCost(),  # noqa: B008 - frozen
    ) -> None:
        self.budget = budget
        self.depth: int = 0 if outer is None else outer.depth + 1  # agents above this one
        self.besides: Callable[[RunCost], object] = lambda _: None
        self._outer, self._clock = outer, clock or Clock()
        self._begun = self._clock.now() - seconds_used  # a resumed run has used some before
        self._lock: threading.RLock = threading.RLock() if outer is None else outer._lock  # of all accounts of a task
        self._used = used

    def charge_reply(self, reply: Reply, *, step: bool, live: bool) -> None:
        """Count a reply; `live` is False for one that a recording gives back and that was counted above before."""
        self._charge(replace(cost_of(reply), steps=int(step)), outside=live)

    def charge_step(self, seen: Observation, *, live: bool) -> None:
        """Count what a snippet computed; its tool calls are counted when they are made."""
        self._charge(RunCost(operations=seen.cost.operations), outside=live)

    def charge_call(self, *, live: bool) -> None:
        """Count one tool call."""
        self._charge(RunCost(tool_calls=1), outside=live)

    def take_call(self, *, live: bool) -> str:
        """Count one tool call before it is made; says why where none is left, of this run or of one above it."""
        with self._lock:
            spent = self.calls_spent() if live else ""
            if not spent:
                self.charge_call(live=live)
            return spent

    def charge_besides(self, cost: RunCost) -> None:
        """Count what is neither a reply to this run nor a step of it: questions of snippets, trials, inner agents."""
        self._charge(cost)
        self.besides(cost)

    def _charge(self, cost: RunCost, *, outside: bool = True) -> None:
        with self._lock:
            self._used = total(self._used, cost)
        if self._outer is not None and outside:
            self._outer.charge_besides(replace(cost, steps=0))

    @property
    def cost(self) -> RunCost:
        """What was used so far."""
        with self._lock:
            return replace(self._used, wall_seconds=self._clock.now() - self._begun)

    @property
    def seconds_left(self) -> float:
        """Wall seconds until the budget is spent, at least 0.0."""
        own = max(0.0, self.budget.wall_seconds - (self._clock.now() - self._begun))
        return own if self._outer is None else min(own, self._outer.seconds_left)

    def spent(self) -> str:
        """Say what is spent; empty while there is something left of everything."""
        if self.cost.steps >= self.budget.steps:
            steps = self.budget.steps
            return "the only step of the budget is used" if steps == 1 else f"all {steps} steps of the budget are used"
        return self.spent_inside()

    def spent_inside(self) -> str:
        """Say what is spent for what happens within a step: it may be the last one."""
        used, budget = self.cost, self.budget
        tokens = used.prompt_tokens + used.completion_tokens
        if tokens >= budget.tokens:
            return f"{tokens:,} tokens are used, the budget was {budget.tokens:,}"
        if used.cost_usd >= budget.cost_usd and used.cost_usd > 0:
            return f"${used.cost_usd:.4f} are spent, the budget was ${budget.cost_usd:g}"
        if used.wall_seconds >= budget.wall_seconds:
            return f"the {budget.wall_seconds:g} s of the budget are over"
        if used.operations >= budget.operations and used.operations > 0:
            return f"{used.operations:,} operations are used, the budget was {budget.operations:,}"
        if used.tool_calls > 0 and (said := self.calls_spent()):  # without any, the model may answer without tools
            return said
        return self._outer.spent_inside() if self._outer is not None else ""

    def calls_spent(self) -> str:
        """Say that no tool call is left, of this run or of one above it; empty while there are some."""
        calls = self.cost.tool_calls
        if calls >= self.budget.tool_calls:
            return f"tool calls made: {calls:,}, the budget was {self.budget.tool_calls:,}"
        return self._outer.calls_spent() if self._outer is not None else ""

    def nearly_spent(self) -> str:
        """Say how little is left; empty while there is enough."""
        used, budget = self.cost, self.budget
        if used.steps == budget.steps - 1 and budget.steps > 1:
            return "1 step"
        shares = (
            (used.prompt_tokens + used.completion_tokens, budget.tokens, "{:,} of {:,} tokens"),
            (used.cost_usd, budget.cost_usd, "${:.4f} of ${:g}"),
            (used.wall_seconds, budget.wall_seconds, "{:.0f} s of {:g}"),
            (used.operations, budget.operations, "{:,} of {:,} operations"),
            (used.tool_calls, budget.tool_calls, "{:,} of {:,} tool calls"),
        )
        near = [share for share in shares if share[0] and share[0] >= _NEARLY * share[1]]
        return next((said.format(max(0, most - part), most) for part, most, said in near), "")


def total(one: RunCost, other: RunCost) -> RunCost:
    """Give the sum of two costs."""
    return RunCost(**{field.name: getattr(one, field.name) + getattr(other, field.name) for field in fields(RunCost)})


def cost_of(reply: Reply) -> RunCost:
    """Give what a reply costs that is no step."""
    return RunCost(0, reply.prompt_tokens, reply.completion_tokens, reply.cost_usd)
