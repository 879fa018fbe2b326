"""Whether a data set that was built can be read at all: what `run` would refuse, no command of ours works on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from memarena.datasets import open_data
from memarena.errors import DataError

__all__ = ["Raw", "log_rows", "refuse_unsound", "sample_json"]

Raw = dict[str, Any]


def refuse_unsound(folder: Path) -> None:
    """Raise DataError for the first thing for which a run on `folder` would not start."""
    opened = open_data(str(folder))
    for _ in opened:
        pass
    for finding in opened.report.refused[:1]:
        raise DataError(finding.message, file=finding.file, path=finding.path)


def sample_json(path: Path) -> Raw:
    """The JSON of a sample; raises DataError where it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Raw)
    except msgspec.MsgspecError as error:
        raise DataError(f"is no sample ({error})", file=str(path)) from None


def log_rows(log: Path) -> list[Raw]:
    """The rows of a hidden log; raises DataError for a line that is no JSON object, or where none tells of a sample."""
    rows: list[Raw] = []
    for number, line in enumerate(log.read_bytes().splitlines(), 1):
        try:
            rows.append(msgspec.json.decode(line, type=Raw))
        except msgspec.MsgspecError as error:
            raise DataError(f"line {number} is no row of a hidden log ({error})", file=str(log)) from None
    if not any(row.get("row") == "sample" for row in rows):
        raise DataError("tells of no sample: build the data set again", file=str(log))
    return rows
