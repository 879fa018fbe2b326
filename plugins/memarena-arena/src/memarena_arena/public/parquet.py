"""Rows of a parquet file, one at a time (extra `parquet`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from memarena.errors import DataError
from memarena_arena.faults import Faults
from memarena_arena.public.stream import Item, StreamLimits

_MAGIC = b"PAR1"
_FOOTER = 1 << 16


def has_columns(path: Path, names: Sequence[str]) -> bool:
    """Whether `path` is a parquet file whose last 64 KiB, where the columns are told, hold all `names`."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(size - _FOOTER, 0))
            footer = stream.read()
    except OSError:
        return False
    return footer.endswith(_MAGIC) and all(name.encode() in footer for name in names)


def arrow(path: Path) -> tuple[Any, Any]:
    """The library pyarrow and its parquet module; raises DataError, for `path`, where it is not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        problem = "needs pyarrow to be read: pip install 'memarena-arena[parquet]'"
        raise DataError(problem, file=str(path)) from None


def rows(path: Path, limits: StreamLimits) -> Iterator[Item]:
    """The rows, each an object by column; raises DataError where pyarrow is not installed."""
    library, parquet = arrow(path)
    number = 0
    try:
        with parquet.ParquetFile(str(path)) as file:
            for batch in file.iter_batches(batch_size=1):
                for row in batch.to_pylist():
                    yield _checked(row, number, path, limits)
                    number += 1
    except (library.ArrowException, OSError, UnicodeDecodeError) as error:
        yield _refused(path, number, f"is no parquet file that can be read ({_first_line(error)})")
        return
    if not number:
        yield _refused(path, number, "the file holds no row")


def _checked(row: Any, number: int, path: Path, limits: StreamLimits) -> Item:
    faults = Faults(str(path))
    place = f"$[{number}]"
    longest = max((len(value) for value in row.values() if isinstance(value, str)), default=0)
    if longest > limits.max_string_chars:
        problem = f"a text has {longest:,} characters; at most {limits.max_string_chars:,} are read (max_string_chars)"
        faults.refuse("unreadable", problem, place)
    return Item(row, number, place, faults, path)


def _refused(path: Path, number: int, problem: str) -> Item:
    faults = Faults(str(path))
    faults.refuse("unreadable", problem, "$")
    return Item(None, number, "$", faults, path)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:120]
