"""What a model replies is understood as a person would understand it."""

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.reply.calls import code_of_call, is_cut
from codeact.reply.extract import understand
from tests.reply.doubts import DOUBTFUL
from tests.reply.forms import CROSSED
from tests.reply.notations import NOTED
from tests.reply.single import SINGLE, TOOLS
from tests.reply.specimens import ALL, WRITTEN


def _same(found: str, wanted: str) -> bool:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        return ast.dump(compile(found, "x", "exec", flags)) == ast.dump(compile(wanted, "x", "exec", flags))
    except SyntaxError:
        return found.strip() == wanted.strip()


def _found(specimen):
    tools = TOOLS if specimen in SINGLE or specimen in DOUBTFUL or specimen in NOTED else ()
    return understand(specimen.text, calls=specimen.calls, truncated=specimen.truncated, tools=tools)


def understood(specimen) -> bool:
    found = _found(specimen)
    if specimen.asked:
        return bool(found.ask_back) and not found.code and found.answer is None
    if specimen.answer is not None:
        return found.answer == specimen.answer and not found.code
    return found.answer is None and not found.ask_back and _same(found.code, specimen.code)


ONE_BY_ONE = [*WRITTEN, *SINGLE, *DOUBTFUL, *NOTED]


def test_the_corpus_is_large_and_no_name_and_no_single_reply_is_there_twice():
    assert len(ALL) >= 300
    for corpus in (ALL, ONE_BY_ONE):
        assert len({specimen.name for specimen in corpus}) == len(corpus)
    replies = {(specimen.text, specimen.calls, specimen.truncated) for specimen in ONE_BY_ONE}
    assert len(replies) == len(ONE_BY_ONE)


@pytest.mark.parametrize("specimen", ONE_BY_ONE, ids=lambda specimen: specimen.name)
def test_a_reply_is_understood(specimen):
    assert understood(specimen), _found(specimen)


@pytest.mark.parametrize("corpus", [ALL, CROSSED], ids=["usual", "of many templates"])
def test_at_least_99_in_100_of_all_forms_and_contents_are_understood(corpus):
    missed = [specimen.name for specimen in corpus if not understood(specimen)]
    assert len(missed) <= len(corpus) / 100, missed


def test_what_is_remembered_holds_no_thoughts_and_nothing_invented():
    kept = understand("<think>secret</think>Go.\n```python\nf()\n```\nObservation: 42").kept
    assert kept == "Go.\n```python\nf()\n```"


def test_a_call_of_a_known_tool_without_any_mark_is_code():
    assert understand("look(x)").answer == "look(x)"
    assert understand("look(x)", tools={"look"}).code == "look(x)"


@pytest.mark.parametrize(
    "piece",
    [
        "word ",
        "x = 1\n",
        "```",
        "```python\nx\n",
        "{\n",
        "Action: x\n",
        "<think>",
        "(\n",
        "<code>",
        "[TOOL_CALLS]a[ARGS]{",
        "<function=x>{}",
        "    x\n",
        "Code:\n",
        "'''python\n",
        "<tool_call>{",
        "{code:python}\n",
        "#+begin_src python\n",
    ],
)
def test_a_reply_of_a_megabyte_is_asked_back_and_one_of_a_third_of_that_is_understood(piece):
    assert "too long" in understand(piece * (1_000_000 // len(piece))).ask_back
    understand(piece * (300_000 // len(piece)))  # ends in good time: quadratic work here took more than a minute


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="`~<>/ \n\"'{}[]:abcodehinkty_=()|#", max_size=200))
def test_any_text_is_either_code_or_an_answer_or_asked_back(text):
    found = understand(text)
    assert sum([bool(found.code.strip()), found.answer is not None, bool(found.ask_back)]) == 1


@pytest.mark.parametrize("text", ["`print(1 + 2)`", "**Code:** `print(1 + 2)`", "Code: `print(1 + 2)`\n"])
def test_code_in_ticks_is_remembered_whole(text):
    assert understand(text).kept == text.strip()


@pytest.mark.parametrize(("tool", "argument"), [("run_python", "code"), ("final_answer", "answer"), ("send", "text")])
def test_a_native_call_that_breaks_off_anywhere_is_asked_for_again_or_whole(tool, argument):
    whole = json.dumps({argument: 'a = f(1)\nb = {"x": [2]}\nsend("it\'s", a)\nsend(b)'})
    for end in range(len(whole)):
        calls = [code for code in [code_of_call(tool, whole[:end])] if code]
        meant = understand("", calls=calls, truncated=is_cut(whole[:end]))
        assert meant.ask_back or meant.code == code_of_call(tool, whole), whole[:end]


@pytest.mark.parametrize("arguments", ['{"code": "print("it"s")"}', '{"a": 1}["a"]', "print(1)", '{"code": "a"', ""])
def test_what_is_badly_written_and_ends_is_not_cut(arguments):
    assert not is_cut(arguments)
