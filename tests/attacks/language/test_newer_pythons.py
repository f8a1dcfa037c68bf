"""What the library got in Python 3.12 and later leads to no class that is withheld, and stores on nothing shared."""

from __future__ import annotations

import http
import json
import sys

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.skipif(sys.version_info < (3, 12), reason="nothing of this is there before Python 3.12")

#: Classes of libraries, and what stands for one in a snippet.
LIBRARYS = ("type", "abc.ABCMeta", "zipfile.ZipFile", "string.Formatter", "pathlib.Path", "int")
_ASKING = "import abc, pathlib, string, types, zipfile\n"


@pytest.mark.parametrize("cls", LIBRARYS)
def test_the_original_bases_of_a_class_of_a_library_are_not_told(run, cls):
    failure = run(f"{_ASKING}types.get_original_bases({cls})").failure
    assert (failure.kind, failure.type) == ("refused", "AttributeError")


@pytest.mark.parametrize("cls", ["type", "abc.ABCMeta", "string.Formatter", "pathlib.Path"])
def test_nor_are_they_told_of_a_class_built_on_what_stands_for_one(run, cls):
    outcome = run(f"{_ASKING}class A({cls}): pass\ntypes.get_original_bases(A) == ({cls},)")
    assert outcome.value is True or outcome.failure.kind == "refused"


def test_the_original_bases_of_a_class_of_ones_own_are_told(run):
    source = "class A[T]: pass\nclass B(A[int], list): pass\nclass C: pass\n"
    asked = "types.get_original_bases(B) == (A[int], list), types.get_original_bases(C) == (object,)"
    assert run(f"import types\n{source}{asked}").value == (True, True)


#: What tells of the annotations of a function of typing's, which name the builtin, from Python 3.13 on.
ANNOTATED = {
    "by its attribute": "typing.is_protocol.__annotations__",
    "by the attribute of what wraps it": "functools.wraps(typing.is_protocol)(lambda tp: tp).__annotations__",
    "by inspect": "inspect.get_annotations(typing.is_protocol)",
    "by typing": "typing.get_type_hints(typing.is_protocol)",
}


@pytest.mark.skipif(sys.version_info < (3, 13), reason="there is no such function before Python 3.13")
@pytest.mark.parametrize("asked", ANNOTATED.values(), ids=ANNOTATED)
def test_the_annotations_of_a_library_tell_what_stands_for_a_class(run, asked):
    assert run(f"import functools, inspect, typing\n{asked}['tp'] is type").value is True


SHARED = {"a class": ("json.JSONDecoder", json.JSONDecoder), "a member": ("http.HTTPStatus.OK", http.HTTPStatus.OK)}


@pytest.mark.parametrize(("named", "shared"), SHARED.values(), ids=SHARED)
@pytest.mark.parametrize("made", ["P('/a/b').parent", "P('/a/b').with_name('c')", "P('/a/b').parents[0]"])
def test_a_path_sets_its_parts_on_nothing_of_a_library(run, named, shared, made):
    source = f"class P(pathlib.PurePosixPath):\n    def with_segments(self, *segments): return {named}\n"
    before = set(vars(shared))
    failure = run(f"import http, json, pathlib\n{source}{made}").failure
    assert "cannot be set or deleted" in failure.message
    assert set(vars(shared)) == before


def test_a_path_of_ones_own_makes_others_as_it_says(run):
    source = (
        "import pathlib\nclass P(pathlib.Path):\n    def __init__(self, *parts, tag=None):\n        super().__init__(*parts)\n"
        "        self.tag = tag\n    def with_segments(self, *parts): return type(self)(*parts, tag=self.tag)\n"
        "p = P('a/b.txt', tag=3)\n"
    )
    assert run(f"{source}p.parent.tag, p.with_suffix('.c').tag, str(p.with_stem('d'))").value == (3, 3, "a/d.txt")


#: Names that numpy has from 2.5 on, for which it needs Python 3.12.
NAMES_OF_NUMPY = ("char.set_module", "char.array_function_dispatch", "dtypes.register_dlpack_dtype")


@pytest.mark.parametrize("name", NAMES_OF_NUMPY)
def test_no_function_of_numpy_sets_up_what_everybody_shares(name):
    pytest.importorskip("numpy")
    failure = Step(check_first=False, imports=("numpy",)).run(f"import numpy\nnumpy.{name}()").failure
    assert failure.type in ("RuntimeError", "AttributeError")  # the latter where there is no such name
