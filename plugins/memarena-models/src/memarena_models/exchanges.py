"""Every exchange with a model in one SQLite file, by what was asked, by whom, and for which time.

The same request of the same owner gets a slot of its own each time, so that repeats of a sampled answer stay apart.
Several processes may write one file. Rows are written by a thread, many at a time.
"""

from __future__ import annotations

import heapq
import queue
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from memarena import databases
from memarena.errors import StoreError
from memarena.records import Record
from memarena_models.requestkey import differences, show_difference, without_pictures

GROUP = 500
"""Most exchanges written at once."""
PATIENCE = 0.02
"""Seconds that the first exchange of a group waits for others: the calls have the processor meanwhile."""
COMPARED = 400
"""Recorded requests that a miss is compared with."""
_TABLES = """
CREATE TABLE IF NOT EXISTS requests (
    request BLOB PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS exchanges (
    request BLOB NOT NULL, owner TEXT NOT NULL, stage TEXT NOT NULL, occurrence INTEGER NOT NULL,
    streamed INTEGER NOT NULL, reply BLOB NOT NULL, seconds REAL NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS slot ON exchanges (request, owner, stage, occurrence);
"""


class Slot(Record, frozen=True, kw_only=True):
    """Where an exchange is kept."""

    request: bytes
    """`request_key` of what was asked."""
    owner: str
    """The cell; its repeat is part of its id."""
    stage: str
    occurrence: int
    """How often this owner had asked the same in this stage before."""


class Exchange(Record, frozen=True, kw_only=True):
    """A reply as it came."""

    reply: bytes
    streamed: bool
    """The reply is a stream of events, else one JSON object."""
    seconds: float = 0.0


class Slots:
    """Hands out slots; one whose call failed is handed out again.

    The counts are in a temporary file of SQLite, so that memory does not grow with the calls of a run.
    """

    def __init__(self) -> None:
        self._taken = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._taken.execute("PRAGMA journal_mode = OFF")
        self._taken.execute("CREATE TABLE taken (place INTEGER PRIMARY KEY, times INTEGER NOT NULL)")
        self._free: dict[int, list[int]] = {}

    def take(self, request: bytes, owner: str, stage: str) -> Slot:
        """The first slot that is free."""
        place = self._place(request, owner, stage)
        free = self._free.get(place)
        if free:
            occurrence = heapq.heappop(free)
            if not free:
                del self._free[place]
        else:
            ((times,),) = self._taken.execute(
                "INSERT INTO taken VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times", (place,)
            ).fetchall()
            occurrence = times - 1
        return Slot(request=request, owner=owner, stage=stage, occurrence=occurrence)

    def give_back(self, slot: Slot) -> None:
        """The call failed: nothing stands in the slot."""
        place = self._place(slot.request, slot.owner, slot.stage)
        heapq.heappush(self._free.setdefault(place, []), slot.occurrence)

    def close(self) -> None:
        self._taken.close()

    @staticmethod
    def _place(request: bytes, owner: str, stage: str) -> int:
        """A number that stands for the three; it fits SQLite's 64 bits."""
        return int.from_bytes(request[:8], "little", signed=True) ^ hash((owner, stage))


class Exchanges:
    """The record of a run; `failed` is told once when the file cannot be written."""

    def __init__(self, path: Path, failed: Callable[[StoreError], None] = lambda error: None) -> None:
        self._path = path
        self._failed = failed
        self._reader = self._connect()
        self._reader.executescript(_TABLES)
        self.empty = self._reader.execute("SELECT 1 FROM exchanges LIMIT 1").fetchone() is None
        """Nothing had been recorded when it was opened."""
        self._queue: queue.SimpleQueue[tuple[Slot, str, str, bytes, Exchange] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="exchanges", daemon=True)
        self._writer.start()

    def find(self, slot: Slot) -> Exchange | None:
        """What was recorded there; else what the same owner got for it in another stage: the answer is the same."""
        row = self._reader.execute(
            "SELECT reply, streamed, seconds FROM exchanges WHERE request = ? AND owner = ? AND occurrence = ?"
            " ORDER BY stage = ? DESC LIMIT 1",
            (slot.request, slot.owner, slot.occurrence, slot.stage),
        ).fetchone()
        if row is None:
            return None
        return Exchange(reply=zlib.decompress(row[0]), streamed=bool(row[1]), seconds=row[2])

    def keep(self, slot: Slot, endpoint: str, model: str, body: bytes, exchange: Exchange) -> None:
        """Record an exchange; returns at once, written soon after. `body` is in canonical form."""
        self._queue.put((slot, endpoint, model, body, exchange))

    def explain_miss(self, slot: Slot, endpoint: str, body: bytes) -> str:
        """Why nothing was found: what differs from the nearest request that was recorded."""
        known = self._reader.execute(
            "SELECT owner, occurrence FROM exchanges WHERE request = ?"
            " ORDER BY owner = ? DESC, occurrence DESC LIMIT 1",
            (slot.request, slot.owner),
        ).fetchone()
        if known is not None and known[0] == slot.owner:
            return f"it was recorded {known[1] + 1} times for {slot.owner}, and is asked once more"
        if known is not None:
            return f"it was recorded for {known[0]}, and never for {slot.owner}"
        rows = self._reader.execute(
            "SELECT DISTINCT r.body, e.owner FROM requests r JOIN exchanges e ON e.request = r.request"
            " WHERE r.endpoint = ? ORDER BY e.owner = ? DESC, e.stage = ? DESC LIMIT ?",
            (endpoint, slot.owner, slot.stage, COMPARED),
        ).fetchall()
        if not rows:
            return f"no {endpoint} request was recorded at all"
        asked = msgspec.json.decode(without_pictures(body))
        found = [list(differences(asked, msgspec.json.decode(zlib.decompress(row[0])))) for row in rows]
        nearest = min(found, key=lambda places: (len(places), sum(_distance(*place) for place in places)))
        more = f" (and at {len(nearest) - 1} more places)" if len(nearest) > 1 else ""
        return f"the nearest recorded request differs at {show_difference(*nearest[0])}{more}"

    def close(self) -> None:
        """Write everything that is still to be written."""
        self._queue.put(None)
        self._writer.join()
        self._reader.close()

    def _connect(self) -> sqlite3.Connection:
        try:
            return databases.connect(self._path)
        except sqlite3.Error as error:
            raise StoreError(f"{self._path}: {error}; delete it to ask every model again") from error

    def _write_all(self) -> None:
        database = self._connect()
        open_ = True
        while open_:
            group = [self._queue.get()]
            if group[0] is not None and self._queue.empty():
                time.sleep(PATIENCE)
            while len(group) < GROUP and group[-1] is not None and not self._queue.empty():
                group.append(self._queue.get())
            open_ = group[-1] is not None
            try:
                self._write(database, [one for one in group if one is not None])
            except sqlite3.Error as error:
                self._failed(StoreError(f"{self._path}: {error}; free some space and go on with --resume"))
                open_ = False
        database.close()

    @staticmethod
    def _write(database: sqlite3.Connection, group: list[tuple[Slot, str, str, bytes, Exchange]]) -> None:
        requests = {
            slot.request: (slot.request, endpoint, model, zlib.compress(without_pictures(body), 1))
            for slot, endpoint, model, body, _ in group
        }
        rows = [
            (s.request, s.owner, s.stage, s.occurrence, e.streamed, zlib.compress(e.reply, 1), e.seconds)
            for s, _, _, _, e in group
        ]
        database.execute("BEGIN IMMEDIATE")
        database.executemany("INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?)", list(requests.values()))
        database.executemany("INSERT OR REPLACE INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        database.execute("COMMIT")


def _distance(path: str, asked: object, kept: object) -> int:
    """How far two values are apart, roughly: characters after the first that differs."""
    one, other = str(asked), str(kept)
    same = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return 0 if one == other else max(len(one), len(other)) - (min(len(one), len(other)) if same is None else same)
