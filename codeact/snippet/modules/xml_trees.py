"""The replaced parts of xml.etree and xml.dom: trees are read from and written to files of the working folder."""

from __future__ import annotations

import functools
import os
from typing import Any

from codeact.snippet import held_trees, library_files, library_texts, special, types_
from codeact.snippet.modules import borrowed, points
from codeact.snippet.modules.row import Room, named
from codeact.snippet.patches import patch


def trees(room: Room) -> dict[str, Any]:
    """The replaced names of xml.etree.ElementTree."""
    from xml.etree import ElementTree as real  # as everyone writes it

    held_trees.guard()
    special.final.add(real.XMLPullParser)  # it keeps a parser, which is given by no name

    def opened(source: Any, mode: str, wanted: str = "read") -> Any:
        if isinstance(source, str | bytes | os.PathLike):
            return room.folder.open(source, mode)
        if issubclass(type(source), int) or not hasattr(source, wanted):
            raise TypeError(f"the name of a file or an open file is needed, not {type(source).__name__!r}")
        return library_files.given(source)

    class ElementTree(real.ElementTree):
        def parse(self, source: Any, parser: Any = None) -> Any:
            return super().parse(opened(source, "rb"), parser)

        def write(self, file_or_filename: Any, *arguments: Any, **settings: Any) -> None:
            if not isinstance(file_or_filename, str | bytes | os.PathLike):
                super().write(opened(file_or_filename, "wb", "write"), *arguments, **settings)
                return
            with room.folder.open(file_or_filename, "wb") as file:
                super().write(file, *arguments, **settings)

        def write_c14n(self, file: Any) -> None:
            self.write(file, method="c14n")

    def parse(source: Any, parser: Any = None) -> Any:
        tree = ElementTree()
        tree.parse(source, parser)
        return tree

    def dump(elem: Any) -> None:
        root = elem.getroot() if isinstance(elem, real.ElementTree) else elem
        room.write(real.tostring(root, encoding="unicode") + "\n")

    def register_namespace(prefix: Any, uri: Any) -> None:
        usual_prefixes()
        real.register_namespace(library_texts.exact(prefix, "a prefix"), library_texts.exact(uri, "a namespace"))

    types_.hide(ElementTree, real.ElementTree)
    return {"ElementTree": ElementTree, **named(parse, dump, register_namespace)}


@functools.cache
def usual_prefixes() -> dict[str, str]:
    """Namespaces and their prefixes, as they are before a snippet registers one."""
    from xml.etree import ElementTree as real  # as everyone writes it

    return dict(real._namespace_map)  # type: ignore[attr-defined]  # typeshed hides it


def documents(room: Room) -> dict[str, Any]:
    """The replaced names of xml.dom.minidom."""
    from xml.dom import minidom as real  # as everyone writes it

    points.refuse("xml.dom")
    borrowed.keep_library("xml")  # what documents are made by is named in no facade
    for name in ("_append_child", "_set_attribute_node"):
        patch(real, name, borrowed.handed)

    def parse_string(string: Any) -> Any:
        return real.parseString(string)  # noqa: S318  # expat opens no file, and bounds what entities make

    def parse(file: Any) -> Any:
        if not isinstance(file, str | bytes | os.PathLike):
            return parse_string(file.read())
        with room.folder.open(file, "rb") as opened:
            return parse_string(opened.read())

    parse_string.__name__ = parse_string.__qualname__ = "parseString"
    return {"parse": parse, "parseString": parse_string}
