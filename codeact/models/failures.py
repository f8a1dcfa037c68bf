"""The one seam where a provider's errors become ours: by type, status and code, never by their text."""

from __future__ import annotations

import datetime
import email.utils
import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

import httpx

from codeact.errors import (
    ContextTooLong,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    NotAuthorised,
    RateLimited,
    UnknownModel,
)

_TOO_LONG_CODES = {"context_length_exceeded", "string_above_max_length", "request_too_large"}
_POLICY_CODES = {"content_policy_violation", "content_filter"}
_NO_CREDIT_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_LONGEST_QUOTE = 300
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class _Seen:
    """An error of litellm, with what the rows of the table below ask about it."""

    error: Exception
    name: str
    settings: Mapping[str, Any]
    status: int | None

    @property
    def where(self) -> str:
        """The server's address, where one was given."""
        address = address_of(self.name, self.settings)
        return f" at {address}" if address else ""

    def is_a(self, kind: str) -> bool:
        """Tell whether the error is of the class litellm exports under this name."""
        return isinstance(self.error, getattr(importlib.import_module("litellm"), kind))

    def came_with(self, status: int) -> bool:
        """Tell whether the provider answered with this status, whatever litellm made of it."""
        return any(getattr(cause, "status_code", None) == status for cause in _chain(self.error))

    def had_code(self, codes: Set[str]) -> bool:
        """Tell whether the provider gave one of these codes; litellm may put the status in their place."""
        return any(str(getattr(cause, "code", None)) in codes for cause in _chain(self.error))

    def was(self, *causes: type[BaseException]) -> bool:
        """Tell whether an error of these types lies behind it."""
        return any(isinstance(cause, causes) for cause in _chain(self.error))


def translate(error: Exception, name: str, settings: Mapping[str, Any]) -> ModelError:
    """Give the error of our tree that a litellm error means for the model `name`."""
    status = getattr(error, "status_code", None)
    seen = _Seen(error, name, settings, status if isinstance(status, int) else None)
    return next(make(seen) for applies, make in _TABLE if applies(seen))


def address_of(name: str, settings: Mapping[str, Any]) -> str:
    """Give the address a model is asked at, where one was given; in the order litellm looks for it."""
    provider = name.partition("/")[0].upper()
    address = settings.get("api_base") or settings.get("base_url")
    return str(address or os.environ.get(f"{provider}_BASE_URL") or os.environ.get(f"{provider}_API_BASE") or "")


def unfinished(name: str, settings: Mapping[str, Any], *, begun: bool) -> ModelUnavailable:
    """Give the error for a reply whose end did not come, or of which nothing came at all."""
    address = address_of(name, settings)
    if begun:
        return _broken_off(name, f" at {address}" if address else "")
    place = f"at {address}" if address else f"for {name}"
    return ModelUnavailable(
        f"what answers {place} is no reply of a model: is the address right, with its /v1, and does the server stream? "
        "Else try again"
    )


def _broken_off(name: str, where: str) -> ModelUnavailable:
    return ModelUnavailable(f"the connection to {name}{where} broke off before its reply was whole: try again")


def unknown_provider(name: str) -> UnknownModel:
    """Give the error for a name litellm cannot place."""
    return UnknownModel(
        f"litellm does not know which provider has the model {name!r}: write provider/name, for example openai/{name} "
        "(a local server too: export OPENAI_API_BASE=http://localhost:8000/v1 OPENAI_API_KEY=none)"
    )


def _rate_limited(seen: _Seen) -> RateLimited:
    seconds = _retry_after(seen.error)
    when = "try again later" if seconds is None else f"it asks to wait {seconds:g} s"
    return RateLimited(f"the provider of {seen.name} limits the rate of requests: {when}", seconds)


def _not_authorised(seen: _Seen) -> NotAuthorised:
    if missing := _key_missing(seen.name, seen.settings):
        return NotAuthorised(
            f"no key for {seen.name}: export {missing}=… (any text will do for a local server that wants none)"
        )
    held = _held(seen)
    return NotAuthorised(
        f"the provider of {seen.name} refuses {held}: check that it is right, active, and allowed to use this model"
    )


def _held(seen: _Seen) -> str:
    """Where the key is."""
    if seen.settings.get("api_key"):
        return "the key given as api_key"
    variable = _variable(seen.name)
    return f"the key in {variable}" if os.environ.get(variable) else "the key"


def _variable(name: str) -> str:
    return f"{name.partition('/')[0].upper()}_API_KEY"


def _has_no_address(seen: _Seen) -> bool:
    """Tell whether what was given as the server's address is none; litellm makes an HTTP 500 of it."""
    address = address_of(seen.name, seen.settings)
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        return True
    return bool(address) and (url.scheme not in ("http", "https") or not url.host or (url.port or 0) > _LAST_PORT)


def _has_no_key(seen: _Seen) -> bool:
    """Tell whether the key holds what no header can: a line end, or a sign that is not ASCII."""
    key = str(seen.settings.get("api_key") or os.environ.get(_variable(seen.name), ""))
    return not (key.isascii() and key.isprintable())


def _ended_midway(seen: _Seen) -> bool:
    """Tell whether a stream ended before its reply did, which litellm has an error of its own for from 1.110 on."""
    known = importlib.import_module("litellm.exceptions")
    return isinstance(seen.error, getattr(known, "MidStreamFallbackError", ())) and seen.status in (None, 500)


def _stopped_midway(seen: _Seen) -> ModelUnavailable:
    """Give the error in the words of who ended the stream: the server, or litellm where a model repeats itself."""
    *_, first = _chain(seen.error)
    if not (words := _quote(first)):
        return _broken_off(seen.name, seen.where)
    return ModelUnavailable(f"the reply of {seen.name}{seen.where} ended before it was whole ({words}): try again")


def _in_trouble(seen: _Seen) -> ModelUnavailable:
    trouble = f"HTTP {seen.status}" if seen.status is not None else type(seen.error).__name__
    return ModelUnavailable(f"{seen.name}{seen.where} has trouble of its own ({trouble}): try again later")


# The first row that applies decides, so what is special stands above what is general.
_TABLE: tuple[tuple[Callable[[_Seen], bool], Callable[[_Seen], ModelError]], ...] = (
    (
        lambda seen: seen.is_a("ContextWindowExceededError") or seen.had_code(_TOO_LONG_CODES) or seen.came_with(413),
        lambda seen: ContextTooLong(f"the messages do not fit the context window of {seen.name}"),
    ),
    (  # before the rate, whose status it shares: to wait does not help
        lambda seen: seen.had_code(_NO_CREDIT_CODES) or seen.came_with(402),
        lambda seen: NotAuthorised(
            f"the account behind {_held(seen)} has no credit left for {seen.name}: see its plan and billing at the "
            f"provider, which says: {_quote(seen.error)}"
        ),
    ),
    (lambda seen: seen.is_a("RateLimitError") or seen.status == 429, _rate_limited),
    (
        lambda seen: seen.is_a("Timeout") or seen.status == 408,
        lambda seen: ModelUnavailable(f"{seen.name}{seen.where} did not answer in time: try again, or allow more time"),
    ),
    (
        lambda seen: seen.status in (None, 500) and _has_no_address(seen),
        lambda seen: ModelError(
            f"{address_of(seen.name, seen.settings)!r:.300} is no address of a model: write it with its http:// or "
            "https://, such as http://localhost:8000/v1"
        ),
    ),
    (
        lambda seen: seen.was(httpx.ConnectError, ConnectionRefusedError),
        lambda seen: ModelUnavailable(
            f"nothing answers{seen.where or f' for {seen.name}'}: is the server running, and the address right?"
        ),
    ),
    (
        lambda seen: seen.status in (None, 500) and _has_no_key(seen),
        lambda seen: NotAuthorised(
            f"{_held(seen)} cannot be one: it holds a line end, or a sign no key has. Copy it anew"
        ),
    ),
    (  # litellm makes an HTTP 500 of it, which nobody has answered
        lambda seen: seen.was(httpx.NetworkError, httpx.RemoteProtocolError, ConnectionError),
        lambda seen: _broken_off(seen.name, seen.where),
    ),
    (_ended_midway, _stopped_midway),
    (
        lambda seen: seen.status in (401, 403) or bool(_key_missing(seen.name, seen.settings)),
        _not_authorised,
    ),
    (
        lambda seen: seen.status == 404,
        lambda seen: UnknownModel(
            f"the provider{seen.where} has no model {seen.name!r}: see its list of models for the exact name"
        ),
    ),
    (
        lambda seen: seen.is_a("ContentPolicyViolationError") or seen.had_code(_POLICY_CODES),
        lambda seen: ModelRefused(f"{seen.name} refuses the request under its content policy: {_quote(seen.error)}"),
    ),
    (
        lambda seen: seen.status is not None and 400 <= seen.status < 500,
        lambda seen: ModelError(
            f"{seen.name}{seen.where} refuses the request (HTTP {seen.status}): {_quote(seen.error)}"
        ),
    ),
    (lambda seen: True, _in_trouble),
)


def _key_missing(name: str, settings: Mapping[str, Any]) -> str:
    """Give the variable that should hold the key and does not; empty where a key is there or none is needed."""
    import litellm

    if settings.get("api_key"):
        return ""
    usual = _variable(name)
    if os.environ.get(usual, "?").strip() == "":  # there and empty, which litellm takes for a key
        return usual
    found = litellm.validate_environment(name)
    names = [variable for variable in found.get("missing_keys", ()) if "KEY" in variable or "TOKEN" in variable]
    return "" if found.get("keys_in_environment") or not names else str(names[0])


def _retry_after(error: Exception) -> float | None:
    headers = getattr(error, "litellm_response_headers", None) or getattr(
        getattr(error, "response", None), "headers", None
    )
    said = str((headers or {}).get("retry-after", ""))
    try:
        return max(0.0, float(said))
    except ValueError:
        return _seconds_until(said)


def _seconds_until(date: str) -> float | None:
    """Give how long it is until a date as HTTP writes it; None for what is no date: then the backoff decides."""
    try:
        then = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return None
    return max(0.0, (then - datetime.datetime.now(datetime.UTC)).total_seconds()) if then.tzinfo else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):  # chains may be circular
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _quote(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
