"""Ways from the working folder to what lies beside it, with the cage off."""

from __future__ import annotations

import pytest

LISTINGS = {
    "a walk that is told to go up": "import os\nfound = []\nfor folder, folders, files in os.walk('.'):\n"
    "    found += files\n    folders[:] = ['..'] if len(found) < 9 else []",
    "a walk that is told to go elsewhere": "import os\nfound = []\nfor folder, folders, files in os.walk('.'):\n"
    "    found += files\n    folders[:] = [os.path.dirname(secret)] if len(found) < 9 else []",
    "a pattern that goes up and comes back": "import glob\nfound = glob.glob('../*/../work')",
    "a pattern that goes up from another folder": "import glob, os\nos.mkdir('a')\n"
    "found = glob.glob('../../*/../work', root_dir='a')",
    "a pattern from the root": "import glob, os\nfound = glob.glob('/*/..' + os.getcwd())",
    "a pattern of a path": "import pathlib\nfound = [str(p) for p in pathlib.Path('.').glob('../*/../work')]",
    "a pattern of a path, further down": "import os, pathlib\nos.mkdir('a')\n"
    "found = [str(p) for p in pathlib.Path('a').rglob('../../*/../work')]",
    "a pattern that lies about its text": "import glob\nclass K(str):\n    def split(self, *a): return []\n"
    "found = glob.glob(K('../*/../work'))",
}


@pytest.mark.parametrize("source", LISTINGS.values(), ids=LISTINGS)
def test_nothing_lists_what_is_beside_the_working_folder(run, tmp_path, source):
    (tmp_path / "beside").mkdir()
    outcome = run("found = []\n" + source)
    assert outcome.failure is None or outcome.failure.type == "PermissionError"
    assert run("found").value == []


def test_a_folder_is_walked_and_matched_as_ever(run):
    source = (
        "import glob, os, pathlib\nos.makedirs('a/b')\nopen('a/own', 'w').close()\n"
        "[sorted(os.walk('.')), list(os.walk('a', topdown=False)), list(os.walk('none')), glob.glob('a/b/../o*'),"
        " glob.glob('b/../*n', root_dir='a'), glob.glob(os.getcwd() + '/*') == [os.path.abspath('a')],"
        " glob.glob(b'**/own', recursive=True), [str(p) for p in pathlib.Path('a').glob('b/../o*')]]"
    )
    walked = [(".", ["a"], []), ("./a", ["b"], ["own"]), ("./a/b", [], [])]
    upwards = [("a/b", [], []), ("a", ["b"], ["own"])]
    assert run(source).value == [walked, upwards, [], ["a/b/../own"], ["b/../own"], True, [b"a/own"], ["a/b/../own"]]


@pytest.mark.parametrize("source", ["import os\nos.mkdir('a')\nos.removedirs('a')", "import os\nos.rmdir('.')"])
def test_the_working_folder_itself_and_those_above_are_not_removed(run, tmp_path, source):
    run(source)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["work"]
    assert run("import os\nos.listdir()").value == []
