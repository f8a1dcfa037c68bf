"""A skill as the files of its folder, and back.

SKILL.md        for readers, and for other agents (Agent Skills format)
skill.py        one public function, its helpers below it
manifest.json   what it may use, where it came from, and the hashes of the other files
examples.jsonl  recorded uses: the regression tests
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_args

from codeact.errors import SkillError
from codeact.records import Parameter, ToolCall, ToolSpec
from codeact.skills import encoding, frontmatter
from codeact.skills.damaged import UNREADABLE, told
from codeact.skills.record import Example, Provenance, Skill, State, folder_of

T = TypeVar("T")
FORMAT = 1
NAMES = ("SKILL.md", "examples.jsonl", "manifest.json", "skill.py")
NAME_CHARS = 64
DESCRIPTION_CHARS = 1024
EXAMPLES_BYTES = 8 << 20
# what the fields of a manifest are; lists and mappings hold texts, but for the tools
_SHAPES: dict[type, frozenset[str]] = {
    int: frozenset({"format", "version"}),
    str: frozenset({"function", "signature", "state", "reason", "meaning"}),
    list: frozenset({"tags", "imports", "skills", "tasks", "parents"}),
    dict: frozenset({"provenance", "files"}),
}
_LARGEST_VERSION = 1 << 32


def write(skill: Skill, examples: Iterable[Example]) -> dict[str, bytes]:
    """The four files. The same skill gives the same bytes."""
    check_name(skill.name)
    files = {
        "SKILL.md": _skill_md(skill).encode(),
        "examples.jsonl": _utf8("".join(example_line(example) + "\n" for example in examples)),
        "skill.py": skill.code.encode(),
    }
    if len(files["examples.jsonl"]) > EXAMPLES_BYTES:
        raise SkillError(f"the recorded examples of {skill.name} take more than {EXAMPLES_BYTES >> 20} MiB")
    manifest = _manifest(skill, {name: digest(content) for name, content in files.items()})
    return files | {"manifest.json": _as_text(manifest)}


def restated(files: Mapping[str, bytes], state: State, reason: str) -> dict[str, bytes]:
    """The files with another state in the manifest and nothing else changed."""
    return {**files, "manifest.json": _as_text(json.loads(files["manifest.json"]) | {"state": state, "reason": reason})}


def read(folder: str, files: Mapping[str, bytes]) -> tuple[Skill, str]:
    """The skill in a folder's files, and what in it was changed since it was written ("" where nothing was)."""
    texts = {name: _text(name, files) for name in NAMES if name != "examples.jsonl"}
    fields = frontmatter.read(texts["SKILL.md"])
    name, description = fields.get("name"), fields.get("description")
    if name != folder:
        raise SkillError(f"SKILL.md says name: {name}, but the folder is called {folder}; the two must be equal")
    if not isinstance(description, str) or not description or len(description) > DESCRIPTION_CHARS:
        raise SkillError(f"SKILL.md needs a description of 1 to {DESCRIPTION_CHARS} characters")
    try:
        manifest = json.loads(texts["manifest.json"])
        skill = _from_manifest(manifest, texts["skill.py"], description)
    except UNREADABLE as error:
        raise SkillError(f"manifest.json cannot be read: {told(error)}") from error
    if skill.folder != folder:
        raise SkillError(f"manifest.json names the function {skill.name}, which belongs in a folder {skill.folder}")
    check_code(skill)
    hashes = manifest.get("files", {})
    changed = [name for name in NAMES if name in hashes and digest(files.get(name, b"")) != hashes[name]]
    return skill, ", ".join(changed)


def read_examples(content: bytes) -> list[Example]:
    """The recorded uses of a skill; SkillError names the line that cannot be read."""
    examples = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            examples.append(_example(json.loads(line)))
        except UNREADABLE as error:
            raise SkillError(f"line {number} of examples.jsonl cannot be read: {told(error)}") from error
    return examples


def reread(example: Example) -> Example:
    """A recorded use as the library will read it again; SkillError where it cannot be written or read."""
    return read_examples(_utf8(example_line(example)))[0]


def check_name(name: str) -> None:
    """SkillError where a function's name has no folder name in the Agent Skills format."""
    folder = folder_of(name)
    parts = folder.split("-")
    fits = all(part.isalnum() and part.isascii() and part == part.lower() for part in parts)
    if not fits or not name.isidentifier() or len(folder) > NAME_CHARS:
        raise SkillError(
            f"{name!r} cannot name a skill: lower-case ASCII words joined by single underscores, ≤ {NAME_CHARS}"
        )


def check_code(skill: Skill) -> ast.Module:
    """The syntax tree of a skill's code; SkillError where it does not parse or is not one public function."""
    try:
        tree = ast.parse(skill.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two: nested too deeply
        raise SkillError(f"skill.py does not parse on this Python: {str(error) or 'nested too deeply'}") from error
    public = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    ]
    if public != [skill.name]:
        raise SkillError(
            f"skill.py must hold one public function, {skill.name}; it holds {', '.join(public) or 'none'}"
        )
    return tree


def digest(content: bytes) -> str:
    """The hash of one file."""
    return hashlib.sha256(content).hexdigest()


def seal(files: Mapping[str, bytes]) -> str:
    """The hash of a whole folder: what was accepted here is known by it."""
    return digest("".join(f"{name} {digest(files.get(name, b''))}\n" for name in NAMES).encode())


def asks(skill: Skill) -> list[str]:
    """What a skill may use, as whoever takes it in agrees to: `read:rate`, `import:math`, `skill:convert`."""
    tools = [f"{spec.effect}:{spec.name}" for spec in skill.tools]
    return sorted([*tools, *(f"import:{name}" for name in skill.imports), *(f"skill:{name}" for name in skill.skills)])


def tool_hash(spec: ToolSpec) -> str:
    """The hash of how a tool is called and what it does to the world: not of its words."""
    shape = [[p.name, p.kind, p.required, p.annotation] for p in spec.parameters]
    return digest(json.dumps([spec.name, shape, spec.returns, spec.effect]).encode())


def _text(name: str, files: Mapping[str, bytes]) -> str:
    if name not in files:
        raise SkillError(f"{name} is missing")
    try:
        return files[name].decode("utf-8")
    except UnicodeDecodeError as error:
        raise SkillError(f"{name} is not UTF-8 text: {error}") from error


def _utf8(lines: str) -> bytes:
    try:
        return lines.encode()
    except UnicodeEncodeError as error:
        raise SkillError("a recorded text holds half a character and cannot be written") from error


def _skill_md(skill: Skill) -> str:
    head = frontmatter.write(
        {
            "name": skill.folder,
            "description": skill.description[:DESCRIPTION_CHARS],
            "metadata": {"function": skill.name, "version": str(skill.version), "tags": ", ".join(skill.tags)},
        }
    )
    tools = ", ".join(f"`{spec.name}`" for spec in skill.tools) or "no tools"
    imports = ", ".join(f"`{name}`" for name in skill.imports) or "nothing"
    served = "".join(f"- {task}\n" for task in skill.tasks)
    return (
        f"{head}\n# {skill.name}\n\n{skill.description}\n\n"
        f"## How to call it\n\n```python\n{skill.signature}\n```\n\n"
        f"It calls {tools} and imports {imports}.\n\n## When to use it\n\nIt has served:\n\n{served}"
    )


def _manifest(skill: Skill, hashes: dict[str, str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": skill.version,
        "function": skill.name,
        "signature": skill.signature,
        "state": skill.state,
        "reason": skill.reason,
        "tags": list(skill.tags),
        "tools": {spec.name: _tool(spec) for spec in sorted(skill.tools, key=lambda spec: spec.name)},
        "imports": sorted(skill.imports),
        "skills": sorted(skill.skills),
        "tasks": list(skill.tasks),
        "provenance": {name: getattr(skill.provenance, name) for name in Provenance.__slots__},
        "parents": list(skill.parents),
        "meaning": skill.meaning,
        "files": dict(sorted(hashes.items())),
    }


def _as_text(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def _tool(spec: ToolSpec) -> dict[str, Any]:
    parameters = [[p.name, p.kind, p.required, p.annotation] for p in spec.parameters]
    return {"hash": tool_hash(spec), "effect": spec.effect, "parameters": parameters, "returns": spec.returns}


def _check_shape(manifest: dict[str, Any]) -> None:
    """Raise ValueError for a field that is not what it has to be; what is missing is missed later."""
    json.dumps(manifest, ensure_ascii=False).encode()  # half a character: the index cannot take it
    for kind, names in _SHAPES.items():
        for name in names & manifest.keys():
            items = manifest[name] if kind is list else manifest[name].values() if kind is dict else ()
            if type(manifest[name]) is not kind or not all(type(item) is str for item in items):
                raise ValueError(f"{name} is {manifest[name]!r:.80}")
    if not 0 <= manifest["version"] < _LARGEST_VERSION or manifest["state"] not in get_args(State):
        raise ValueError(f"version is {manifest['version']}, state is {manifest['state']!r:.80}")
    for tool in manifest["tools"].values():
        parts = [tool["returns"], tool["effect"], *(part for p in tool["parameters"] for part in (p[0], p[1], p[3]))]
        if not all(type(part) is str for part in parts):
            raise ValueError(f"a tool is {tool!r:.80}")


def _from_manifest(manifest: dict[str, Any], code: str, description: str) -> Skill:
    if manifest["format"] > FORMAT:
        raise SkillError(f"manifest.json has format {manifest['format']}; this codeact reads up to {FORMAT}")
    _check_shape(manifest)
    tools = tuple(
        ToolSpec(name, tuple(Parameter(*p) for p in tool["parameters"]), tool["returns"], effect=tool["effect"])
        for name, tool in sorted(manifest["tools"].items())
    )
    return Skill(
        name=str(manifest["function"]),
        code=code,
        description=description,
        signature=str(manifest["signature"]),
        version=int(manifest["version"]),
        state=manifest["state"],
        reason=str(manifest["reason"]),
        tags=tuple(manifest["tags"]),
        tools=tools,
        imports=tuple(manifest["imports"]),
        skills=tuple(manifest["skills"]),
        meaning=str(manifest["meaning"]),
        tasks=tuple(manifest["tasks"]),
        parents=tuple(manifest["parents"]),
        provenance=Provenance(**manifest["provenance"]),
    )


def example_line(example: Example) -> str:
    """One line of examples.jsonl."""
    calls = [
        {"tool": call.tool, "arguments": encoding.encode(call.arguments)}
        | ({"error": call.error} if call.error is not None else {"result": encoding.encode(call.result)})
        for call in example.calls
    ]
    content = {
        "task": example.task,
        "arguments": encoding.encode(dict(example.arguments)),
        "calls": calls,
        "answer": encoding.encode(example.answer),
    }
    if example.files:
        content["files"] = encoding.encode(dict(sorted(example.files.items())))
    if example.fixed_clock:
        content["fixed_clock"] = True
    return json.dumps(content, ensure_ascii=False)


def _example(content: dict[str, Any]) -> Example:
    calls = tuple(
        ToolCall(
            tool=_of_kind(str, call["tool"]),
            arguments=_by_name(object, call["arguments"]),
            result=encoding.decode(call.get("result")),
            error=None if call.get("error") is None else _of_kind(str, call["error"]),
        )
        for call in content["calls"]
    )
    arguments, files = _by_name(object, content["arguments"]), _by_name(bytes, content.get("files", {}))
    answer, fixed_clock = encoding.decode(content["answer"]), content.get("fixed_clock") is True
    return Example(arguments, calls, answer, _of_kind(str, content["task"]), files, fixed_clock)


def _of_kind(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise ValueError(f"{value!r:.80} stands where a {kind.__name__} belongs")
    return value


def _by_name(kind: type[T], encoded: Any) -> dict[str, T]:
    """What is written by name; a file is its bytes, as a text would name one of this machine."""
    found = _of_kind(dict, encoding.decode(encoded))
    return {_of_kind(str, name): _of_kind(kind, value) for name, value in found.items()}
