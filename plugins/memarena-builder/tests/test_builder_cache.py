"""Where the data set `sim` keeps what it built."""

from __future__ import annotations

import pytest

from memarena.errors import DataError
from memarena_builder import dataset


def test_what_another_state_of_the_builder_built_is_not_taken_for_its_own(tmp_path, monkeypatch) -> None:
    folders = []
    monkeypatch.setenv("MEMARENA_CACHE", str(tmp_path))
    monkeypatch.setattr(dataset, "build", lambda folder, *_, **__: folders.append(folder))
    for state in ("one", "two"):
        monkeypatch.setattr(dataset, "state", lambda state=state: state)
        with pytest.raises(DataError):
            dataset.Sim().open("tiny@7")
    assert folders[0] != folders[1]
    assert {folder.parent for folder in folders} == {tmp_path / "sim"}


def test_the_state_is_the_same_each_time() -> None:
    first = dataset.state()
    dataset.state.cache_clear()
    assert dataset.state() == first
    assert len(first) == 12
