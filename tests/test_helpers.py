"""Helpers of tests are imported by their names from folders of many distributions: each name is there once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDERS = [
    folder
    for pattern in ("core/tests", "plugins/*/tests", "adapters/*/tests", "contrib/*/tests", "tests")
    for folder in REPOSITORY.glob(pattern)
]


def test_two_helpers_never_have_one_name() -> None:
    names = Counter(file.stem for folder in FOLDERS for file in folder.glob("*.py") if _is_helper(file))
    assert [name for name, times in names.items() if times > 1] == []


def _is_helper(file: Path) -> bool:
    return file.stem != "conftest" and not file.stem.startswith("test_")


def test_nothing_is_imported_from_a_conftest_as_every_folder_has_one() -> None:
    files = [file for folder in FOLDERS for file in folder.glob("*.py")]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    found = [file for file, text in texts.items() if re.search(r"^\s*(from|import) conftest\b", text, re.MULTILINE)]
    assert found == []
