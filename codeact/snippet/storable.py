"""The objects a snippet may store attributes on: its own, and those of the table."""

from __future__ import annotations

import ast
import collections
import functools
import types
import weakref
from collections.abc import Callable

from codeact.snippet import compared_lists, other_names, ownership

#: The name that marks a class which a session has for itself in place of a library's.
OF_ONE_SESSION = "of_one_session"

_MADE = "made by the snippet for itself, and stored on in ordinary use"

#: Library classes whose instances take attributes: (module, class) → reason.
CLASSES: dict[tuple[str, str], str] = {
    ("types", "SimpleNamespace"): _MADE,
    ("functools", "partial"): _MADE,
    **{("collections", name): _MADE for name in ("UserDict", "UserList", "UserString")},
    **{("collections", name): _MADE for name in ("OrderedDict", "Counter", "deque", "defaultdict")},
    ("decimal", "Context"): "its settings are attributes; the session has its own contexts",
    ("_thread", "_local"): "keeps what one thread stores",
    ("_threading_local", "local"): "keeps what one thread stores",
    ("string", "Template"): _MADE,
    ("argparse", "Namespace"): _MADE,
    ("configparser", "RawConfigParser"): "its settings are attributes, `optionxform` first of all",
    ("textwrap", "TextWrapper"): "its settings are attributes",
    ("reprlib", "Repr"): "its settings are attributes; `aRepr`, which all share, is nobody's",
    ("difflib", "SequenceMatcher"): "its settings are attributes",
    **{("csv", name): _MADE for name in ("Dialect", "DictReader", "DictWriter")},
    ("ast", "AST"): "a tree of text that was parsed; what is compiled is the text it makes",
    ("xml.etree.ElementTree", "Element"): "texts and tags are set by attribute",
    ("xml.dom.minidom", "Node"): "texts and names are set by attribute",
    ("enum", "auto"): "its value is an attribute",
    ("calendar", "Calendar"): "its settings are attributes",
    ("email.message", "Message"): "its preamble and epilogue are set by attribute",
    **{("zipfile", name): "its settings are attributes" for name in ("ZipFile", "ZipInfo")},
    **{("sqlite3", name): "what makes rows and texts is an attribute" for name in ("Connection", "Cursor")},
    ("logging", "LogRecord"): "filters add to the records they pass",
    ("codeact.wire.plain", "Record"): "a copy of a dataclass that a tool returned",
}

#: Libraries whose instances take attributes, by the first part of their module's name → reason.
LIBRARIES: dict[str, str] = {
    "pandas": "columns, index and names of frames are set by attribute",
    "numpy": "shapes and flags of arrays are set by attribute",
    "matplotlib": "figures and axes take settings by attribute",
    "networkx": "graphs take names by attribute",
    "sklearn": "estimators take parameters by attribute",
    "scipy": "results and distributions take settings by attribute",
    **dict.fromkeys(("openpyxl", "docx", "pptx"), "cells, sheets and texts of documents are set by attribute"),
    **dict.fromkeys(("bs4", "lxml"), "texts and names of elements are set by attribute"),
    **dict.fromkeys(("PIL", "plotly"), "pictures and figures take settings by attribute"),
    **dict.fromkeys(("jinja2", "rich"), "templates, tables and consoles take settings by attribute"),
}

#: Library classes of which there is one instance for all who ask for the same.
_ONE_FOR_ALL = frozenset(
    (
        ("numpy", "finfo"),
        ("pandas.api.extensions", "ExtensionDtype"),
        ("pandas.core.dtypes.base", "ExtensionDtype"),  # as it was named before pandas 3
    )
)

#: What takes no attribute of a public name, and says so in CPython's words.
WITHOUT = frozenset({object, types.MethodType, types.BuiltinFunctionType})

#: Objects that libraries share among all who import them, by their ids; the facades note them.
SHARED: dict[int, object] = {}


#: Who is told of an object that a snippet stores on: what it is an instance of, and the function.
told: list[tuple[type, Callable[[object], object]]] = []

#: Nodes of syntax trees that are one object for all trees.
_SHARED_NODES = frozenset({ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop})


def is_storable(subject: object) -> bool:
    """True where a snippet may store attributes on `subject`."""
    cls = type(subject)
    if ownership.is_class(subject):
        compared_lists.look_at_stored()
        other_names.look_again()
        return subject in ownership.BARE_TYPES or ownership.is_own_class(subject)
    if cls in ownership.BARE_TYPES:
        return True  # they refuse in their own words
    if ownership.is_own_class(cls):
        other_names.look(cls)
        if len(ownership.storable_classes) < 10_000:
            ownership.storable_classes.add(cls)
        return True
    if isinstance(cls, type) and cls in (types.ModuleType, types.MethodType, types.BuiltinFunctionType):
        return False
    if ownership.is_own_function(subject) or _is_proxy_of_own(subject) or BaseException in ownership.mro_of(cls):
        return True
    listed = (of_a_kind(cls) and id(subject) not in SHARED) or (cls is _FIELD and _is_of_own_tuple(subject))
    for base, tell in told:
        if base in ownership.mro_of(cls):
            tell(subject)
    return listed or (cls in _WRAPPERS and ownership.is_own_function(getattr(subject, "__wrapped__", None)))


def _is_proxy_of_own(subject: object) -> bool:
    """True for a weak proxy of the snippet's own: nothing else could say that it is of one of the snippet's classes."""
    if type(subject) not in weakref.ProxyTypes:
        return False
    told: object = subject.__class__
    if not ownership.is_class(told) or not ownership.is_own_class(told):
        return False
    other_names.look(told)
    return True


#: What reads a field of a named tuple; its docstring can be set.
_FIELD = type(vars(collections.namedtuple("_FIELD", "x"))["x"])


def _is_of_own_tuple(field: object) -> bool:
    """True for a field of a named tuple of the snippet's, and of no library's."""
    found: list[type] = [tuple]
    for known in found:
        below: list[type] = type.__subclasses__(known)
        found += [cls for cls in below if cls not in found]
    holding = [cls for cls in found if any(held is field for held in ownership.class_dict(cls).values())]
    return bool(holding) and all(map(ownership.is_own_class, holding))


#: What decorators of the standard library make of a function: it is the snippet's own where the function is.
_WRAPPERS = (types.FunctionType, type(functools.lru_cache(is_storable)))


def of_a_kind(cls: type) -> bool:
    """True for classes of the tables, whose instances take attributes where they are nobody else's."""
    line = ownership.mro_of(cls)
    if not _SHARED_NODES.isdisjoint(line) or any(
        (ownership.module_of(base), base.__name__) in _ONE_FOR_ALL for base in line
    ):
        return False
    for base in line:
        module = ownership.module_of(base)
        if OF_ONE_SESSION in ownership.class_dict(base):
            return True
        if (module, base.__name__) in CLASSES:
            return True
        if module.partition(".")[0] in LIBRARIES and not issubclass(cls, types.FunctionType | types.ModuleType):
            return True
    return False
