"""Fetch public web pages and data.

Only http and https, only public addresses: a name is resolved once, every address it has must be public, and the
connection goes to the very address that was checked, at each redirect anew. Hosts of one's own network are allowed by
whoever starts the program, with the environment variable WEB_ALLOW="127.0.0.1:8000,wiki.internal"; no snippet can
change it. No proxy is used, no cookie kept, no credential sent.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import ipaddress
import json
import os
import re
import socket
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import httpx
from _html_text import readable

_SECONDS = 20.0
_MOST_BYTES = 5_000_000
_MOST_REDIRECTS = 5
_HEADERS = {"User-Agent": "codeact-tools/1 (+httpx)", "Accept": "text/html,application/json,text/*;q=0.9,*/*;q=0.5"}
_TRANSLATED = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class _Page:
    url: str
    kind: str
    text: str


def fetch_page(url: str, max_chars: int = 20_000) -> dict[str, Any]:
    """Fetch a page and give `{url, title, text, links, truncated}`: its readable text, and links as `{text, url}`.

    `url` is the address after redirects. Texts that are not HTML are given as they are.
    """
    page = _run(_fetch(url))
    if "html" not in page.kind:
        return {
            "url": page.url,
            "title": "",
            "text": page.text[:max_chars],
            "links": [],
            "truncated": len(page.text) > max_chars,
        }
    title, text, links = readable(page.text)
    found = [{"text": name, "url": urljoin(page.url, target)} for name, target in links]
    return {
        "url": page.url,
        "title": title,
        "text": text[:max_chars],
        "links": [link for link in found if link["url"].startswith(("http://", "https://"))][:100],
        "truncated": len(text) > max_chars,
    }


def fetch_json(url: str) -> Any:
    """Fetch JSON and give it as lists, dicts, text and numbers."""
    page = _run(_fetch(url))
    try:
        return json.loads(page.text)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{page.url} did not answer with JSON ({page.kind or 'no type'}): {page.text[:200]!r}"
        ) from error


def _run(work: Coroutine[Any, Any, _Page]) -> _Page:
    """Run on a loop of its own in a thread of its own, whether or not the caller is inside a loop."""
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _fetch(url: str) -> _Page:
    try:
        async with asyncio.timeout(_SECONDS):
            for _ in range(_MOST_REDIRECTS + 1):
                answer = await _ask(url)
                if isinstance(answer, _Page):
                    return answer
                url = answer
    except TimeoutError as error:
        raise TimeoutError(f"{_short(url)} did not answer in full within {_SECONDS:g} seconds") from error
    except httpx.HTTPError as error:
        raise ConnectionError(f"{_short(url)} could not be fetched: {str(error) or type(error).__name__}") from error
    raise ConnectionError(f"{_short(url)}: more than {_MOST_REDIRECTS} redirects")


async def _ask(url: str) -> _Page | str:
    """One request: the page, or the address it redirects to."""
    target = _checked(url)
    address = await _public_address(target)
    pinned = target.copy_with(host=str(address))
    headers = {**_HEADERS, "Host": target.netloc.decode("ascii")}
    async with (
        httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=_SECONDS) as client,
        client.stream("GET", pinned, headers=headers, extensions={"sni_hostname": target.host}) as answer,
    ):
        if answer.is_redirect and "location" in answer.headers:
            return urljoin(str(target), answer.headers["location"])
        if answer.status_code >= 400:
            raise ConnectionError(f"{_short(url)} answered {answer.status_code} {answer.reason_phrase}")
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and not re.search(r"^text/|json|xml|javascript|csv|yaml", kind):
            raise ValueError(f"{_short(url)} is {kind}, not text")
        return _Page(str(target), kind, await _text(answer, url))


async def _text(answer: httpx.Response, url: str) -> str:
    content = bytearray()
    async for chunk in answer.aiter_bytes(65_536):  # unpacked bytes: a small archive may hold a huge page
        content += chunk
        if len(content) > _MOST_BYTES:
            raise ValueError(f"{_short(url)} is larger than {_MOST_BYTES:,} bytes")
    named = re.search(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{1,40})", content[:2048], re.IGNORECASE)
    encoding = answer.charset_encoding or (named[1].decode("ascii", "replace") if named else "utf-8")
    try:
        return content.decode(encoding, "replace").removeprefix("\ufeff")
    except (LookupError, ValueError, AssertionError):  # an encoding nobody knows, or one that is no text's
        return content.decode("utf-8", "replace").removeprefix("\ufeff")


def _checked(url: str) -> httpx.URL:
    try:
        target = httpx.URL(url.strip())
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        raise ValueError(f"{_short(url)} is not an address of the web: {error}") from error
    if target.scheme not in ("http", "https") or not target.host:
        raise ValueError(f"{_short(url)}: only addresses that begin with http:// or https:// can be fetched")
    if target.userinfo:
        raise ValueError(f"{_short(url)}: an address with a user name or password is not fetched")
    return target.copy_with(fragment=None)


async def _public_address(target: httpx.URL) -> Address:
    """The address to connect to; raises PermissionError where one of the host's is not public."""
    port = target.port or (443 if target.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ConnectionError(f"the host {target.host!r} is not known") from error
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    allowed = {part.strip().lower() for part in os.environ.get("WEB_ALLOW", "").split(",") if part.strip()}
    if not allowed & {target.host.lower(), f"{target.host.lower()}:{port}"}:
        for address in addresses:
            if not is_public(address):
                raise PermissionError(
                    f"{target.host!r} is not a public address; whoever starts the program can allow it with "
                    f'WEB_ALLOW="{target.host}:{port}"'
                )
    if not addresses:
        raise ConnectionError(f"the host {target.host!r} has no address")
    return addresses[0]


def is_public(address: Address) -> bool:
    """True for an address of the public internet, also where an IPv4 one is wrapped in an IPv6 one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if any(address in network for network in _TRANSLATED):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if int(address) < 1 << 32:  # the long abandoned IPv4-compatible form
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _short(url: str) -> str:
    return repr(url if len(url) <= 200 else url[:200] + "…")


__all__ = ["fetch_json", "fetch_page"]

for _tool in (fetch_page, fetch_json):
    _tool.__dict__["effect"] = "read"  # what a call changes: nothing
