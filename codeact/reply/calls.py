"""Code inside JSON and tool-call markup: `{"code": …}`, `{"name": "run_python", "arguments": {…}}` and their kin."""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections.abc import Iterator
from typing import Any

from codeact.reply.repair import parse

RUNNERS = frozenset(
    {"run_python", "python", "execute_python", "python_interpreter", "code_interpreter", "execute_code", "run_code",
     "execute", "ipython", "execute_ipython_cell", "run", "python_repl", "python_repl_ast", "repl", "interpreter",
     "python_tool", "jupyter"}
)  # fmt: skip
_CODE_KEYS = ("code", "python_code", "python", "source", "script", "snippet", "input", "action_input", "query")
_BESIDE_CODE = frozenset(
    {"thought", "thoughts", "thinking", "reasoning", "rationale", "explanation", "plan", "comment", "language", "lang",
     "type", "id", "call_id", "action", "tool", "tool_name", "name", "title", "description", "step", "observation",
     "function", "status", "next", "final_answer", "answer"}
)  # fmt: skip
_NAME_KEYS = ("name", "tool", "tool_name", "action", "recipient_name", "function")
_WRAPPERS = (
    "action",
    "function",
    "function_call",
    "functionCall",
    "tool_call",
    "toolCall",
    "executableCode",
    "executable_code",
)
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "action_input", "input", "kwargs", "tool_input")
_MOST_TRIES = 50  # brackets tried as the start of an object
_PYTHON_NAMES = {"true": "True", "false": "False", "null": "None"}
_LENIENT = json.JSONDecoder(strict=False)  # models put real line ends into JSON strings


def objects_in(text: str) -> Iterator[tuple[Any, int, int]]:
    """Give each JSON object or list that starts a line, with where it starts and ends."""
    at, left = 0, _MOST_TRIES
    opening = re.compile(r"^[ \t]*(?=[\[{])|(?<=:)[ \t]*(?=\{)|(?<=\};)[ \t]*(?=\{)", re.MULTILINE)
    while left and (found := opening.search(text, at)):
        left -= 1
        start = found.end()
        try:
            value, end = _LENIENT.raw_decode(text, start)
        except (ValueError, RecursionError):
            at = start + 1
            continue
        yield value, start, end
        at = end


def codes_in(value: Any) -> list[str]:
    """Give the snippets a JSON value asks to run, in order; an empty list where it is data."""
    if isinstance(value, list):
        codes = [codes_in(item) for item in value if not _is_text(item)]
        return [code for found in codes for code in found] if codes and all(codes) else []
    if not isinstance(value, dict):
        return []
    if isinstance(calls := value.get("tool_calls"), list):
        return codes_in(calls)
    for wrapper in _WRAPPERS:
        if isinstance(inner := value.get(wrapper), dict):
            return codes_in(inner)
    if called := _called(value):
        return [called]
    return _code_of_keys(value)


def _is_text(item: Any) -> bool:
    """Tell whether an item of a content list is what the model said beside its calls."""
    return isinstance(item, dict) and item.get("type") in ("text", "thinking")


def _code_of_keys(value: dict[str, Any]) -> list[str]:
    for key in _CODE_KEYS[:-3]:
        code = value.get(key)
        if isinstance(code, str) and code.strip() and value.keys() - {key} <= _BESIDE_CODE:
            return [code]
        if isinstance(code, list) and code and all(isinstance(line, str) for line in code):
            return ["\n".join(code)]
    return []


def _called(value: dict[str, Any]) -> str:
    """Give the code of a call written as an object: of our runner its code, of any other tool a Python call."""
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
    given = next((value[key] for key in _ARGUMENT_KEYS if key in value), None)
    if not name or given is None:
        return ""
    return code_of_call(name.removeprefix("functions."), given)


_FINAL = ("final answer", "final_answer", "finish")


def code_of_call(name: str, arguments: Any) -> str:
    """Give the Python a native call means: the code handed to `run_python`, or the call of the tool itself."""
    if isinstance(arguments, str):
        if (parsed := _read(arguments)) is None:
            if name.lower() in RUNNERS:
                return arguments_as_code(arguments)
            is_answer = name.lower() in _FINAL and arguments.strip()
            return _call_source("final_answer", {"answer": arguments}) if is_answer else ""
        arguments = parsed if isinstance(parsed, dict) else arguments
    if name.lower() in RUNNERS:
        return _code_argument(arguments)
    if name.lower() in _FINAL:
        name = "final_answer"
        arguments = arguments if isinstance(arguments, dict) else {"answer": arguments}
    if isinstance(arguments, list) and name.isidentifier() and not keyword.iskeyword(name):
        return f"{name}({', '.join(map(repr, arguments))})"
    return _call_source(name, arguments) if isinstance(arguments, dict) else ""


def _code_argument(arguments: Any) -> str:
    if isinstance(arguments, str):
        return arguments
    given = arguments if isinstance(arguments, dict) else {}
    return next((given[key] for key in _CODE_KEYS if isinstance(given.get(key), str)), "")


def _call_source(name: str, arguments: dict[str, Any]) -> str:
    if not all(word.isidentifier() and not keyword.iskeyword(word) for word in (name, *arguments)):
        return ""
    if name == "final_answer" and len(arguments) == 1:
        return f"final_answer({next(iter(arguments.values()))!r})"
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def arguments_as_code(arguments: str) -> str:
    """Give the code in arguments that are no valid JSON: cut short, badly escaped, or the bare code itself."""
    if found := re.match(r'\s*\{\s*"\w+"\s*:\s*"', arguments):
        body = re.sub(r'"\s*\}?\s*$', "", arguments[found.end() :])
        for text in (body.replace("\n", "\\n"), body.replace("\\'", "'").replace("\n", "\\n")):
            try:
                return str(json.loads(f'"{text}"', strict=False))
            except ValueError:
                continue
        return body
    return arguments


_AN_OBJECT = re.compile(r'\s*\{\s*(?:"|\Z)')
_ITS_END = re.compile(r'(?<!\\)"[\s\]}]*\}\s*\Z')


def is_cut(arguments: str) -> bool:
    """Tell whether a native call's arguments break off: what is left of the code may be Python, and half of it."""
    if _read(arguments):
        return False
    begun = _AN_OBJECT.match(arguments) and parse(arguments) is None  # bare code may begin as an object does
    return bool(begun) and not _ITS_END.search(arguments)


def _read(arguments: str) -> Any:
    """Give the value of arguments in JSON, which may lack their last bracket; None where they are no JSON."""
    for text in (arguments, arguments + "}"):
        try:
            return json.loads(text, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


_FUNCTION = re.compile(r"<function=(\w+)>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=(\w+)>\n?(.*?)\n?(?:</parameter>|\Z)", re.DOTALL)
_INVOKE = re.compile(r'<invoke name="(\w+)">(.*?)(?:</invoke>|\Z)', re.DOTALL)
_NAMED = re.compile(r'<parameter name="(\w+)"[^>]*>\n?(.*?)\n?(?:</parameter>|\Z)', re.DOTALL)

_ARGUMENT = re.compile(r"<arg_key>(\w+)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)


def codes_in_markup(text: str) -> list[str]:
    """Give the snippets in tool-call markup: JSON inside, or `<function=…>` and `<invoke name=…>` forms."""
    for outer, inner in ((_FUNCTION, _PARAMETER), (_INVOKE, _NAMED)):
        if calls := list(outer.finditer(text)):
            return [code for call in calls if (code := code_of_call(call[1], dict(inner.findall(call[2]))))]
    if pairs := dict(_ARGUMENT.findall(text)):
        return list(filter(None, [code_of_call(re.sub(r"<.*", "", text, flags=re.DOTALL).strip(), pairs)]))
    codes = [code for value, _, _ in objects_in(text) for code in codes_in(value)] or codes_in(_literal(text))
    if not codes and (found := re.search(r'"(?:code|arguments)"\s*:\s*(?=["{])', text)):
        rest = text[found.end() :]
        codes = [arguments_as_code('{"code": ' + rest if rest.startswith('"') else rest)]
    return codes


def _literal(text: str) -> Any:
    """Give the value of what is nearly JSON: single quotes, a comma too many, Python's names; None where it is none."""
    for source in (text, re.sub(r"\b(?:true|false|null)\b", lambda name: _PYTHON_NAMES[name[0]], text)):
        tree = parse(source.strip())
        if tree is not None and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
            try:
                return ast.literal_eval(tree.body[0].value)
            except ValueError:  # names that are not Python's
                continue
    return None


def unwrapped(code: str) -> str:
    """Give the code inside `run_python(code="…")` where that call is all there is."""
    tree = parse(code)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return code
    call = tree.body[0].value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in RUNNERS:
        return code
    given = [*call.args, *(pair.value for pair in call.keywords if pair.arg in _CODE_KEYS)]
    if len(given) == 1 and isinstance(given[0], ast.Constant) and isinstance(given[0].value, str):
        return given[0].value
    return code
