"""Secrets recognised by their shape: what looks like one is never written into a skill."""

from __future__ import annotations

import ast
import re

# each kind of secret with the shape its issuer gives it
SHAPES = (
    ("an AWS access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("an API key", re.compile(r"\b(?:sk|pk|rk)[-_](?:live_|test_|proj-|ant-)?[A-Za-z0-9_-]{20,}")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})")),
    ("a GitLab token", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}")),
    ("a Slack token", re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}")),
    ("a Google key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    ("a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    ("a signed token (JWT)", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+")),
    ("a bearer token", re.compile(r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{16,}")),
    ("a password in an address", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/:@{}]{3,}@")),
)
_NAMES = re.compile(
    r"(?i)(?:^|_)(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key|credentials?)s?$"
)
_HARMLESS = re.compile(r"(?i)^(?:|\W+|x+|none|null|your[-_ ].*|<.*>|\{.*\}|example|changeme|[a-z ]{1,12})$")


def find(text: str) -> str | None:
    """What kind of secret a text holds; None where it holds none. The secret itself is not repeated."""
    for kind, shape in SHAPES:
        if shape.search(text):
            return kind
    return None


def find_in_code(code: str) -> str | None:
    """What secret the texts of a program hold, by their shape or by the name they are given."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            kind = find(text)
            if kind is not None:
                return f"{kind} in line {node.lineno}"
        for name, value in _named(node):
            if _NAMES.search(name) and not _HARMLESS.match(value):
                return f"a text given the name {name} in line {getattr(node, 'lineno', 0)}"
    return None


def _named(node: ast.AST) -> list[tuple[str, str]]:
    pairs: list[tuple[ast.AST | str | None, ast.AST | None]] = []
    match node:
        case ast.Assign(targets=[target], value=value):
            pairs.append((target, value))
        case ast.keyword(arg=name, value=value):
            pairs.append((name, value))
        case ast.Dict(keys=keys, values=values):
            pairs += zip(keys, values, strict=True)
        case ast.FunctionDef(args=arguments):
            pairs += zip(
                [*arguments.posonlyargs, *arguments.args][-len(arguments.defaults) :], arguments.defaults, strict=False
            )
    found = []
    for label, given in pairs:
        name = label if isinstance(label, str) else _name(label)
        if isinstance(given, ast.Constant) and isinstance(given.value, str) and name:
            found.append((name, given.value))
    return found


def _name(node: ast.AST | None) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return name
        case ast.Constant(value=str(name)) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name.replace("-", "_")
    return ""
