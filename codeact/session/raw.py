"""Sessions without the language's rules, for tests of the cage."""

from __future__ import annotations

from typing import Any

from codeact.errors import UsageError
from codeact.session.session import Session


class RawSession(Session):
    """A caged session that runs code unchecked, as if the language were already broken: for tests of the cage alone."""

    _checked = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if options.get("isolation", "caged") != "caged":
            raise UsageError("a raw session is always caged: nothing else stands between its code and this machine")
        super().__init__(*arguments, **options)
