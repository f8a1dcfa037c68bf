"""Agents whose action is Python: checked, metered, caged, and remembered as skills.

The public names are loaded when they are first used, so that `import codeact` costs next to nothing and a
worker never drags in the host.
"""

TYPE_CHECKING = False  # type checkers take it for `typing`'s, whose import takes longer than all else here

if TYPE_CHECKING:
    from codeact.agent import Agent
    from codeact.errors import CodeactError
    from codeact.limits import Budget, Limits, Policy
    from codeact.records import Observation, Run
    from codeact.session import Session
    from codeact.skills.library import SkillLibrary
    from codeact.toolbox import Pause, tool

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Budget",
    "CodeactError",
    "Limits",
    "Observation",
    "Pause",
    "Policy",
    "Run",
    "Session",
    "SkillLibrary",
    "tool",
]

_HOMES = {
    "Agent": "codeact.agent",
    "Budget": "codeact.limits",
    "CodeactError": "codeact.errors",
    "Limits": "codeact.limits",
    "Observation": "codeact.records",
    "Pause": "codeact.toolbox",
    "Policy": "codeact.limits",
    "Run": "codeact.records",
    "Session": "codeact.session",
    "SkillLibrary": "codeact.skills.library",
    "tool": "codeact.toolbox",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
