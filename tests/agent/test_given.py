"""A recorded call is known by what it was given, also where that does not say whether it is equal."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from codeact import Agent
from codeact.limits import Policy
from codeact.testing import ScriptedModel, replays
from tests.agent.parts import code

GIVEN = {
    "no number": "float('nan')",
    "an array": "np.array([1.0, np.nan])",
    "a table": "pd.DataFrame({'a': [1, None]})",
    "what holds them": "{'rows': [np.arange(3)], 1: pd.Series([float('nan')])}",
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_recorded_call_is_known_by_arguments_that_do_not_say_whether_they_are_equal(make, given):
    def look(at: Any) -> str:
        """Looks."""
        return type(at).__name__

    source = code(f"import numpy as np, pandas as pd\nfinal_answer(look({given}))")
    settings = {"policy": Policy(imports=["numpy", "pandas"]), "tools": [look]}
    run = make([source], **settings).run("go")
    assert run.answer == type(eval(given, {"np": np, "pd": pd})).__name__
    assert replays(run.journal)

    paused = make([source], approve="pause", **settings).run("go")
    assert paused.ended == "paused"
    resumed = Agent(ScriptedModel([]), **settings).resume(paused.journal, decision=True)
    assert resumed.answer == run.answer
