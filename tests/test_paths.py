"""What is written is whole or not there, and what was there before stays."""

from pathlib import Path

import pytest

from codeact.paths import whole_or_none


def _stopped(place: Path, *names: str) -> None:
    """Write files to a folder, or the place itself where none is named, and be stopped before the last is whole."""
    with whole_or_none(place):
        for path in [place / name for name in names] or [place]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("half")
        raise OSError("no room")


@pytest.mark.parametrize("names", [(), ("a", "b/c")])
def test_what_could_not_be_written_whole_is_taken_away(tmp_path, names):
    with pytest.raises(OSError, match="no room"):
        _stopped(tmp_path / "new", *names)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_empty_again(tmp_path):
    with pytest.raises(OSError, match="no room"):
        _stopped(tmp_path, "a", "b/c")
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_before_stays(tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(OSError, match="no room"):
        _stopped(tmp_path, "a")
    with pytest.raises(OSError, match="no room"):
        _stopped(tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "mine"]


def test_a_way_back_to_what_was_there_before_takes_nothing_of_it_away(tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(OSError, match="no room"):
        _stopped(tmp_path / "new" / "..", "a")
    assert "mine" in [path.name for path in tmp_path.iterdir()]
