"""Lines of a recording that were changed by hand: each is named, with what is wrong with it."""

import json

import pytest

from codeact.agent import replay
from codeact.errors import JournalError
from tests.agent.parts import code, price

PARAMETER = {"name": "fruit", "kind": "POSITIONAL_OR_KEYWORD", "required": True, "annotation": "str"}
TOOL = {"name": "price", "parameters": [PARAMETER], "returns": "float", "doc": "The price.", "effect": "read"}


@pytest.mark.parametrize(
    ("kind", "field", "value", "said"),
    [
        ("header", "tools", "none", r"line 1: not a 'header' line of a run: its 'tools' is 'none'"),
        ("header", "tools", [{"name": "x"}], "one of its 'tools' has no 'parameters'"),
        ("header", "limits", {"speed": 1}, "does not say what the run might use"),
        ("header", "task", None, "its 'task' is None"),
        ("reply", "text", 3, "its 'text' is 3"),
        ("reply", "calls", [5], r"its 'calls' is \[5\]"),
        ("step", "files", [None], r"its 'files' is \[None\]"),
        ("step", "index", "one", "its 'index' is 'one'"),
        ("step", "failure", "bad", "its 'failure' is 'bad'"),
        ("call", "arguments", 3, "its 'arguments' is 3"),
        ("call", "inner", [5], r"its 'inner' is \[5\]"),
        ("call", "happened", "yes", "its 'happened' is 'yes'"),
        ("call", "withheld", [{"tool": "x"}], r"its 'withheld' is \[{'tool': 'x'}\]"),
        ("entered", "inside", 5, "not a 'entered' line of a run: its 'inside' is 5"),
        ("waiting", "inside", 5, "its 'inside' is 5"),
        ("waiting", "at", 5, "its 'at' is 5"),
        ("step", "failure", {"kind": "raised"}, "its 'failure' is {'kind': 'raised'}"),
        ("step", "images", [{}], r"its 'images' is \[{}\]"),
        ("end", "cost", [], r"its 'cost' is \[\]"),
        ("end", "cost", {"tokens": "many"}, "its 'cost' is {'tokens': 'many'}"),
        ("end", "cost", {"operations": {"$float": "inf"}}, "its 'cost' is {'operations': inf}"),
        ("header", "seed", 1 << 70, "its 'seed' is 1180591620717411303424"),
        ("header", "seed", {"$int": "9" * 5000}, "its 'seed' is"),
        ("header", "version", {"$int": "9" * 5000}, "is a recording of version"),
        ("header", "version", {"$decimal": "sNaN"}, "is a recording of version Decimal"),
        ("header", "tools", [{**TOOL, "effect": "none"}], "its 'tools' is .*'name': 'price'"),
        ("header", "tools", [{**TOOL, "parameters": [1]}], "its 'tools' is"),
        ("header", "tools", [{**TOOL, "parameters": [{**PARAMETER, "kind": "any"}]}], "its 'tools' is"),
        ("header", "tools", [{**TOOL, "parameters": [{**PARAMETER, "default": 5}]}], "its 'tools' is"),
        ("header", "tools", [{**TOOL, "parameters": [{**PARAMETER, "later": 5}]}], "says of a tool what .* not know"),
        ("header", "skills", [{"name": "x", "code": 1, "imports": [], "tools": [], "skills": []}], "its 'skills' is"),
        ("header", "files", [{"name": "x", "path": "x", "sha256": 5}], "its 'files' is"),
        ("call", "kind", "cell", "not a 'cell' line of a run: no such line is known here"),
    ],
)
def test_a_line_that_was_changed_by_hand_is_named(make, kind, field, value, said):
    run = make([code("final_answer(price('pear'))")], tools=[price]).run("go")
    lines = [json.loads(line) for line in run.journal.read_text().splitlines()]
    begun = next(line for line in lines if line["kind"] == "call_started")
    lines += [{**begun, "kind": more} for more in ("entered", "waiting")]
    for line in lines:
        if line["kind"] == kind:
            line[field] = value
    run.journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(JournalError, match=said):
        replay(run.journal)


def test_a_charge_of_what_nobody_knows_is_named(make):
    agent = make([code("final_answer(1)")])
    run = agent.run("go")
    lines = run.journal.read_text().splitlines()
    lines.insert(1, json.dumps({"kind": "charged", "cost": {"hours": 1}}))
    run.journal.write_text("\n".join(lines[:3]) + "\n")
    with pytest.raises(JournalError, match=r"line 2: not what a run costs: .*'hours'; the recording was changed"):
        agent.resume(run.journal)
