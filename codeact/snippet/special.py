"""The answers of the special names: what `x.__class__`, `x.__dict__` and their like give a snippet."""

from __future__ import annotations

import enum
import functools
import io
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import asked_classes, behind, class_tables, defects, lent_memory, library_methods, ownership
from codeact.snippet.annotated import live as live_annotations
from codeact.snippet.attribute_rules import refusal
from codeact.snippet.class_lines import line, presented
from codeact.snippet.formatting import format_method
from codeact.snippet.live_names import live
from codeact.snippet.ownership import is_class, is_own_class, is_own_function, mro_of
from codeact.snippet.private_names import may_say
from codeact.snippet.set_up import is_harmless, new_arguments, of_own_instances
from codeact.snippet.words import words

#: Library classes nothing is built on: they read, for what is built on them, any attribute by its name, or keep in it
#: what no name gives.
final: set[type] = {enum.property}


def is_final(cls: Any) -> bool:
    """True for such a class, and for those of its library that are built on it."""
    return not final.isdisjoint(mro_of(cls))


def class_told(subject: object) -> Any:
    """The type of an object, or what it says of itself where its class is the snippet's own and defines `__class__`."""
    cls: Any = type(subject)
    return subject.__class__ if _says_its_class(cls) else cls


@functools.lru_cache(maxsize=1024)
def _says_its_class(cls: Any) -> bool:
    own = [ownership.class_dict(base) for base in mro_of(cls) if is_own_class(base)] if is_own_class(cls) else []
    return any("__class__" in names or "__getattribute__" in names for names in own)


def _own_class_of(subject: object, name: str) -> Any:
    if is_own_class(type(subject)) and not is_class(subject):
        return class_told(subject)
    if is_class(subject) and is_own_class(subject):
        return asked_classes.shown(type(subject))
    raise refusal(subject, name, "it is given for instances of your own classes; type(x) answers for anything")


def _own_dict(subject: object, name: str) -> Any:
    cls = type(subject)
    if is_class(subject):
        return _table(subject)
    if ownership.is_plain_class(cls) or cls is asked_classes.shown(types.SimpleNamespace):
        return getattr(subject, name)
    if ownership.is_of_names(cls):
        return _live({key: value for key, value in vars(subject).items() if _key_may_say(subject, key)}, subject)
    if is_own_function(subject):
        return _live(getattr(subject, name), subject)
    if cls is types.ModuleType:
        return {key: value for key, value in vars(subject).items() if not key.startswith("_")}
    raise refusal(subject, name, "it is given for your own classes, instances and functions")


def _table(cls: type) -> Any:
    if is_own_class(cls):
        return types.MappingProxyType(class_tables.shown(cls))
    if presented.isdisjoint(mro_of(cls)) and not ownership.module_of(cls).startswith("codeact"):
        return class_tables.Names(cls)
    raise refusal(cls, "__dict__", "it is a class that stands for another")


def _live(shown: dict[str, Any], subject: object) -> dict[str, Any]:
    """What an object's own dictionary shows; a store in it follows the rules of `setattr`."""
    from codeact.snippet.attributes import check_store  # which needs the answers of this module

    return live(shown, vars(subject), functools.partial(check_store, subject))


def _key_may_say(subject: object, key: object) -> bool:
    return type(key) is str and (not key.startswith("_") or may_say(subject, key))


def _copy_of(subject: object, name: str) -> Any:
    value = _not_a_descriptor(subject, name)
    if type(value) is types.MappingProxyType and not is_own_class(ownership.class_of(subject)):
        return types.MappingProxyType(value.copy())  # comparing a proxy hands out what is behind it
    if is_own_function(subject) or type(value) not in (dict, list):
        return value
    live = name == "__annotations__" and is_class(subject) and is_own_class(subject)
    copied = asked_classes.shown_each(value) if type(value) is dict else value.copy()
    return live_annotations(ownership.class_of(subject), value) if live else copied


def _copy_of_sympys(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if type(subject) in ownership.plain_classes or "sympy" not in behind.libraries(subject, found):
        return found
    return dict(found) if dict in mro_of(type(found)) else found.copy() if type(found) is list else found


def _proxy_of(subject: object, name: str) -> Any:
    found = _not_a_descriptor(subject, name)
    return types.MappingProxyType(found.copy()) if type(found) is types.MappingProxyType else found


_ASKING = (types.GetSetDescriptorType, types.MemberDescriptorType)


def _not_a_descriptor(subject: object, name: str) -> Any:
    """The value, which must not be what a library's class asks for it: that would give the table itself."""
    found = getattr(subject, name)
    if type(found) is property:
        own = is_own_function(found.fget)
    else:
        own = type(found) not in _ASKING or is_own_class(found.__objclass__)
    if not own:
        raise refusal(subject, name, "it is given for an object, not for its class")
    return found


def _field_defaults(subject: object, name: str) -> Any:
    if not may_say(subject, name):
        raise refusal(subject, name, "it is private to the library that defines it")
    found, cls = getattr(subject, name), ownership.class_of(subject)
    holders = [base for base in mro_of(cls) if not is_own_class(base)]
    shared = cls is super or any(found is ownership.class_dict(base).get(name) for base in holders)
    return found.copy() if shared and type(found) is dict else found


def _of_own_function(subject: object, name: str) -> Any:
    if is_own_function(subject) or is_own_class(type(subject)) or behind.makes_tuples(subject):
        return getattr(subject, name)
    target = getattr(subject, name, None)
    if name == "__wrapped__" and is_own_function(target):
        return target
    raise refusal(subject, name, "it is given for your own functions")


def _of_own_method(subject: object, name: str) -> Any:
    if type(subject) is types.MethodType and is_own_function(subject.__func__):
        return getattr(subject, name)
    if name == "__func__" and type(subject) in (classmethod, staticmethod) and is_own_function(subject.__func__):  # type: ignore[attr-defined]  # both have one
        return subject.__func__  # type: ignore[attr-defined]  # both have one
    if name == "__self__" and type(subject) is types.MethodType:
        bound = subject.__self__
        if is_own_class(ownership.class_of(bound)):
            return bound
    raise refusal(subject, name, "it is given for your own methods")


def _origin(subject: object, name: str) -> Any:
    return _types_shown(_not_a_descriptor(subject, name))


def _types_shown(found: Any) -> Any:
    return tuple(map(asked_classes.shown, found)) if type(found) is tuple else asked_classes.shown(found)


def _worked_out(subject: object, name: str) -> Any:
    """`evaluate_value` and its like, from Python 3.14 on: functions that give what `__value__` gives."""
    found = _not_a_descriptor(subject, name)
    if ownership.module_of(type(subject)) != "typing":
        return found

    def evaluate(format: Any = 1, /) -> Any:
        return _types_shown(found(format))

    evaluate.__name__ = evaluate.__qualname__ = name
    return evaluate


def _set_up(subject: object, name: str) -> Any:
    """`__init__`: nothing that a library holds may be set up anew."""
    found, cls = getattr(subject, name), type(subject)
    if cls is super and type(found) in (types.MethodType, types.MethodWrapperType):
        return found
    if cls is super or is_class(subject):
        own = found is object.__init__ or is_own_function(found) or is_own_class(type(found))
        return found if own else of_own_instances(found)
    if is_own_class(cls) or is_harmless(found, cls):
        return found
    raise refusal(subject, name, "it would set up anew what a library may share; make a new object")


def _named(subject: object, name: str) -> Any:
    """`__set_name__`: a descriptor of a library's class keeps its name."""
    found = getattr(subject, name)
    if (
        type(subject) is super
        or is_class(subject)
        or is_own_class(type(subject))
        or is_own_function(behind.function_of(subject))
    ):
        return found
    raise refusal(subject, name, "it would name anew what a library may share")


def _heirs_of_own(subject: object, name: str) -> Any:
    """`__init_subclass__`: a class of a library is not told again that it was made, which would make it anew."""
    found, told = getattr(subject, name), ownership.class_of(subject)
    if told is super or is_own_class(told):
        return found
    raise refusal(subject, name, "it would set up anew a class of a library")


def _prepared(subject: object, name: str) -> Any:
    """`__prepare__`: what a library's metaclass gathers names in is given to nobody."""
    found = getattr(subject, name)
    function = found.__func__ if type(found) is types.MethodType else found
    if is_own_function(function) or type(found) is types.BuiltinMethodType or not is_class(behind.owner(found)):
        return found
    raise refusal(subject, name, "what it gives is for the class statement alone")


_SCALARS = (int, float, complex, str, bytes, bool, type(None), object)


def _not_of_exceptions(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if type(found) in _SCALARS or is_own_class(type(found)) or (is_class(found) and is_own_class(found)):
        return found
    line = mro_of(type(subject))
    whose = behind.owner(found)
    of_a_library = BaseException in line and not is_own_class(type(subject))
    if of_a_library or AttributeError in line or (is_class(whose) and BaseException in mro_of(whose)):
        raise refusal(subject, name, "of an exception it can be an object of a library's inside")
    return found


def _not_of_files(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if behind.libraries(subject, found) & {"_io", "io"} or io.FileIO in mro_of(type(found)):
        raise refusal(subject, name, "it is the unguarded file below an open file")
    return found


def _not_of(libraries: set[str], why: str) -> Callable[[object, str], Any]:
    def answer(subject: object, name: str) -> Any:
        found = getattr(subject, name)
        if (behind.libraries(subject, found) | behind.libraries(found, None)) & libraries:
            raise refusal(subject, name, why)
        return found

    return answer


def _not_of_paths(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    archives = sys.modules.get("zipfile")  # its own class reads anywhere; what stands for it is built on it
    outside = type(found).__name__ == "module" or (archives is not None and type(found) is archives.ZipFile)
    if outside and type(subject) is not types.ModuleType:
        raise refusal(subject, name, "it reaches past the working folder")
    return found


_LOOP = "it reaches the loop and its frames; use asyncio.get_running_loop()"
_FOR_ALL = "what it holds is for all messages; give a policy one of your own"

#: Special name → what answers for it, given the object and the name. `attributes.py` adds those that check a target.
ANSWERS: dict[str, Callable[[object, str], Any]] = {
    "__class__": _own_class_of,
    "__dict__": _own_dict,
    "__mro__": line,
    "__bases__": line,
    "mro": line,
    **dict.fromkeys(("__annotations__", "__members__", "__slots__", "__dataclass_fields__"), _copy_of),
    **dict.fromkeys(("cssclasses", "cssclasses_weekday_head", "unicode_whitespace_trans"), _copy_of),
    **dict.fromkeys(("funcs", "ordering", "default_assumptions"), _copy_of_sympys),
    **dict.fromkeys(("fields", "metadata", "groupindex"), _proxy_of),
    "__init__": _set_up,
    "__set_name__": _named,
    "__init_subclass__": _heirs_of_own,
    "__prepare__": _prepared,
    "__getnewargs__": new_arguments,
    "_field_defaults": _field_defaults,
    **dict.fromkeys(("__defaults__", "__kwdefaults__", "__wrapped__"), _of_own_function),
    "__func__": _of_own_method,
    "__self__": _of_own_method,
    **dict.fromkeys(("__origin__", "__args__", "__bound__", "__constraints__", "__default__", "__value__"), _origin),
    **dict.fromkeys(words("evaluate_value evaluate_bound evaluate_constraints evaluate_default"), _worked_out),
    "format": format_method,
    "format_map": format_method,
    "obj": _not_of_exceptions,
    "raw": _not_of_files,
    "detach": _not_of_files,
    **dict.fromkeys(("get_loop", "get_stack", "print_stack"), _not_of({"_asyncio", "asyncio"}, _LOOP)),
    **dict.fromkeys(("content_manager", "header_factory"), _not_of({"email"}, _FOR_ALL)),
    **dict.fromkeys(("utcoffset", "dst", "tzname"), defects.of_times),
    **dict.fromkeys(("parser", "ntpath"), _not_of_paths),
    "zip": _not_of_paths,
    "validator": _not_of({"pydantic_core"}, "it sets up any object; use validate_python of the adapter"),
    "core_schema": _not_of({"pydantic"}, "machine code believes it; use json_schema of the adapter"),
    **dict.fromkeys(library_methods.NAMES, library_methods.method),
    **dict.fromkeys(lent_memory.NAMES, lent_memory.filling),
}
