"""Files that machine code of a library opens by itself: no hook of Python sees them."""

from __future__ import annotations

import importlib.util

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")


def run(library: str, source: str):
    """The outcome of a snippet that may import the library; skipped where it is not installed."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    return Step(check_first=False, imports=(library,)).run(source)


PARQUET = "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\ndf.to_parquet('a.parquet')\n"
_KEPT = "kept = []\ndf.to_parquet('b', metadata_collector=kept)\n"

OPENED_BY_ARROW = {
    "a list": "pd.read_parquet(['/etc/codeact.parquet'])",
    "a list of one inside and one outside": "pd.read_parquet(['a.parquet', '/etc/codeact.parquet'])",
    "a list of its own": "class L(list):\n    def __iter__(self): return iter(['a.parquet'])\npd.read_parquet(L(['/etc/codeact.parquet']))",
    "metadata": _KEPT + "kept[0].write_metadata_file('/etc/codeact.parquet')",
    "metadata by keyword": _KEPT + "kept[0].write_metadata_file(where='/etc/codeact.parquet')",
    "metadata, of the class": _KEPT + "type(kept[0]).write_metadata_file(kept[0], '/etc/codeact.parquet')",
}


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
@pytest.mark.parametrize("source", OPENED_BY_ARROW.values(), ids=OPENED_BY_ARROW)
def test_arrow_opens_files_of_the_working_folder_alone(source):
    failure = run("pandas", PARQUET + source).failure
    assert failure.type == "PermissionError", failure


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_arrow_reads_several_files_of_the_working_folder():
    source = PARQUET + _KEPT + "kept[0].write_metadata_file('m')\nlen(pd.read_parquet(['a.parquet', 'a.parquet']))"
    assert run("pandas", source).value == 2


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
@pytest.mark.parametrize("named", ["[name]", "(name,)", "name", "iter([name])"])
def test_a_table_is_parted_into_folders_of_the_working_folder_alone(named, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "working"))
    (tmp_path / "working").mkdir()
    source = f"import pandas as pd\nname = '../../reached'\npd.DataFrame({{name: [1], 'a': [2]}}).to_parquet('b', partition_cols={named})"
    run("pandas", source)
    assert [path.name for path in tmp_path.iterdir()] == ["working"]
    source = "import os, pandas as pd\npd.DataFrame({'a': ['../x'], 'b': [1]}).to_parquet('c', partition_cols='a')\nos.listdir('c')"
    assert run("pandas", source).value == ["a=..%2Fx"]


_SOLVED = "import scipy.optimize as o\n"

#: Files that a solver opens by itself.
OPENED_BY_SOLVERS = {
    "a solution": (
        "scipy",
        _SOLVED + "o.milp([1.0], bounds=o.Bounds(0, 1), options={'solution_file': '/etc/codeact'})",
    ),
    "a log": ("scipy", _SOLVED + "o.linprog([1.0], method='highs', options={'log_file': '/etc/codeact'})"),
    "a log, by another name": (
        "scipy",
        _SOLVED + "o.linprog([1.0], method='highs-ipm', options={'log_file': '/etc/codeact'})",
    ),
    "a log, by a text of its own": (
        "scipy",
        _SOLVED + "class S(str):\n    def __contains__(self, part): return False\n"
        "o.milp([1.0], options={S('log_file'): '/etc/codeact'})",
    ),
    "a log of a regression": (
        "sklearn",
        "from sklearn.linear_model import QuantileRegressor\n"
        "QuantileRegressor(solver='highs', solver_options={'log_file': '/etc/codeact'}).fit([[1], [2]], [1, 2])",
    ),
}


@pytest.mark.parametrize(("library", "source"), OPENED_BY_SOLVERS.values(), ids=OPENED_BY_SOLVERS)
def test_the_options_of_a_solver_name_no_file(library, source):
    failure = run(library, source).failure
    assert failure is not None
    assert "may name no file" in failure.message


def test_solvers_take_their_options():
    source = (
        _SOLVED + "[o.milp([1.0], bounds=o.Bounds(0, 1), options={'time_limit': 5}).status, o.linprog([1.0]).status]"
    )
    assert run("scipy", source).value == [0, 0]


def test_a_font_is_a_file_of_the_working_folder():
    source = "import matplotlib.pyplot as plt, pathlib\nt = plt.figure().text(0, 0, 'a', font=pathlib.Path({!r}))\nt.get_fontproperties().get_file()"
    assert run("matplotlib", source.format("/etc/hostname")).failure.type == "PermissionError"
    assert run("matplotlib", source.format("own.ttf")).value.endswith("/own.ttf")


ZONES = {
    "a date": ("pandas", "import pandas as pd\npd.Timestamp('2024-01-01', tz='dateutil//etc/hostname')"),
    "a date, another way": ("pandas", "import pandas as pd\npd.Timestamp('2024-01-01', tz='dateutil/:/etc/hostname')"),
    "a date, from below": (
        "pandas",
        "import pandas as pd\npd.Timestamp('2024-01-01', tz='dateutil/../../../etc/hostname')",
    ),
    "an axis": ("matplotlib", "import matplotlib.dates as d\nd.DateFormatter('%Y', tz='/etc/hostname')"),
}


@pytest.mark.parametrize(("library", "source"), ZONES.values(), ids=ZONES)
def test_a_time_zone_is_no_path(library, source):
    assert run(library, source).failure.type == "PermissionError"


def test_a_time_zone_of_dateutil_goes_by_its_name():
    source = "import pandas as pd\npd.Timestamp('2024-07-01', tz='dateutil/Europe/Paris').isoformat()"
    assert run("pandas", source).value == "2024-07-01T00:00:00+02:00"
