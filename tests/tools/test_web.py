"""Pages are fetched as readable text, from public addresses only, within limits of bytes, redirects and seconds."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Tool = Callable[[str], Any]

PAGE = """<!doctype html><html><head><title> A &amp;  B </title><style>p {}</style></head><body><h1>Head</h1>
<p>One <b>two</b>&nbsp;three <a href="/next?a=1&amp;b=2">the
next</a> <a href="javascript:x()">no</a></p><ul><li>a<li>b</ul><table><tr><td>1</td><td>2</td></tr></table>
<pre>x
  y</pre><script>if (a < b) { "<p>hidden</p>" }</script><!-- <p>hidden</p> --><p>1 < 2</p>end"""


class Served(ThreadingHTTPServer):
    """A server whose endless answers end when it closes."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.closing = threading.Event()


class Site(BaseHTTPRequestHandler):
    """A small site with one page for each thing that can happen."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/to/"):
            return self.answer(302, location=self.path.removeprefix("/to/"))
        if path == "/loop":
            return self.answer(302, location="/loop")
        if path == "/bomb":
            return self.answer(200, gzip.compress(b"x" * 50_000_000), "text/plain", encoding="gzip")
        if path == "/host":
            return self.answer(200, self.headers["Host"].encode(), "text/plain")
        if path == "/slow":
            return self.drip()
        body, kind = BODIES.get(path, (b"", ""))
        return self.answer(200 if kind else 404, body, kind)

    def answer(self, status: int, body: bytes = b"", kind: str = "", encoding: str = "", location: str = "") -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Encoding", encoding), ("Location", location)):
            if value:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def drip(self) -> None:
        """Send header lines, one after the other, for as long as anybody listens."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        assert isinstance(self.server, Served)
        while not self.server.closing.wait(0.05):
            try:
                self.wfile.write(b"X-More: 1\r\n")
            except OSError:
                return

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


BODIES = {
    "/page": (PAGE.encode(), "text/html; charset=utf-8"),
    "/latin": ("<meta charset='iso-8859-1'><p>é</p>".encode("latin-1"), "text/html"),
    "/odd": (b"<p>ok</p>", "text/html; charset=no-such"),
    "/data": (b'{"a": [1, 2]}', "application/json"),
    "/text": (b"plain <b>text</b>", "text/plain"),
    "/picture": (b"\x89PNG", "image/png"),
    "/hostile": (b"<!--" * 250_000, "text/html"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    served = Served(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield served
    served.closing.set()
    served.shutdown()
    thread.join()
    served.server_close()


@pytest.fixture
def site(server: Served, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the site, which the tools may reach."""
    monkeypatch.setenv("WEB_ALLOW", f"127.0.0.1:{server.server_port}")
    return f"http://127.0.0.1:{server.server_port}"


def test_a_page_is_given_as_a_reader_sees_it(tool: Tool, site: str) -> None:
    page = tool("fetch_page")(f"{site}/page#part")
    assert page == {
        "url": f"{site}/page",
        "title": "A & B",
        "text": "# Head\n\nOne two three the next no\n\n- a\n- b\n\n1 | 2\n\nx\n  y\n\n1 < 2\nend",
        "links": [{"text": "the next", "url": f"{site}/next?a=1&b=2"}],
        "truncated": False,
    }


def test_a_long_page_is_cut_and_says_so(tool: Tool, site: str) -> None:
    page = tool("fetch_page")(f"{site}/page", max_chars=6)
    assert (page["text"], page["truncated"]) == ("# Head", True)


def test_text_that_is_not_html_is_given_as_it_is(tool: Tool, site: str) -> None:
    assert tool("fetch_page")(f"{site}/text")["text"] == "plain <b>text</b>"


def test_the_encoding_is_the_one_the_page_names(tool: Tool, site: str) -> None:
    assert tool("fetch_page")(f"{site}/latin")["text"] == "é"
    assert tool("fetch_page")(f"{site}/odd")["text"] == "ok"


def test_json_is_given_as_data(tool: Tool, site: str) -> None:
    assert tool("fetch_json")(f"{site}/data") == {"a": [1, 2]}
    with pytest.raises(ValueError, match="did not answer with JSON"):
        tool("fetch_json")(f"{site}/text")


def test_redirects_are_followed_but_not_for_ever(tool: Tool, site: str) -> None:
    assert tool("fetch_page")(f"{site}/to//text")["url"] == f"{site}/text"
    with pytest.raises(ConnectionError, match="more than 5 redirects"):
        tool("fetch_page")(f"{site}/loop")


def test_a_redirect_to_a_private_address_is_refused(tool: Tool, site: str) -> None:
    for target in (
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
    ):
        with pytest.raises(PermissionError, match="not a public address"):
            tool("fetch_page")(f"{site}/to/{target}")
    with pytest.raises(ValueError, match="only addresses that begin with http"):
        tool("fetch_page")(f"{site}/to/file:///etc/passwd")


def test_a_page_past_the_limit_of_bytes_is_refused_also_packed(tool: Tool, site: str) -> None:
    with pytest.raises(ValueError, match="larger than 5,000,000 bytes"):
        tool("fetch_page")(f"{site}/bomb")


def test_a_page_made_to_keep_a_parser_busy_is_read_at_once(tool: Tool, site: str) -> None:
    assert tool("fetch_page")(f"{site}/hostile")["text"] == ""


def test_headers_that_never_end_are_not_waited_for(tool: Tool, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tool("fetch_page").__globals__, "_SECONDS", 0.5)
    with pytest.raises(TimeoutError, match=r"within 0\.5 seconds"):
        tool("fetch_page")(f"{site}/slow")


def test_what_is_not_text_or_not_there_is_an_error(tool: Tool, site: str) -> None:
    with pytest.raises(ValueError, match="is image/png, not text"):
        tool("fetch_page")(f"{site}/picture")
    with pytest.raises(ConnectionError, match="answered 404"):
        tool("fetch_page")(f"{site}/nothing")


LOCAL = [
    *(
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://0x7f.1/",
    ),
    *("http://10.1.2.3/", "http://192.168.0.1/", "http://172.16.0.1/", "http://169.254.169.254/", "http://100.64.0.1/"),
    *(
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[::]/",
    ),
    *(
        "http://[2002:7f00:1::]/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://127.1/",
        "http://017700000001/",
    ),
]


@pytest.mark.parametrize("url", LOCAL)
def test_private_addresses_are_refused_however_they_are_written(tool: Tool, url: str) -> None:
    with pytest.raises((PermissionError, ConnectionError), match=r"not a public address|is not known"):
        tool("fetch_page")(url)


def test_allowing_one_port_allows_no_other(tool: Tool, site: str) -> None:
    with pytest.raises(PermissionError, match=r'WEB_ALLOW="127\.0\.0\.1:1"'):
        tool("fetch_page")("http://127.0.0.1:1/")


@pytest.mark.parametrize(
    "url", ["", "ftp://example.org/", "file:///etc/passwd", "http://", "http://[::1", "http://a b/", "x"]
)
def test_what_is_no_address_of_the_web_is_refused(tool: Tool, url: str) -> None:
    with pytest.raises((ValueError, ConnectionError)):
        tool("fetch_page")(url)


def test_an_address_with_a_password_is_refused(tool: Tool) -> None:
    with pytest.raises(ValueError, match="user name or password"):
        tool("fetch_page")("http://user:secret@example.org/")


def answering(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let the system's resolver give these addresses, one list for each question; gives the questions."""
    asked: list[str] = []
    left = list(answers)

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        kinds = [(socket.AF_INET6 if ":" in each else socket.AF_INET, each) for each in left.pop(0)]
        return [(kind, socket.SOCK_STREAM, 6, "", (address, port)) for kind, address in kinds]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_a_name_with_one_private_address_among_public_ones_is_refused(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, ["93.184.216.34", "127.0.0.1"])
    with pytest.raises(PermissionError, match="not a public address"):
        tool("fetch_page")("http://mixed.example/")


def test_the_connection_goes_to_the_address_that_was_checked(
    tool: Tool, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEB_ALLOW", "pinned.example")
    asked = answering(monkeypatch, ["127.0.0.1"])  # a second question would find no answer
    page = tool("fetch_page")(f"http://pinned.example:{server.server_port}/host")
    assert page["text"] == f"pinned.example:{server.server_port}"
    assert asked == ["pinned.example"]


def test_a_certificate_is_checked_against_the_name_and_not_the_address(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []

    def greet(listener: socket.socket) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.sni_callback = lambda connection, name, own: asked.append(name)  # type: ignore[assignment]  # may give None
        accepted, _ = listener.accept()
        try:
            context.wrap_socket(accepted, server_side=True)
        except OSError:  # there is no certificate: what counts is the name the client asked for
            accepted.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        thread = threading.Thread(target=greet, args=[listener])
        thread.start()
        monkeypatch.setenv("WEB_ALLOW", "pinned.example")
        answering(monkeypatch, ["127.0.0.1"])
        with pytest.raises(ConnectionError, match="could not be fetched"):
            tool("fetch_page")(f"https://pinned.example:{port}/")
        thread.join()
    assert asked == ["pinned.example"]


@pytest.mark.parametrize("text", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_known_as_such(tool: Tool, text: str) -> None:
    assert tool("fetch_page").__globals__["is_public"](ipaddress.ip_address(text))
