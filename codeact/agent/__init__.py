"""The agent, its runs, and the runs that were recorded."""

from codeact.agent.agent import Agent
from codeact.agent.comparing import compare
from codeact.agent.replay import replay

__all__ = ["Agent", "compare", "replay"]
