"""What code has left in a folder is removed, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.worker import nested


def test_a_link_that_comes_in_the_place_of_a_folder_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside := tmp_path / "outside").mkdir()
    (outside / "kept").write_text("x")
    (folder := tmp_path / "folder" / "inner").mkdir(parents=True)
    look = nested._some_of

    def changed_after_the_look(place: int) -> object:
        found = look(place)
        if folder.is_dir() and not folder.is_symlink():
            folder.rmdir()
            folder.symlink_to(outside)
        return found

    monkeypatch.setattr(nested, "_some_of", changed_after_the_look)
    assert nested.take_away(str(folder.parent))
    assert (outside / "kept").read_text() == "x"
