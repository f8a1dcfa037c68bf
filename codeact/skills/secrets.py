"""Secrets recognised by their shape or by the name they are given: what looks like one never gets into a skill."""

from __future__ import annotations

import ast
import base64
import binascii
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from codeact.skills.encoding import TAG
from codeact.snippet.words import word_set

# each kind of secret with the shape its issuer gives it
SHAPES = (
    ("an AWS access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("an API key", re.compile(r"\b(?:sk|pk|rk)[-_](?:live_|test_|proj-|ant-)?[A-Za-z0-9_-]{20,}")),
    ("a Stripe webhook secret", re.compile(r"\bwhsec_[A-Za-z0-9+/=]{24,}")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})")),
    ("a GitLab token", re.compile(r"\bgl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,}")),
    ("a Slack token", re.compile(r"\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}")),
    ("a Slack webhook", re.compile(r"\bhooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}")),
    ("a Google key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}|\bGOCSPX-[0-9A-Za-z_-]{20,}|\bya29\.[0-9A-Za-z_-]{20,}")),
    ("an Azure key", re.compile(r"\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}")),
    ("an Azure signature", re.compile(r"[?&;]sig=[A-Za-z0-9%+/]{40,}")),
    ("an Azure client secret", re.compile(r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~.-])")),
    ("a registry token", re.compile(r"\b(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,})")),
    ("a SendGrid key", re.compile(r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}")),
    ("a private key", re.compile(r"-----BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")),
    ("a signed token (JWT)", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+")),
    ("a bearer token", re.compile(r"(?i)\bbearer\s+(?=[^\s]*\d)[a-z0-9._~+/-]{16,}")),
    ("a basic authorization", re.compile(r"(?i)\bauthorization\W{1,5}basic\s+[a-z0-9+/]{8,}")),
    ("a password in an address", re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{0,60}:[^\s/:@{}]{3,}@")),
    ("a password in a text", re.compile(r"(?i)\b(?:password|passwd|pwd)\s*=\s*(?=[^\s;]*[^a-z\s;])[^\s;&{}<>'\"]{6,}")),
)
_NAMES = re.compile(
    r"(?i)(?:^|_)(?:password|passwd|pwd|passphrase|secret|token|api_?key|access_?key|private_?key|credentials?)s?$"
)
_HARMLESS = re.compile(r"(?i)^(?:|\W+|x+|none|null|your[-_ ].*|<.*>|\{.*\}|example|changeme|[a-z ]{1,12})$")
_TELLING = word_set("key apikey accesskey token secret password passwd pwd passphrase credential auth bearer signature")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONG = 32  # so many characters without sense, under such a name, are a secret
_RANDOM = re.compile(r"[A-Za-z0-9+/_.=~-]{32,}")
_ASSIGNED = re.compile(r"([A-Za-z][\w-]{1,40})[\"']?\s{0,3}[:=]\s{0,3}[\"']?([A-Za-z0-9+/_.=~-]{32,})")
_HEX_BITS, _TEXT_BITS = 3.0, 3.8  # of a character, by how often each stands there: words stay below


def find(text: str) -> str | None:
    """What kind of secret a text holds; None where it holds none. The secret itself is not repeated."""
    for kind, shape in SHAPES:
        if shape.search(text):
            return kind
    for name, value in _ASSIGNED.findall(text):
        if _tells(name) and _senseless(value):
            return f"a text given the name {name}"
    return None


def find_in_code(code: str) -> str | None:
    """What secret the texts of a program hold, by their shape or by the name they are given."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant):
            kind = find(_text(node.value))
            if kind is not None:
                return f"{kind} in line {node.lineno}"
        for name, value in _named(node):
            if (_NAMES.search(name) and not _HARMLESS.match(value)) or (_tells(name) and _senseless(value)):
                return f"a text given the name {name} in line {getattr(node, 'lineno', 0)}"
    return None


def find_in_recording(lines: str) -> str | None:
    """What secret recorded uses hold, the contents of files and what stands under the name of one included."""
    for line in lines.removesuffix("\n").split("\n"):  # within a line stand other ends of lines, as they were
        for name, text in _recorded("", json.loads(line)):
            if _tells(name) and _senseless(text):
                return f"a text given the name {name}"
            kind = find(text)
            if kind is not None:
                return kind
    return None


def _recorded(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Each text of a recording with the name it stands under."""
    match value:
        case str():
            yield name, value
        case {"$": "bytes", "v": str(content)}:
            yield name, _decoded(content)
        case dict():
            for key, item in value.items():
                yield "", key
                yield from _recorded(name if TAG in value else key, item)
        case list():
            for item in value:
                yield from _recorded(name, item)


def _decoded(content: str) -> str:
    try:
        return base64.b64decode(content).decode("latin-1")
    except binascii.Error:  # not written by `encoding`: then it is a text like any other
        return content


def _tells(name: str) -> bool:
    """True where a name says that it stands for a secret: `api_key`, `authToken`, `Client-Secret`."""
    parts = {part.lower().removesuffix("s") for part in _PARTS.findall(name)}
    return not parts.isdisjoint(_TELLING) and "public" not in parts


def _senseless(text: str) -> bool:
    """True for long texts of letters and digits that no one would write by hand, as keys are."""
    if len(text) < _LONG or not _RANDOM.fullmatch(text):
        return False
    bits = -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())
    if re.fullmatch(r"[0-9a-fA-F-]+", text):
        return bits >= _HEX_BITS
    mixed = all(re.search(kind, text) for kind in ("[a-z]", "[A-Z]", "[0-9]"))
    return mixed and bits >= _TEXT_BITS


def _text(value: object) -> str:
    return value if isinstance(value, str) else value.decode("latin-1") if isinstance(value, bytes) else ""


def _named(node: ast.AST) -> list[tuple[str, str]]:
    """The texts a statement or expression gives a name, or compares with one."""
    pairs: list[tuple[ast.AST | str | None, ast.AST | None]] = []
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                pairs += _unpacked(target, value)
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            pairs.append((target, value))
        case ast.Compare(left=left, comparators=[right]):
            pairs += [(left, right), (right, left)]
        case ast.keyword(arg=name, value=value):
            pairs.append((name, value))
        case ast.Dict(keys=keys, values=values):
            pairs += zip(keys, values, strict=True)
        case ast.arguments(posonlyargs=first, args=then, defaults=defaults):
            pairs += zip([*first, *then][len(first) + len(then) - len(defaults) :], defaults, strict=True)
            pairs += zip(node.kwonlyargs, node.kw_defaults, strict=True)
    found = []
    for label, given in pairs:
        name = label if isinstance(label, str) else _name(label)
        if isinstance(given, ast.Constant) and name and _text(given.value):
            found.append((name, _text(given.value)))
    return found


def _unpacked(target: ast.expr, value: ast.expr) -> list[tuple[ast.AST | str | None, ast.AST | None]]:
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        return [*zip(target.elts, value.elts, strict=False)]
    return [(target, value)]


def _name(node: ast.AST | None) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return name
        case ast.Constant(value=str(name)) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name.replace("-", "_")
    return ""
