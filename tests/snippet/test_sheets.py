"""Files of sheets: many tables in one, by their names, and no file but those of the working folder."""

from __future__ import annotations

import importlib.util

import pytest

from codeact import Policy, Session
from tests.snippet.running import Step

pytestmark = pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="pandas is not installed")

_MANY = """
import io, pandas as pd
df = pd.DataFrame({'x': [1, 2], 'when': pd.to_datetime(['2024-01-01', '2024-02-01'])})
with pd.ExcelWriter('o.xlsx', engine='openpyxl', datetime_format='YYYY') as writer:
    df.to_excel(writer, sheet_name='A', index=False)
    df.to_excel(excel_writer=writer, sheet_name='B')
with pd.ExcelWriter('o.xlsx', engine='openpyxl', mode='a') as writer:
    df.head(1).to_excel(writer, sheet_name='C', index=False)
with pd.ExcelFile('o.xlsx') as file:
    names, first = file.sheet_names, pd.read_excel(file, sheet_name='C')
memory = io.BytesIO()
with pd.ExcelWriter(memory, engine='openpyxl') as writer:
    df.to_excel(writer)
names, first.shape, pd.read_excel('o.xlsx').equals(df), len(memory.getvalue()) > 1000, writer.engine
"""


@pytest.mark.skipif(importlib.util.find_spec("openpyxl") is None, reason="openpyxl is not installed")
def test_a_file_of_sheets_holds_many_tables() -> None:
    with Session(policy=Policy(imports=["pandas"])) as session:
        seen = session.run(_MANY)
    assert seen.failure is None, seen.failure
    assert seen.value == (["A", "B", "C"], (1, 2), True, True, "openpyxl")


WITHHELD = {
    "written elsewhere": "pd.ExcelWriter('/etc/reached.xlsx')",
    "written elsewhere, by keyword": "pd.ExcelWriter(path='../reached.xlsx', engine='openpyxl')",
    "read elsewhere": "pd.ExcelFile('/etc/hostname')",
    "read elsewhere, by keyword": "pd.ExcelFile(path_or_buffer='/etc/hostname')",
    "of an address": "pd.ExcelFile('http://127.0.0.1:1/')",
    "of a descriptor": "pd.ExcelFile(0)",
    "a class built on it": "class W(pd.ExcelWriter): pass",
    "what it stands for, before there is one": "pd.ExcelWriter._real",
    "what it would be made by": "object.__new__(pd.ExcelWriter)._real",
    "one that was never set up": "pd.read_excel(object.__new__(pd.ExcelFile))",
}


@pytest.mark.parametrize("source", WITHHELD.values(), ids=WITHHELD)
def test_no_file_of_sheets_lies_elsewhere(source: str) -> None:
    failure = Step(check_first=False, imports=("pandas",)).run(f"import pandas as pd\n{source}").failure
    assert failure is not None
    assert failure.type in ("AttributeError", "PermissionError", "TypeError"), failure


@pytest.mark.skipif(importlib.util.find_spec("openpyxl") is None, reason="openpyxl is not installed")
@pytest.mark.parametrize("asked", ["book", "sheets", "_real"])
def test_what_is_below_a_file_of_sheets_stays_there(asked: str) -> None:
    source = f"import io, pandas as pd\npd.ExcelWriter(io.BytesIO(), engine='openpyxl').{asked}"
    failure = Step(check_first=False, imports=("pandas",)).run(source).failure
    assert failure is not None
    assert (failure.kind, failure.type) == ("refused", "AttributeError"), failure
