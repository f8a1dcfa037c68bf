"""Modules that a policy allows by their bare name: nobody looked at what they offer."""

from __future__ import annotations

import dataclasses
import os

import pytest

from codeact.snippet.endings import Refused
from codeact.snippet.facade import Facades, public_names


def test_a_module_without_a_row_gives_what_it_took_from_python_as_the_session_has_it(tmp_path, monkeypatch):
    (tmp_path / "unreviewed.py").write_text(
        "from builtins import exec as run, getattr as get, open as opened, len as length, ValueError\n"
        "from dataclasses import dataclass\nfrom os import listdir as files, system\nfrom os.path import join\n"
        "from subprocess import Popen\nfrom importlib import import_module\nfrom threading import Thread\n"
        "from collections import OrderedDict as Ordered\nfrom token import ISEOF\nsequence = list\nkind = type\n"
        "def own(): return 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    made = Facades(("unreviewed",))
    found = made.import_module("unreviewed")
    names = [
        "ISEOF",
        "Ordered",
        "Thread",
        "ValueError",
        "dataclass",
        "files",
        "join",
        "kind",
        "length",
        "opened",
        "own",
    ]
    assert public_names(found) == sorted([*names, "sequence", "system"])
    assert found.dataclass is made.import_module("dataclasses").dataclass is not dataclasses.dataclass
    assert found.files is made.import_module("os").listdir is not os.listdir
    assert found.opened is made.import_module("io").open is not open
    assert found.system is made.import_module("os").system is not os.system
    assert (found.length, found.sequence, found.own(), found.join("a", "b")) == (len, list, 1, "a/b")


LEADING_OUT = """
optparse gettext pydoc pstats cgitb getpass tkinter turtle wsgiref wsgiref.handlers cgi asyncore smtpd pipes mailcap zipapp pyclbr
annotationlib compression.zstd concurrent.interpreters
"""


@pytest.mark.parametrize("name", LEADING_OUT.split())
def test_no_policy_adds_a_module_that_hands_out_others_or_what_is_the_hosts(name):
    """Such as `optparse.Values().read_module("os", "loose").system`, `pydoc.locate("os.system")`."""
    with pytest.raises(Refused, match="is not among the modules a snippet may import: "):
        Facades((name,)).import_module(name)
