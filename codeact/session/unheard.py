"""Whether a step whose worker has died by no doing of its own can be run again, and nobody is the wiser.

Its calls are given the answers they had. Not where a listener would be told of it twice, or a call is under way.
"""

from __future__ import annotations

from codeact.session.serving import Serving

_WRITING_SECONDS = 0.5  # for an answer that is on its way; a worker that lives on may never read it


def may_go_on(serving: Serving) -> bool:
    """Whether a step that has ended may be run again, with its answers."""
    listener = serving.listener
    hears_calls = listener.call_started is not None or listener.call_ended is not None
    heard = (serving.begun and hears_calls) or (serving.output and listener.output is not None)
    if heard or serving.held or not serving.giving.acquire(timeout=_WRITING_SECONDS):
        return False
    try:
        return len(serving.answers) == len(serving.begun)
    finally:
        serving.giving.release()
