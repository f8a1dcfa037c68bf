"""The replaced parts of sympy, scipy, scikit-learn and networkx."""

from __future__ import annotations

import ast
import functools
import importlib
import os
import sys
from typing import Any

from codeact.snippet import library_files, library_texts, ownership, running, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import labels, points
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words


def formulas(room: Room) -> dict[str, Any]:
    """The replaced names of sympy; what it evaluates as text are formulas alone."""
    sympy = importlib.import_module("sympy")
    points.check_formulas()
    singletons = importlib.import_module("sympy.core.singleton").SingletonRegistry
    points.only(singletons, "register", 1, _is_a_librarys, "what sympy has one of is everyone's: make an instance")
    for name in words("sympy.matrices.common sympy.matrices.matrixbase"):  # it depends on the version where they are
        for cls in [*vars(sys.modules.get(name, sympy)).values()]:
            if isinstance(cls, type) and cls.__module__ == name and "atoms" in vars(cls):
                patch(cls, "atoms", _of_told_classes)

    settled: dict[str, Any] = {}

    def pprint(expr: Any, **settings: Any) -> None:
        room.write(f"{sympy.pretty(expr, **{**settled, **settings})}\n")

    def init_printing(pretty_print: bool = True, **settings: Any) -> None:
        for name in words("order use_unicode wrap_line num_columns"):
            if settings.get(name) is not None:
                settled[name] = settings[name]

    return {"pprint": pprint, "pretty_print": pprint, "init_printing": init_printing}


def _of_told_classes(real: Any) -> Any:
    """The atoms of a matrix: what stands for one is handed the class of each object that they are to be like."""

    def atoms(self: Any, *types: Any) -> Any:
        if in_a_snippet():
            types = tuple(one if ownership.is_class(one) else types_.type_of(one) for one in types)
        return real(self, *types)

    return atoms


def _is_a_librarys(cls: type) -> bool:
    return not ownership.is_own_class(cls)


def chances(room: Room) -> dict[str, Any]:
    """Nothing of sympy.stats is replaced; what draws samples imports numpy and scipy alone."""
    points.check_formulas()
    for name in ("rv", "joint_rv", "matrix_distributions"):
        drawing = importlib.import_module(f"sympy.stats.{name}")
        points.only(drawing, "import_module", 0, _draws, "samples are drawn by 'numpy' or 'scipy'")
    return {}


def _draws(library: Any) -> bool:
    return type(library) is str and library in ("numpy", "scipy")


def sparse_files(room: Room) -> dict[str, Any]:
    """The replaced names of scipy.sparse."""
    real = importlib.import_module("scipy.sparse")

    def load_npz(file: Any) -> Any:
        return real.load_npz(library_files.inside(file))

    def save_npz(file: Any, matrix: Any, compressed: bool = True) -> None:
        real.save_npz(library_files.inside(file), matrix, compressed)

    return {"load_npz": load_npz, "save_npz": save_npz}


def hulls(room: Room) -> dict[str, Any]:
    """The replaced names of scipy.spatial: Qhull's options can name files."""
    spatial = importlib.import_module("scipy.spatial")
    return {name: _hull(getattr(spatial, name)) for name in ("ConvexHull", "Delaunay", "Voronoi")}


_ROWS = 2


def _hull(real: type) -> type:
    class Hull(real):  # type: ignore[misc]  # a class of scipy, which has no types here
        def __init__(
            self, points: Any, *arguments: Any, qhull_options: str | None = None, incremental: bool = False
        ) -> None:
            if arguments or any(
                word.startswith("T") or not word.isalnum() for word in str(qhull_options or "").split()
            ):
                raise CallRefused("qhull_options may not name files, and every option goes by its name")
            numpy = sys.modules["numpy"]
            if not numpy.ma.isMaskedArray(points) and (points := numpy.asarray(points)).ndim != _ROWS:
                raise ValueError("points are rows of numbers, in an array of two dimensions")
            super().__init__(points, incremental=incremental, qhull_options=qhull_options)

    types_.hide(Hull, real)
    return Hull


def pipelines(room: Room) -> dict[str, Any]:
    """Nothing of scikit-learn is replaced; its caches in files are refused where they are made."""
    points.refuse("sklearn")
    labels.check_columns()
    points.one_at_a_time()
    _no_search_for_threads()
    _refuse_files_of_solvers()
    return {}


@functools.cache
def _no_search_for_threads() -> None:
    """Let threadpoolctl find none in a cage: it reads them from /proc, which is not there, and all have one thread."""
    controller: Any = importlib.import_module("threadpoolctl").ThreadpoolController
    real = controller._load_libraries

    def _load_libraries(self: Any) -> None:
        if os.path.exists("/proc/self/maps") or not in_a_snippet():
            real(self)

    controller._load_libraries = _load_libraries


def read_texts(room: Room) -> dict[str, Any]:
    """Nothing of sklearn.feature_extraction.text is replaced; files it is given the names of are the folder's."""
    vars(importlib.import_module("sklearn.feature_extraction.text"))["open"] = _open
    return pipelines(room)


def _open(file: Any, mode: str = "r") -> Any:
    """Stand for the `open` by which scikit-learn reads the files it takes words from."""
    return running.folder().open(file, mode) if in_a_snippet() else open(file, mode)  # the caller closes it


def pools(room: Room) -> dict[str, Any]:
    """Nothing of these parts of scipy is replaced; processes are refused where they are started."""
    points.refuse("scipy")
    _refuse_files_of_solvers()
    if distributions := sys.modules.get("scipy.stats._distn_infrastructure"):
        vars(distributions)["exec"] = _define
    return {}


def _refuse_files_of_solvers() -> None:
    if "scipy.optimize" in sys.modules:
        points.refuse("scipy.optimize")


_DEFINED = (
    ast.Module | ast.FunctionDef | ast.arguments | ast.arg | ast.Return | ast.Tuple | ast.Name | ast.expr_context
) | (ast.Constant | ast.Call | ast.Attribute | ast.keyword)


def _define(source: Any, names: dict[str, Any], /) -> None:
    """Stand for the `exec` by which scipy defines functions whose parameters are the shapes of a distribution."""
    if in_a_snippet():
        source, names["__builtins__"] = library_texts.exact(source, "a function"), {}
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, _DEFINED) or (isinstance(node, ast.Attribute) and node.attr != "_argcheck_rvs"):
                raise CallRefused("the shapes of a distribution are names")
    exec(source, names)  # noqa: S102  # checked


def drawn_trees(room: Room) -> dict[str, Any]:
    """The replaced names of sklearn.tree."""
    real = importlib.import_module("sklearn.tree")

    def export_graphviz(decision_tree: Any, out_file: Any = None, **settings: Any) -> Any:
        return real.export_graphviz(decision_tree, library_files.inside(out_file), **settings)

    return {**pipelines(room), "export_graphviz": export_graphviz}
