"""Vectors that were made before, by the content of their texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from memarena import databases
from memarena.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = "embeddings.sqlite"
_REMEMBERED = 4096
"""Vectors that are kept in memory."""
_AT_ONCE = 500
"""Keys in one query; old versions of SQLite take 999."""


class VectorCache:
    """Remembers the newest vectors, and all of them in a folder where one is given.

    The folder can be shared by runs, processes and models. Raises UsageError where it cannot be used.
    """

    def __init__(self, model: str, folder: str = "") -> None:
        self._model = model
        self._newest: dict[bytes, NDArray[np.float32]] = {}
        self._file = _opened(folder) if folder else None

    def key(self, text: str, *, query: bool) -> bytes:
        """What `text` is known by."""
        whole = f"{self._model}\n{'query' if query else 'document'}\n{text}"
        return blake2b(whole.encode("utf-8", "replace"), digest_size=20).digest()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """The vectors that are known."""
        found = {key: self._newest[key] for key in keys if key in self._newest}
        if self._file is not None:
            found.update(self._read(self._file, [key for key in keys if key not in found]))
        return found

    def put(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep `vectors`."""
        self._newest.update(vectors)
        while len(self._newest) > _REMEMBERED:
            del self._newest[next(iter(self._newest))]
        if self._file is not None:
            rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
            with self._file:
                self._file.execute("BEGIN IMMEDIATE")
                self._file.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _read(self, file: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        import numpy as np

        found = {}
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            for key, blob in file.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some):
                found[key] = np.frombuffer(blob, dtype="<f4").astype(np.float32)
        return found


def _opened(folder: str) -> sqlite3.Connection:
    path = Path(folder) / FILE
    if not path.is_absolute():
        raise UsageError(f"cache={folder}: give an absolute path; an adapter may work in a folder that vanishes")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = databases.connect(path)
        file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
    except (OSError, sqlite3.Error) as error:
        raise UsageError(f"cache={folder}: {path} cannot be used ({error}); give another folder") from error
    return file
