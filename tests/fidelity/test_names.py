"""Names of Python's own modules, in plain CPython and in ours: they are there, and do the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fidelity.comparing import printed_in_folders

PROGRAMS = {
    "encodings": """
import codecs
for name in ("utf8", "latin-1", "base64", "rot13", "none"):
    try:
        found = codecs.lookup(name)
        print(found.name, codecs.getencoder(name) == found.encode, repr(found)[:42])
        print(codecs.getencoder(name)("a"), codecs.getdecoder(name)("a"))
    except Exception as error: print(type(error).__name__, error)
print(codecs.lookup("utf8").incrementaldecoder().decode(b"\\xc3"), codecs.lookup_error("strict"), codecs.BOM32_BE)
""",
    "when garbage is collected": """
import gc
print(gc.get_threshold(), gc.set_threshold(5), gc.get_threshold(), gc.set_threshold(1, 2, 3), gc.get_threshold())
print(gc.get_debug(), len(gc.get_count()))
""",
    "records of logs": """
import logging
record = logging.makeLogRecord({"msg": "a %s", "args": (1,), "levelname": "INFO", "more": 2})
print(record.getMessage(), record.more, record, logging.Formatter("%(levelname)s %(message)s").format(record))
""",
    "where a program runs": """
import os, sys, tempfile
print(os.getcwdb() == os.fsencode(os.getcwd()), os.path.samestat(os.stat("."), os.stat(".")), os.EX_NOHOST)
try: os.get_terminal_size()
except OSError as error: print(type(error).__name__)
print(tempfile.gettempprefix(), tempfile.gettempprefixb(), tempfile.TMP_MAX, type(tempfile.gettempdirb()))
print("json" in sys.stdlib_module_names, "sys" in sys.builtin_module_names, sys.is_finalizing(), sys.platlibdir)
with tempfile.NamedTemporaryFile() as file: pass
try:
    with file: pass
except ValueError as error: print(error)
""",
    "words of the language": """
import io, tokenize
words = tokenize.generate_tokens(io.StringIO("a += (1, 2)[0] ** 3 -> x").readline)
print([word.exact_type in (tokenize.PLUSEQUAL, tokenize.LPAR, tokenize.DOUBLESTAR, tokenize.RARROW) for word in words])
""",
    "what things are": """
import contextlib, inspect, io, typing
def f(): yield
print([ask(int.real) for ask in (inspect.isframe, inspect.iscode, inspect.istraceback, inspect.isgetsetdescriptor)])
print(inspect.ismemberdescriptor(slice.start), inspect.ismethodwrapper((1).__add__), inspect.CO_GENERATOR)
print(typing.T, typing.VT_co, [typing.T])
with contextlib.redirect_stderr(io.StringIO()) as told: typing.reveal_type(3)
print(repr(told.getvalue()))
""",
    "what the main thread shows": """
import threading
main = threading.main_thread()
print(type(main).__name__, isinstance(main, threading.Thread), str(main)[:33], threading.current_thread() is main)
""",
    "paths as bytes, and kinds of files": """
import os, pathlib, typing
print(os.path.relpath(b"a/b", b"c"), os.path.relpath(b"a/../b"), os.path.abspath(b"a") == os.path.join(os.getcwdb(), b"a"))
path = pathlib.Path("x")
for _ in range(2):
    print(path.is_fifo(), path.is_socket(), path.is_block_device(), path.is_char_device(), path.is_mount())
    path.touch()
print(typing.no_type_check(int), typing.no_type_check(typing.NamedTuple("N", [])).__name__)
""",
    "names of trees": """
import xml.etree.ElementTree as trees
from xml.dom import minidom
print(trees.VERSION, minidom.EMPTY_NAMESPACE, minidom.XMLNS_NAMESPACE)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_module_has_the_names_it_has_in_cpython(name: str, tmp_path: Path) -> None:
    ours, plain = printed_in_folders(tmp_path, PROGRAMS[name])
    assert ours == plain
