"""A session: Python in, an observation out. It ties the sandbox, the tools and the journal together.

`session` is what users hold; `life` is behind it, step after step, and `state` knows how its variables are had again.

    What it is made with
        settings raw
    One step
        onestep serving answering recorded hosting failing observing unheard stretch turns lanes bell
    The worker it runs in
        link inline apart remembered drawing stopping
    Its record, and how it is lived again
        log spool past shapes alike
"""

from codeact.records import Isolation
from codeact.session.session import Session
from codeact.session.settings import Listener

__all__ = ["Isolation", "Listener", "Session"]
