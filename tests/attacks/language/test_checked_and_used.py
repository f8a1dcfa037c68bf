"""Objects that are one thing when they are looked at and another when they are used."""

from __future__ import annotations

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace
from codeact.worker.output import Output

_TEXTS = (
    "import sys\nclass O:\n    __class__ = str\n    def __len__(self): return 1\n    def __add__(self, other): return self\n"
    "class S(str):\n    def __len__(self): return 1\n    def __add__(self, other): return O()\n"
    "    def join(self, texts): return O()\n"
)


@pytest.mark.parametrize("source", ["sys.stdout.write(O())", "print('x', sep=O())", "print('x', end=O())"])
def test_what_passes_for_a_text_is_not_printed(run, printed, source):
    assert run(_TEXTS + source).failure.type == "TypeError"
    assert printed == []


@pytest.mark.parametrize("source", ["print('a', 'b', sep=S(','))", "print('a,b', end=S('\\n'))", "print(S('a,b'))"])
def test_a_text_of_a_snippets_own_class_is_printed_as_the_text_it_is(run, printed, source):
    assert run(_TEXTS + source).failure is None
    assert (printed, [*map(type, printed)]) == (["a,b\n"], [str])


def test_a_text_that_lies_about_its_length_is_cut_like_any_other(tmp_path):
    sent: list[str] = []
    output = Output(sent.append)
    output.begin(limit_chars=10)
    namespace = Namespace(Policy(), folder=str(tmp_path), output=output.write)

    seen = namespace.run(_TEXTS + "sys.stdout.write(S('x' * 5_000))", operations=1_000, text_chars=10)
    output.end()

    assert (seen.failure, "".join(sent).partition("\n")[0]) == (None, "x" * 10)


def test_the_next_step_asks_no_object_how_deep_it_may_go(run, printed):
    limit = "import sys\nclass L(int):\n    def __int__(self):\n        print('asked')\n        return 1_000\n"
    assert run(limit + "sys.setrecursionlimit(L(1_000))").failure is None
    assert run("sys.getrecursionlimit()").value == 1_000
    assert printed == []
