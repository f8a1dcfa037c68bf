"""The head of a SKILL.md: the small part of YAML that the Agent Skills format uses, written and read."""

from __future__ import annotations

import json
import re

from codeact.errors import SkillError

_LINE = re.compile(r"^(?P<indent> *)(?P<key>[A-Za-z][\w-]*) *:(?: +(?P<value>.*))?$")


def write(fields: dict[str, str | dict[str, str]]) -> str:
    """The head with its fences; every value is quoted, so that no value can be read as anything but text."""
    lines = ["---"]
    for key, value in fields.items():
        if isinstance(value, dict):
            lines.append(f"{key}:")
            lines += [f"  {name}: {json.dumps(text, ensure_ascii=False)}" for name, text in value.items()]
        else:
            lines.append(f"{key}: {value if _plain(value) else json.dumps(value, ensure_ascii=False)}")
    return "\n".join([*lines, "---", ""])


def _plain(text: str) -> bool:
    return re.fullmatch(r"[a-z][a-z0-9-]*", text) is not None and text not in (
        "true",
        "false",
        "null",
        "yes",
        "no",
        "on",
        "off",
    )


def read(text: str) -> dict[str, str | dict[str, str]]:
    """The fields of the head; SkillError names the line that cannot be read."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].strip() != "---":
        raise SkillError("SKILL.md must begin with a line of three dashes (---)")
    try:
        end = next(number for number, line in enumerate(lines[1:], 1) if line.strip() == "---")
    except StopIteration:
        raise SkillError("the head of SKILL.md has no closing line of three dashes (---)") from None
    return _fields(lines[1:end])


def _fields(lines: list[str]) -> dict[str, str | dict[str, str]]:
    fields: dict[str, str | dict[str, str]] = {}
    parent, at = "", 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.match(line)
        if found is None:
            raise SkillError(f"line {at + 1} of SKILL.md is not `key: value`: {line.strip()!r}")
        value, at = _value(found["value"] or "", lines, at)
        group = fields.get(parent)
        if found["indent"]:
            if not isinstance(group, dict):
                raise SkillError(f"line {at + 1} of SKILL.md is indented below nothing: {line.strip()!r}")
            group[found["key"]] = value
        else:
            parent = found["key"]
            follows = at < len(lines) and lines[at].startswith(" ") and not value
            fields[parent] = {} if follows else value
    return fields


def _value(raw: str, lines: list[str], at: int) -> tuple[str, int]:
    raw = raw.strip()
    if raw[:1] in (">", "|"):
        block = []
        while at < len(lines) and (lines[at].startswith(" ") or not lines[at].strip()):
            block.append(lines[at].strip())
            at += 1
        return (" " if raw[0] == ">" else "\n").join(block).strip(), at
    if raw[:1] == '"':
        try:
            return str(json.loads(raw)), at
        except ValueError:
            raise SkillError(f"line {at + 1} of SKILL.md has a text whose quotes do not close: {raw!r}") from None
    if raw[:1] == "'":
        if len(raw) < 2 or raw[-1] != "'":
            raise SkillError(f"line {at + 1} of SKILL.md has a text whose quotes do not close: {raw!r}")
        return raw[1:-1].replace("''", "'"), at
    return raw, at
