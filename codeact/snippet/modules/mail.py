"""`email`: messages as text, with nothing sent and nothing fetched.

What makes a message takes the time and numbers by chance: they are the session's own.
"""

from __future__ import annotations

import random
import time
from typing import Any

from codeact.snippet import running
from codeact.snippet.modules.clocks import OfTheSession
from codeact.snippet.modules.functional import is_special
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.patches import patch

_MESSAGES = "messages in memory"

_ERRORS = """
BoundaryError CharsetError CloseBoundaryNotFoundDefect FirstHeaderLineIsContinuationDefect HeaderDefect
HeaderMissingRequiredValue HeaderParseError HeaderWriteError InvalidBase64CharactersDefect InvalidBase64LengthDefect
InvalidBase64PaddingDefect InvalidDateDefect InvalidHeaderDefect InvalidMultipartContentTransferEncodingDefect
MalformedHeaderDefect MessageDefect MessageError MessageParseError MisplacedEnvelopeHeaderDefect
MissingHeaderBodySeparatorDefect MultipartConversionError MultipartInvariantViolationDefect
NoBoundaryInMultipartDefect NonASCIILocalPartDefect NonPrintableDefect ObsoleteHeaderDefect
StartBoundaryNotFoundDefect UndecodableBytesDefect
"""

_UTILS = """
collapse_rfc2231_value decode_params decode_rfc2231 encode_rfc2231 format_datetime formataddr formatdate getaddresses
mktime_tz parseaddr parsedate parsedate_to_datetime parsedate_tz quote unquote
"""

_POLICY = "Compat32 EmailPolicy HTTP Policy SMTP SMTPUTF8 compat32 default strict"

#: Part of email.mime → the class it holds.
_MIME = {
    "application": "MIMEApplication",
    "base": "MIMEBase",
    "image": "MIMEImage",
    "message": "MIMEMessage",
    "multipart": "MIMEMultipart",
    "nonmultipart": "MIMENonMultipart",
    "text": "MIMEText",
}


def _print(*texts: object) -> None:
    """Print what a parsed header is made of where it is asked."""
    if (room := running.room()) is None:
        print(*texts)
    else:
        room.write(" ".join(map(str, texts)) + "\n")


def _messages(room: Room) -> dict[str, Any]:
    """Nothing is replaced; email's own modules ask the session for the time and for chance, and print to its output."""
    from email import _header_value_parser, _policybase, generator, utils

    vars(generator).update(random=OfTheSession(random), time=OfTheSession(time))
    vars(utils).update(random=OfTheSession(random), time=OfTheSession(time))
    vars(_header_value_parser)["print"] = _print
    for name in ("__init__", "clone"):
        patch(_policybase._PolicyBase, name, _settings)
    return {}


def _settings(real: Any) -> Any:
    def made(self: Any, /, **settings: Any) -> Any:
        """Take the settings of a policy: given another class, it would be of that with whatever insides."""
        if running.in_a_snippet() and (wrong := [*filter(is_special, settings)]):
            raise TypeError(f"{wrong[0]!r} is an invalid keyword argument for {type(self).__name__}")
        return real(self, **settings)

    return made


def _identifiers(room: Room) -> dict[str, Any]:
    """The replaced name of email.utils."""

    def make_msgid(idstring: Any = None, domain: Any = None) -> str:
        now, chance = (vars(room.facades.import_module(name)) for name in ("time", "random"))
        told = "" if idstring is None else "." + idstring
        return f"<{int(now['time']() * 100)}.1.{chance['getrandbits'](64)}{told}@{domain or 'localhost'}>"

    return {"make_msgid": make_msgid}


ROWS = (
    Module(
        "email",
        _MESSAGES,
        names="message_from_binary_file message_from_bytes message_from_file message_from_string",
        build=_messages,
        parts=("errors", "header", "headerregistry", "message", "mime", "parser", "policy", "utils"),
    ),
    Module("email.message", _MESSAGES, names="EmailMessage MIMEPart Message"),
    Module(
        "email.parser", _MESSAGES, names="BytesFeedParser BytesHeaderParser BytesParser FeedParser HeaderParser Parser"
    ),
    Module("email.policy", "how messages are read and written", names=_POLICY),
    Module("email.header", "headers as text", names="Header decode_header make_header"),
    Module("email.headerregistry", "headers and addresses", names="Address Group"),
    Module("email.errors", "exceptions", names=_ERRORS),
    Module(
        "email.encoders", "parts of messages as text", names="encode_7or8bit encode_base64 encode_noop encode_quopri"
    ),
    Module(
        "email.utils",
        "dates, names and addresses of messages",
        names=_UTILS,
        withheld={"localtime": "use datetime.datetime.now(zone) and format_datetime"},
        replaced={"make_msgid": "tells nothing about this machine"},
        build=_identifiers,
    ),
    Module("email.mime", "kinds of parts of messages", parts=tuple(_MIME)),
    *(Module(f"email.mime.{name}", "parts of messages", names=made) for name, made in _MIME.items()),
)
