"""Temporary files and folders are of the working folder, and what stands for them hands out nothing below."""

from __future__ import annotations

import pytest

SOURCES = {
    "a folder elsewhere": "tempfile.mkdtemp(dir='/etc')",
    "a prefix that leads out": "tempfile.NamedTemporaryFile(prefix='../../etc/')",
    "a suffix that leads out": "tempfile.TemporaryDirectory(suffix='/../../x')",
    "the file below": "tempfile.NamedTemporaryFile()._opened",
    "the unguarded file below": "tempfile.NamedTemporaryFile().raw",
    "another name for what is removed": "f = tempfile.NamedTemporaryFile()\nf.name = '/etc/hostname'\nf.close()",
    "a file that is no file": "f = tempfile.NamedTemporaryFile()\n"
    "class Own:\n    closed = False\n    def close(self): pass\ntype(f)(Own(), '/etc/hostname').close()",
    "a file that is no file, and goes later": "f = tempfile.NamedTemporaryFile()\n"
    "class Own: closed = True\nwith type(f)(Own(), '/etc/hostname', False): pass",
    "its function": "tempfile.NamedTemporaryFile().read.__func__",
    "a name that is there whatever its number": "open('a', 'w').close()\n"
    "tempfile.NamedTemporaryFile(prefix='x/', suffix='/../../a')",
    "a descriptor": "tempfile.mkstemp()",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_nothing_temporary_leads_out_of_the_working_folder(run, canary, source):
    failure = run(f"import tempfile\n{source}").failure
    assert failure is not None
    refused = ("PermissionError", "FileExistsError", "FileNotFoundError", "AttributeError", "RuntimeError")
    assert failure.type in refused, failure
    assert not canary.exists()
