"""The replaced parts of ast: what goes through trees follows the attribute rules where it reads and sets fields."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import attributes, ownership, types_
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.modules.row import Room, named

_PLACING = ("fix_missing_locations", "increment_lineno", "copy_location")


def nodes(room: Room) -> dict[str, Any]:
    """The classes of the nodes of a syntax tree, and what walks over them."""
    classes = {name: value for name, value in vars(ast).items() if ownership.is_class(value) and _is_of_trees(value)}
    return {
        **classes,
        **named(iter_fields, iter_child_nodes, NodeTransformer),
        **{name: _placing(getattr(ast, name)) for name in _PLACING},
    }


def _is_of_trees(cls: type) -> bool:
    return ast.AST in ownership.mro_of(cls)


def iter_fields(node: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a node that are there, with their names."""
    for name in node._fields:
        try:
            yield name, attributes.get(node, name)
        except AttributeRefused:
            raise
        except AttributeError:
            continue


def iter_child_nodes(node: Any) -> Iterator[Any]:
    """The nodes right below a node."""
    for _, value in iter_fields(node):
        for part in value if isinstance(value, list) else (value,):
            if isinstance(part, ast.AST):
                yield part


class NodeTransformer(ast.NodeVisitor):
    """What ast.NodeTransformer does; fields are set as a snippet may set them."""

    def generic_visit(self, node: Any) -> Any:
        """Put in place of each node below what visiting it gives."""
        for name, value in iter_fields(node):
            if isinstance(value, list):
                value[:] = self._all_of(value)
            elif isinstance(value, ast.AST):
                made = self.visit(value)
                attributes.drop(node, name) if made is None else attributes.put(node, name, made)
        return node

    def _all_of(self, values: list[Any]) -> Iterator[Any]:
        for value in list(values):
            made = self.visit(value) if isinstance(value, ast.AST) else value
            if made is None and isinstance(value, ast.AST):
                continue
            if isinstance(value, ast.AST) and not isinstance(made, ast.AST):
                yield from made
            else:
                yield made


def _placing(real: Callable[..., Any]) -> Callable[..., Any]:
    def place(*arguments: Any, **settings: Any) -> Any:
        for node in (*arguments, *settings.values()):
            if not _is_of_trees(type(node)) and type(node) is not int:
                raise TypeError(f"expected AST, got {type(node).__name__!r}")
        return real(*arguments, **settings)

    place.__name__ = place.__qualname__ = real.__name__
    return place


types_.present(NodeTransformer, ast.NodeTransformer)
