"""What never gets into a journal: values whose names are those of keys, however they are written."""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Mapping
from typing import Any

_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH", "AUTHORIZATION")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")  # of a name: SOME_WORDS, someWords, Some-Words
_SHORTEST_SECRET = 8  # shorter values are words like "true" or "none" and would be blotted out of ordinary text


def secrets_of(*sources: Mapping[str, Any]) -> dict[str, str]:
    """Give the values in these mappings (environments, model settings) whose name looks like a key's: value → name."""
    found = {}
    for source in sources:
        for name, value in source.items():
            if isinstance(value, Mapping):  # headers within settings
                found.update(secrets_of(value))
            elif isinstance(value, str) and len(value) >= _SHORTEST_SECRET and is_secret(str(name)):
                found[value] = name
    return found


def _written(secret: str) -> set[str]:
    """Give the ways a secret is written: as it is, in a repr, in JSON, in an address."""
    as_bytes = _encoded(secret)
    quoted = {repr(secret), repr(f"{secret}'"), repr(as_bytes), ascii(secret)}
    quoted |= {json.dumps(secret), json.dumps(secret, ensure_ascii=False)}
    inside = {text.removeprefix("b")[1:-1].removesuffix("'") for text in quoted}
    return {secret, *inside, urllib.parse.quote(as_bytes, safe=""), urllib.parse.quote_plus(as_bytes)}


def _encoded(secret: str) -> bytes:
    """Give the bytes of a secret: one of the environment may be no text, and is what it was there."""
    try:
        return secret.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return secret.encode("utf-8", "surrogatepass")


def is_secret(name: str) -> bool:
    """Whether a word of the name ends as those of secrets do: API_KEY, apiKey, PGPASSWORD, but not AUTHOR."""
    return any(word.upper().removesuffix("S").endswith(_SECRET_NAMES) for word in _WORD.findall(name))


class Hidden:
    """The secrets that are kept out of one journal: value → name."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._names: dict[str, str] = {}
        self.add(secrets)

    def add(self, secrets: Mapping[str, str]) -> None:
        """Keep these out as well."""
        known = {written: name for secret, name in secrets.items() for written in _written(secret)}
        longest_first = sorted((self._names | known).items(), key=lambda item: -len(item[0]))  # one may hold another
        self._names = dict(longest_first)

    def redacted(self, left_out: set[str], text: str) -> str:
        """Give the text with every known secret replaced by its name, which is noted in `left_out`."""
        for secret, name in self._names.items():
            if secret in text:
                left_out.add(name)
                text = text.replace(secret, f"[{name}: not recorded]")
        return text
