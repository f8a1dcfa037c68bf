"""What a tool call is given: its arguments cross each as a value, and count together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeact.wire.parts import CONTAINER, PARTS
from codeact.wire.values import ATOMS, Allowance, Packer, Unpacker, pack

Unlisted = dict[int | str, int]  # by an argument's place or name: the items its ranges and arrays come to as lists


def pack_arguments(
    arguments: tuple[Any, ...], named: Mapping[str, Any], allowance: Allowance
) -> tuple[list[Any], dict[str, Any], int]:
    """Give the trees for a call's arguments by position and by name, and what they come to. Raises Uncrossable."""
    if not named and len(arguments) <= 1 and set(map(type, arguments)) <= ATOMS:
        return [pack(argument, allowance) for argument in arguments], {}, CONTAINER + 1
    packer = Packer(allowance, lossy=False)
    by_position = [packer.pack(argument, 0) for argument in arguments]
    by_name = {name: packer.pack(argument, 0) for name, argument in named.items()}
    parts = allowance.parts - packer.parts_left + allowance.nodes - packer.nodes_left
    return by_position, by_name, parts + len(arguments) + len(named)


def unpack_arguments(trees: list[Any], named: dict[str, Any]) -> tuple[list[Any], dict[str, Any], Unlisted, int]:
    """Give a call's arguments by position and by name, what they hold that is in no list yet, and what they come to.

    What is in no list is told of where it is a lot.
    """
    if not named and set(map(type, trees)) <= ATOMS:
        return trees, {}, {}, len(trees)
    unpacker = Unpacker(as_dicts=True)
    by_position = [unpacker.unpack_whole(tree) for tree in trees]
    by_name = {name: unpacker.unpack_whole(tree) for name, tree in named.items()}
    parts = PARTS - unpacker.parts_left + unpacker.items + len(trees) + len(named)
    if unpacker.unlisted <= PARTS:
        return by_position, by_name, {}, parts
    unlisted: Unlisted = {place: _unlisted(tree) for place, tree in enumerate(trees)}
    return by_position, by_name, unlisted | {name: _unlisted(tree) for name, tree in named.items()}, parts


def _unlisted(tree: Any) -> int:
    unpacker = Unpacker(as_dicts=True)
    unpacker.unpack_whole(tree)
    return unpacker.unlisted
