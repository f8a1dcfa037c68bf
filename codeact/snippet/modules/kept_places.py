"""Arrays that compiled objects keep and go by without a look: a snippet may read them, and write none.

`children_left` of a decision tree, `indices` of a tree of points, blocks of a sparse column: whatever number is written
there is where the next call reads. A snippet is given what they hold as an array that cannot be written to; the library
has the array itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from codeact.snippet import ownership, types_
from codeact.snippet.modules import fitting_parts, sparse
from codeact.snippet.patches import guarded, put_on
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

_NODES = "children_left children_right feature n_classes"
_POINTS = "idx_array node_data"

#: (module, class) → the attributes by which its instances go.
_KEPT: dict[tuple[str, str], str] = {
    ("sklearn.tree._tree", "Tree"): _NODES,
    **{("sklearn.neighbors._ball_tree", f"BinaryTree{bits}"): _POINTS for bits in (32, 64)},
    **{("sklearn.neighbors._kd_tree", f"BinaryTree{bits}"): _POINTS for bits in (32, 64)},
    ("scipy.spatial._ckdtree", "cKDTree"): "indices",
    ("scipy.spatial._ckdtree", "cKDTreeNode"): "indices",
    ("pandas._libs.sparse", "BlockIndex"): "blocs blengths",
}

#: Classes that libraries alone make: a tree that was not fitted has no nodes, others keep the arrays they are given.
_MADE_BY_LIBRARIES = ("Tree", "BlockIndex")

_guarded: set[str] = set()


def guard() -> None:
    """Put the guards in place for what is loaded by now; more calls do nothing."""
    for (module, name), parts in _KEPT.items():
        if module in sys.modules and f"{module}.{name}" not in _guarded:
            _guarded.add(f"{module}.{name}")
            _keep(getattr(sys.modules[module], name), words(parts))
    solver = sys.modules.get("scipy.sparse.linalg._dsolve._superlu")
    if solver is not None and "SuperLU" not in _guarded:
        _guarded.add("SuperLU")
        _keep(solver.SuperLU, ("perm_r", "perm_c"))


def _keep(cls: type, parts: Iterable[str]) -> None:
    for part in parts:
        real = ownership.class_dict(cls).get(part)
        if real is not None:
            put_on(cls, part, property(_to_be_read(real.__get__), doc=getattr(real, "__doc__", None)))
    if "get_arrays" in ownership.class_dict(cls):
        put_on(cls, "get_arrays", guarded(ownership.class_dict(cls)["get_arrays"], _all_to_be_read))
    if cls.__name__ in _MADE_BY_LIBRARIES:
        types_.shield(cls)
    if cls.__name__ == "Tree":
        for name in ("apply", "predict", "decision_path"):
            put_on(cls, name, guarded(ownership.class_dict(cls)[name], _wide_enough))
        name = "compute_partial_dependence"
        put_on(cls, name, guarded(ownership.class_dict(cls)[name], fitting_parts.dependent))


def _to_be_read(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def kept(subject: Any) -> Any:
        found = real(subject)
        if not in_a_snippet() or sparse.is_of_a_library(sys._getframe(1)):
            return found
        return _copied(found)

    return kept


def _all_to_be_read(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def get_arrays(subject: Any) -> Any:
        found = real(subject)
        return tuple(map(_copied, found)) if in_a_snippet() else found

    return get_arrays


def _copied(found: Any) -> Any:
    """What an array holds, over bytes: nothing makes it writable."""
    numpy = sys.modules["numpy"]
    array = numpy.asarray(found)
    return numpy.frombuffer(array.tobytes(), array.dtype).reshape(array.shape) if array.size else array.copy()


def _wide_enough(real: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a tree that reads of each row what its nodes ask for."""

    def call(tree: Any, X: Any, *given: Any) -> Any:
        if in_a_snippet() and X.shape[1] < tree.n_features:
            raise ValueError(f"X has {X.shape[1]} features, but this tree is expecting {tree.n_features}")
        return real(tree, X, *given)

    return call
