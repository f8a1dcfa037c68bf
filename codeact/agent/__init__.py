"""The agent, its runs, and the runs that were recorded."""

from codeact.agent.agent import Agent
from codeact.agent.replay import compare, replay

__all__ = ["Agent", "compare", "replay"]
