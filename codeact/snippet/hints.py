"""Hints that are certain: drawn from the very object that failed, never from the text of the error."""

from __future__ import annotations

import ast
import builtins
import difflib
import enum
import errno
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from codeact.records import ToolSpec
from codeact.snippet import frames, habits, whole
from codeact.snippet.classes import class_name, dataclass_fields, instance_fields, is_a
from codeact.snippet.describe import describe
from codeact.snippet.endings import Refused, ToolFailed
from codeact.snippet.leaves import cut, module_namespace
from codeact.snippet.modules import REFUSED, ROWS
from codeact.snippet.ownership import class_dict, is_class, mro_of
from codeact.snippet.toolcalls import signature
from codeact.snippet.traces import Spot, definition, look_up, nodes_at
from codeact.snippet.words import word_set

_NOTHING = object()
_MOST_COMPARED, _LONGEST_NAME = 5_000, 80


def hint_for(error: BaseException, source: str, spot: Spot | None, tools: Mapping[str, ToolSpec]) -> str:
    """What would help, where that is certain; an empty text where nothing is."""
    if is_a(error, Refused):
        return _text_field(error, "hint")
    if spot is None or is_a(error, ToolFailed):  # a tool's message is the tool's own
        return ""
    ask = next((ask for kind, ask in _ASK if is_a(error, kind)), None)
    return ask(error, source, spot, tools) if ask is not None else ""


def _text_field(error: BaseException, name: str) -> str:
    for kind in (NameError, AttributeError, ImportError):
        if is_a(error, kind) and name in vars(kind):
            found = vars(kind)[name].__get__(error)
            return found if type(found) is str else ""
    found = next((held for key, held in instance_fields(error) if key == name), "")
    return found if type(found) is str else ""


def _single_name(source: str, spot: Spot) -> str:
    return next((node.id for node in nodes_at(source, spot.place) if isinstance(node, ast.Name)), "")


def _about_local(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    name = _text_field(error, "name") or _single_name(source, spot)
    return f"`{name}` is local to `{spot.function}`, which assigns it somewhere, and has no value yet." if name else ""


def _about_name(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    name = _text_field(error, "name") or _single_name(source, spot)
    known = [*spot.names, *spot.outer, *vars(builtins)]
    close = _closest(name, known)
    if close:
        return f"Did you mean `{close}`?"
    return habits.about_name(name)


def _closest(wanted: str, known: Iterable[object], cutoff: float = 0.7) -> str:
    """The one name among `known` that is written most like `wanted`."""
    private = wanted.startswith("_")
    short = {name for name in known if type(name) is str and len(name) <= _LONGEST_NAME and name != wanted}
    names = {name for name in short if private or not name.startswith("_")}
    if not wanted or len(names) > _MOST_COMPARED or len(wanted) > _LONGEST_NAME:
        return ""
    folded = [name for name in sorted(names) if name.casefold() == wanted.casefold()]
    return (folded or difflib.get_close_matches(wanted, sorted(names), n=1, cutoff=cutoff) or [""])[0]


def _about_attribute(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    wanted = _text_field(error, "name")
    subject = vars(AttributeError)["obj"].__get__(error)
    if subject is None or not wanted:
        found = next((node for node in nodes_at(source, spot.place) if isinstance(node, ast.Attribute)), None)
        if found is None or not isinstance(found.value, ast.Name):
            return ""
        wanted, subject = found.attr, _value_of(found.value, spot)
        if subject is _NOTHING:
            return ""
    if why := _left_out(subject, wanted):
        return why
    if _has_key(subject, wanted):
        return f"It is a dict, and has the key {wanted!r}: write `[{wanted!r}]`."
    close = _closest(wanted, attribute_names(subject))
    return f"Did you mean `{close}`?" if close else _arrived_as(subject, wanted, tools)


def _has_key(subject: Any, wanted: str) -> bool:
    keys = islice(dict.keys(subject), _MOST_COMPARED) if type(subject) is dict else ()
    return any(type(key) is str and key == wanted for key in keys)


def _arrived_as(subject: Any, wanted: str, tools: Mapping[str, ToolSpec]) -> str:
    """What the records, the named tuples and the members of enums that tools return have become on their way."""
    if names := [field.name for field in dataclass_fields(type(subject)) if not field.name.startswith("_")]:
        return f"It has {cut(', '.join(names), 200)}; vars(…) of it gives a dict."
    if tools and type(subject) is tuple and subject:
        return "A named tuple that a tool returns is a plain one here: take its items by their places."
    if tools and wanted in {"name", "value"} and type(subject) in {str, int, float}:
        return "A member of an enum that a tool returns is its plain value here."
    return ""


def _left_out(subject: object, wanted: str) -> str:
    """Why a module has not what Python's own has; empty where that has it neither."""
    name = vars(subject).get("__name__") if type(subject) is types.ModuleType else None
    row = ROWS.get(name) if type(name) is str else None
    if row is None:
        return ""
    if (why := row.withheld.get(wanted) or REFUSED.get(f"{name}.{wanted}")) is not None:
        return f"A snippet does without `{name}.{wanted}`: {why}."
    there = wanted in vars(sys.modules.get(row.source or row.name, subject))
    return f"`{wanted}` is not among the names of `{name}` that a snippet has." if there else ""


def attribute_names(subject: object) -> set[str]:
    """The names an object offers, read without asking the object or its class."""
    names = {name for name, _ in instance_fields(subject)}
    classes = list(mro_of(type(subject)))
    if is_class(subject):
        classes += mro_of(subject)
    if is_a(subject, types.ModuleType):
        names |= {name for name in module_namespace(subject) if type(name) is str}
    return names | {name for cls in classes for name in class_dict(cls) if type(name) is str}


def _value_of(node: ast.expr, spot: Spot) -> Any:
    """What a name, a literal, an item or a field of one is in the failing frame, as far as reading it runs no code."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            try:
                return look_up(name, spot)
            except KeyError:
                return _NOTHING
        case ast.Attribute(value=owner, attr=name):
            fields = instance_fields(_value_of(owner, spot))
            return next((held for key, held in fields if key == name), _NOTHING)
        case ast.Subscript(value=owner, slice=index):
            return _item_of(_value_of(owner, spot), _value_of(index, spot))
    return _NOTHING


def _item_of(subject: Any, index: object) -> Any:
    if any(type(index) is kind for kind in (str, int)) and any(type(subject) is kind for kind in (list, tuple, dict)):
        try:
            return subject[index]
        except LookupError:
            return _NOTHING
    return _NOTHING


def _about_item(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    asked = next((node for node in nodes_at(source, spot.place) if isinstance(node, ast.Subscript | ast.Call)), None)
    owner = asked.func if isinstance(asked, ast.Call) else asked
    if not isinstance(owner, ast.Subscript | ast.Attribute):
        return ""
    subject: Any = _value_of(owner.value, spot)
    written = ast.unparse(owner.value)
    noun, keys = _keys_of(subject)
    if noun:
        arguments = BaseException.__dict__["args"].__get__(error)
        return _about_key(written, arguments[0] if len(arguments) == 1 else _NOTHING, keys, noun)
    if owner is not asked:
        return ""
    for kind in (list, tuple, str):
        if is_a(subject, kind):
            count = kind.__len__(subject)
            return f"`{written}` has {count:,} item{'' if count == 1 else 's'}."
    return ""


def _keys_of(subject: Any) -> tuple[str, list[object]]:
    """What a dictionary, a table or an enum holds, and what that is called; no name where it is none of them."""
    if is_a(subject, dict):
        return "keys", list(dict.keys(subject))
    if frames.is_table(subject):
        return "columns", list(subject.columns)
    members = class_dict(subject).get("_member_map_") if is_a(subject, enum.EnumType) else None
    return ("members", list(dict.keys(members))) if type(members) is dict else ("", [])


def _about_key(written: str, wanted: object, keys: list[object], noun: str) -> str:
    if type(wanted) is str:
        close = _closest(wanted, keys, cutoff=0.6)
        if close:
            return f"Did you mean {close!r}?"
    for key in keys[:_MOST_COMPARED]:
        if _reads_alike(key, wanted) or _reads_alike(wanted, key):
            return f"`{written}` has the key {key!r}: {class_name(type(key))}, not {class_name(type(wanted))}."
    if not keys:
        return f"`{written}` is empty."
    shown = ", ".join(describe(key, 40) for key in keys[:10])
    more = f", … {len(keys) - 10:,} more" if len(keys) > 10 else ""
    return f"The {noun} of `{written}` are {shown}{more}."


def _reads_alike(number: object, text: object) -> bool:
    return type(number) is int and type(text) is str and number.bit_length() < 256 and str(number) == text


#: Functions of asyncio that take coroutines.
_TAKE_COROUTINES = word_set("as_completed create_task ensure_future gather run shield wait wait_for")


def _about_waiting(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    """That a call of a tool waits for its result by itself, where that was awaited or handed on as a coroutine."""
    for node in nodes_at(source, spot.place):
        handed = [node.value] if isinstance(node, ast.Await) else []
        taking = node.value if isinstance(node, ast.Await) else node
        if isinstance(taking, ast.Call) and ast.unparse(taking.func).rpartition(".")[2] in _TAKE_COROUTINES:
            handed = taking.args
        called = [part.func for each in handed for part in _members(each) if isinstance(part, ast.Call)]
        for function in called:
            if isinstance(function, ast.Name) and function.id in tools:
                name = function.id
                return f"`{name}(…)` waits and gives its result; `{name}.aio(…)` gives what can be awaited."
    return ""


def _members(node: ast.expr) -> list[ast.expr]:
    """What an argument hands on: itself, or what is written in a list of it."""
    match node:
        case ast.Starred(value=written) | ast.ListComp(elt=written) | ast.GeneratorExp(elt=written):
            return _members(written)
        case ast.List(elts=many) | ast.Tuple(elts=many) | ast.Set(elts=many):
            return [part for each in many for part in _members(each)]
    return [node]


def _about_type(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    told = _about_waiting(error, source, spot, tools) or _about_call(error, source, spot, tools)
    return told or _about_field(source, spot)


def _about_field(source: str, spot: Spot) -> str:
    """That what was asked for by a key is an attribute, as with what a dataclass or a model of a tool arrives as."""
    asked = next((node for node in nodes_at(source, spot.place) if isinstance(node, ast.Subscript)), None)
    wanted = asked.slice.value if asked is not None and isinstance(asked.slice, ast.Constant) else None
    if asked is None or not isinstance(wanted, str):
        return ""
    subject = _value_of(asked.value, spot)
    by_key = any("__getitem__" in class_dict(cls) for cls in mro_of(type(subject)))
    return f"It is an attribute: write `.{wanted}`." if not by_key and _has_field(subject, wanted) else ""


def _has_field(subject: object, name: object) -> bool:
    return any(key == name for key, _ in instance_fields(subject))


def _about_call(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    call = next((node for node in nodes_at(source, spot.place) if isinstance(node, ast.Call)), None)
    if call is None:
        return ""
    called = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    if not isinstance(called, ast.Name):
        return ""
    if called.id in tools:
        return f"The signature is {signature(tools[called.id])}"
    own = definition(source, called.id) if isinstance(call.func, ast.Name) else None
    return f"Line {own.lineno} defines {own.name}({ast.unparse(own.args)})." if own is not None else ""


def _about_loop(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    call = next((node for node in nodes_at(source, spot.place) if isinstance(node, ast.Call)), None)
    if call is None or ast.unparse(call.func) != "asyncio.run" or not call.args:
        return ""
    return f"A loop runs here already: write `await {cut(ast.unparse(call.args[0]), 80)}`."


def _about_file(error: BaseException, source: str, spot: Spot, tools: Mapping[str, ToolSpec]) -> str:
    number = whole.whole(vars(OSError)["errno"].__get__(error))
    if number in _FULL:
        return "The working folder is full: remove files. The user can allow more with Limits(folder_bytes=…)."
    return "The file is read-only, as those are that were handed in: write to another name." if number in _KEPT else ""


_KEPT, _FULL = (errno.EROFS, errno.EACCES, errno.EBUSY), (errno.EFBIG, errno.ENOSPC)

_ASK: tuple[tuple[type[BaseException], Callable[[BaseException, str, Spot, Mapping[str, ToolSpec]], str]], ...] = (
    (UnboundLocalError, _about_local),
    (NameError, _about_name),
    (AttributeError, _about_attribute),
    (LookupError, _about_item),
    (TypeError, _about_type),
    (ValueError, _about_waiting),
    (RuntimeError, _about_loop),
    (OSError, _about_file),
)
