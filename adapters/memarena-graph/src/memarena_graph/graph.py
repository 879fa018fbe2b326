"""One cell's part of a graph server, through the official Neo4j driver."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from memarena.errors import one_line
from memarena.records import MemoryItem, Record
from memarena_graph import statements
from memarena_graph.names import Named
from memarena_graph.timeline import Fact

Row = Mapping[str, Any]

RETRY_SECONDS = 15.0
"""How long what a server refuses for the moment is tried again: deadlocks, changes of leader, a server that is gone."""
CONNECT_SECONDS = 10.0
CLEARED = 1000
"""Nodes that one transaction deletes."""


class GraphFailed(Exception):
    """The graph server is gone, refuses us, or refuses a statement."""


class Batch(Record, frozen=True, kw_only=True):
    """What one round writes; rows as `statements` names them."""

    turns: Sequence[Row] = ()
    entities: Sequence[Row] = ()
    names: Sequence[Row] = ()
    facts: Sequence[Row] = ()
    ends: Sequence[Row] = ()
    sources: Sequence[Row] = ()
    closings: Sequence[Row] = ()

    def parts(self) -> Iterator[tuple[str, Sequence[Row]]]:
        """Statements with their rows, in the order in which they depend on each other; none without rows."""
        pairs = (
            (statements.TURNS, self.turns),
            (statements.ENTITIES, self.entities),
            (statements.NAMES, self.names),
            (statements.FACTS, self.facts),
            (statements.ENDS, self.ends),
            (statements.SOURCES, self.sources),
            (statements.CLOSE, self.closings),
        )
        return ((statement, rows) for statement, rows in pairs if rows)


class Graph:
    """The nodes of one cell in a database. Every method raises GraphFailed where the server fails."""

    def __init__(self, url: str, login: tuple[str, str] | None, database: str, cell: str) -> None:
        from neo4j import GraphDatabase

        self._url = url
        self._database = database
        self._cell = cell
        with self._blamed():
            self._driver = GraphDatabase.driver(
                url,
                auth=login,
                connection_timeout=CONNECT_SECONDS,
                max_transaction_retry_time=RETRY_SECONDS,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        self._closed = weakref.finalize(self, self._driver.close)

    def prepare(self) -> str:
        """Make constraints and indexes where there are none. Returns what the server calls itself."""
        for statement in statements.SCHEMA:
            self.read(statement)
        with self._blamed():
            summary = self._driver.execute_query("RETURN 1", database_=self._database).summary
        return str(summary.server.agent)

    def clear(self) -> None:
        """Delete every node of this cell."""
        for label in statements.LABELS:
            statement = statements.CLEAR.format(label=label)
            while self.read(statement, most=CLEARED)[0]["gone"]:
                pass

    def close(self) -> None:
        """Close all connections."""
        self._closed()

    def read(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows that one statement gives, in a transaction of its own."""
        with self._blamed():
            found = self._driver.execute_query(statement, {"cell": self._cell, **parameters}, database_=self._database)
            return [record.data() for record in found.records]

    def write(self, batch: Batch) -> None:
        """Write all of `batch`, or nothing; doing so again changes nothing."""

        def work(transaction: Any) -> None:
            for statement, rows in batch.parts():
                transaction.run(statement, cell=self._cell, rows=rows).consume()

        with self._blamed(), self._session() as session:
            session.execute_write(work)

    def named(self, keys: Sequence[str]) -> list[Named]:
        """The names of entities that are among `keys`."""
        return [Named(**row) for row in self.read(statements.NAMED, keys=keys)] if keys else []

    def about(self, entities: Sequence[str], most: int) -> list[Fact]:
        """The newest facts about these entities that are true, newest first."""
        return _facts(self.read(statements.ABOUT, entities=entities, most=most)) if entities else []

    def alike(self, words: Sequence[str], fewest: int, most: int) -> list[Fact]:
        """The true facts that have at least `fewest` of these words, those with most of them first."""
        return _facts(self.read(statements.ALIKE, words=words, fewest=fewest, most=most)) if words else []

    def in_slots(self, slots: Sequence[str]) -> list[Fact]:
        """The facts of these slots that are true."""
        return _facts(self.read(statements.IN_SLOTS, slots=slots)) if slots else []

    def items(self, ids: Sequence[str]) -> list[MemoryItem]:
        """The facts with these ids, in the order of `ids`."""
        found = {row["id"]: _item(row) for row in self.read(statements.ITEMS, ids=ids)} if ids else {}
        return [found[each] for each in ids]

    def changed(self, revision: int) -> list[MemoryItem]:
        """The facts that were written after `revision`, in the order in which they were first said."""
        return [_item(row) for row in self.read(statements.CHANGED, revision=revision)]

    def _session(self) -> Any:
        # With the bookmarks of `read`: on a cluster each sees what the other wrote.
        return self._driver.session(
            database=self._database, bookmark_manager=self._driver.execute_query_bookmark_manager
        )

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            yield
        except (DriverError, Neo4jError, OSError, ValueError) as error:
            raise GraphFailed(f"the graph server at {self._url}: {type(error).__name__}: {one_line(error)}") from error


def _facts(rows: Sequence[Row]) -> list[Fact]:
    return list({row["fact_id"]: Fact(**row) for row in rows}.values())


def _item(row: Row) -> MemoryItem:
    told = ("relation", "subject", "object", "valid_from", "invalid_since", "told", "replaced_by")
    return MemoryItem(
        memory_id=row["id"],
        text=row["text"],
        status="active" if row["current"] else "archived",
        session_id=row["session"],
        turn_ids=tuple(row["turns"]),
        image_id=row["image_id"] or "",
        image_path=row["image_path"] or "",
        metadata={name: row[name] for name in told if row[name] is not None},
    )
