"""A session: Python in, an observation out. It ties the sandbox, the tools and the journal together."""

from codeact.records import Isolation
from codeact.session.session import Session
from codeact.session.settings import Listener

__all__ = ["Isolation", "Listener", "Session"]
