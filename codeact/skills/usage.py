"""When a skill has earned its place and when it has lost it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from codeact.skills.record import Usage

SUCCESS_THRESHOLD = 0.5
Z = 1.645  # 95 % confidence that the rate is below: a bound on one side
_PRIOR_USES, _PRIOR_SUCCESSES = 4.0, 3.0  # an unused skill passed its gate: it counts as three of four


def _upper_bound(successes: int, uses: int) -> float:
    """What the true success rate lies below, as far as so many uses can tell (Wilson, 1927)."""
    rate = successes / uses
    spread = Z * math.sqrt(rate * (1 - rate) / uses + Z * Z / (4 * uses * uses))
    return (rate + Z * Z / (2 * uses) + spread) / (1 + Z * Z / uses)


def failing(usage: Usage) -> str:
    """Why a skill that failed has done so too often: even the upper bound of its success rate is below the threshold.

    Empty where it has not: one failure alone is never enough.
    """
    tried = usage.successes + usage.failures
    upper = _upper_bound(usage.successes, tried)
    share = f"{usage.successes} of {tried} checked uses succeeded: with 95 % confidence below {upper:.0%}"
    return f"{share} (threshold {SUCCESS_THRESHOLD:.0%})" if upper < SUCCESS_THRESHOLD else ""


def proven(usage: Usage) -> bool:
    """True where checked answers speak for a skill: it may be offered where nobody checks."""
    return usage.successes > 0 and usage.successes >= usage.failures


def expected_success(usage: Usage) -> float:
    """The success rate to count on, between 0 and 1, drawn towards the prior while uses are few."""
    return (usage.successes + _PRIOR_SUCCESSES) / (usage.successes + usage.failures + _PRIOR_USES)


def least_useful(names: list[str], usages: Mapping[str, Usage], count: int) -> list[str]:
    """The `count` names that pay least: by successes, then by success rate, then by name."""

    def worth(name: str) -> tuple[float, float, str]:
        usage = usages.get(name, Usage())
        return usage.successes, expected_success(usage), name

    return sorted(names, key=worth)[: max(0, count)]
