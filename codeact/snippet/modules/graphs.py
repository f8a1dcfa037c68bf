"""networkx: whole but for what reaches beyond the working folder, and its parts by the names people use for them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import running
from codeact.snippet.modules.data_files import filed
from codeact.snippet.modules.parts import again
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.words import words

_FOLDER = "files are looked for in the working folder"
_GRAPHS = "works on graphs"

_FORMATS = words("adjlist multiline_adjlist edgelist weighted_edgelist gexf gml graphml graph6 sparse6 pajek")
_FILES = {
    "networkx": [
        *(f"{does}_{name}" for name in _FORMATS for does in ("read", "write")),
        *words("read_leda write_latex write_graphml_lxml write_graphml_xml"),
    ],
    "networkx.algorithms.bipartite": words("read_edgelist write_edgelist"),
}

#: Parts that networkx gives under its own name too, with names that it does not give by itself.
_WHOLE = words("community bipartite approximation isomorphism flow")

#: Parts whose names networkx gives itself.
_AGAIN = words(
    "algorithms algorithms.assortativity algorithms.centrality algorithms.chordal algorithms.clique algorithms.cluster "
    "algorithms.coloring algorithms.components algorithms.connectivity algorithms.core algorithms.cycles "
    "algorithms.dag algorithms.distance_measures algorithms.dominating algorithms.euler algorithms.link_analysis "
    "algorithms.link_prediction algorithms.matching algorithms.minors algorithms.mis algorithms.operators "
    "algorithms.planarity algorithms.shortest_paths algorithms.simple_paths algorithms.traversal algorithms.tree "
    "classes convert convert_matrix drawing drawing.layout drawing.nx_pylab exception generators generators.classic "
    "generators.community generators.geometric generators.lattice generators.random_graphs generators.small "
    "generators.social linalg readwrite readwrite.json_graph relabel"
)


def _below(part: str) -> tuple[str, ...]:
    """The parts of a part."""
    found = [name.removeprefix(f"{part}.") for name in _AGAIN if name.startswith(f"{part}.")]
    return (*found, *_WHOLE) if part == "algorithms" else tuple(found)


#: Folders of algorithms, which networkx gives under its own name too.
_SHORT = words(
    "assortativity centrality coloring components connectivity link_analysis minors operators shortest_paths traversal "
    "tree"
)


def _in_the_folder(module: str) -> Callable[[Room], dict[str, Any]]:
    """The functions of a module that read and write files, which are looked for in the working folder."""

    def build(room: Room) -> dict[str, Any]:
        real = importlib.import_module(module)
        vars(importlib.import_module("networkx.algorithms.isomorphism.isomorphvf2"))["sys"] = _Depth
        found = {name: getattr(real, name) for name in _FILES[module] if hasattr(real, name)}
        return {name: filed(function, at=int(name.startswith("write"))) for name, function in found.items()}

    return build


class _Depth:
    """Stands for `sys` in the search for equal graphs, which takes a limit of calls from the size of a graph."""

    @staticmethod
    def getrecursionlimit() -> int:
        room = running.room() if running.in_a_snippet() else None
        return int(_limits(room, "getrecursionlimit")()) if room is not None else sys.getrecursionlimit()

    @staticmethod
    def setrecursionlimit(limit: int) -> None:
        room = running.room()
        if not running.in_a_snippet():
            sys.setrecursionlimit(limit)
        elif room is not None:
            _limits(room, "setrecursionlimit")(limit)


def _limits(room: Room, name: str) -> Callable[..., Any]:
    """What the snippet has of `sys` for the depth of calls, which is bounded."""
    function: Callable[..., Any] = vars(room.facades.import_module("sys"))[name]
    return function


def _row(name: str, source: str) -> Module:
    if source not in _FILES:
        return Module(name, _GRAPHS, whole=True, needs="networkx", source=source)
    replaced = dict.fromkeys(_FILES[source], _FOLDER)
    build = _in_the_folder(source)
    return Module(name, _GRAPHS, whole=True, needs="networkx", source=source, replaced=replaced, build=build)


def _again(name: str, source: str, parts: tuple[str, ...] = ()) -> Module:
    why = "names of the library itself, by where they are from"
    return Module(name, why, needs="networkx", source=source, build=again("networkx", source), parts=parts)


ROWS = (
    Module(
        "networkx",
        "allowed by the policy",
        whole=True,
        needs="networkx",
        withheld={
            **dict.fromkeys(
                words("read_gpickle write_gpickle"), "reading its data can run any code; use csv, json or parquet"
            ),
            "write_network_text": "it prints past the output of the step; print the lines of generate_network_text",
            **dict.fromkeys(words("GraphMLReader GraphMLWriter"), "it works on files anywhere; use generate_graphml"),
            "config": "it reaches into the library or this machine",
        },
        replaced=dict.fromkeys(_FILES["networkx"], _FOLDER),
        build=_in_the_folder("networkx"),
        parts=(*_WHOLE, *_SHORT, "utils", *(part for part in _AGAIN if "." not in part)),
    ),
    Module(
        "networkx.utils",
        _GRAPHS,
        names="UnionFind arbitrary_element edges_equal flatten graphs_equal groups nodes_equal pairwise",
        needs="networkx",
    ),
    *(_row(f"networkx.{part}", f"networkx.algorithms.{part}") for part in _WHOLE),
    *(_row(f"networkx.algorithms.{part}", f"networkx.algorithms.{part}") for part in _WHOLE),
    *(_again(f"networkx.{part}", f"networkx.algorithms.{part}") for part in _SHORT),
    *(_again(f"networkx.{part}", f"networkx.{part}", _below(part)) for part in _AGAIN),
)
