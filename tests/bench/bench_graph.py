"""What `graph` adds to its statements: a round and a question, beside the driver called by hand with the same ones.

The model is a function that says two facts of each round at once, so what is measured is the graph alone: our rules and
the server. By hand each statement goes through the same driver, with the parameters that `graph` gave it, to a second
database that holds the same. Both take turns, round by round.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from statistics import median
from time import perf_counter
from types import SimpleNamespace
from typing import Any

from memarena.records import Turn
from memarena_graph.embedded import USER, EmbeddedServer
from memarena_graph.graph import Batch, Graph
from memarena_graph.memory import Memory
from memarena_graph.prompts import Said
from memarena_graph.search import Search

ROUNDS, WARM, QUESTIONS, DIMENSIONS, TARGET = 300, 60, 100, 384, 1.1
PEOPLE, PLACES = 60, 200

Sent = tuple[str, Sequence[tuple[str, dict[str, Any]]]]


class Recorded(Graph):
    """A graph that remembers what it sent."""

    def __init__(self, *where: Any) -> None:
        super().__init__(*where)
        self.sent: list[Sent] = []

    def read(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        self.sent.append(("read", [(statement, parameters)]))
        return super().read(statement, **parameters)

    def write(self, batch: Batch) -> None:
        self.sent.append(("write", [(statement, {"rows": rows}) for statement, rows in batch.parts()]))
        super().write(batch)


def by_hand(driver: Any, database: str, cell: str, sent: Sequence[Sent]) -> None:
    """Send the same as one writes it with the driver."""

    def work(transaction: Any, statements: Sequence[tuple[str, dict[str, Any]]]) -> None:
        for statement, parameters in statements:
            transaction.run(statement, cell=cell, **parameters).consume()

    for kind, statements in sent:
        if kind == "write":
            with driver.session(database=database) as session:
                session.execute_write(work, statements)
        else:
            ((statement, parameters),) = statements
            result = driver.execute_query(statement, {"cell": cell, **parameters}, database_=database)
            [record.data() for record in result.records]


def compare(ours: Callable[[int], object], graph: Recorded, hand: tuple[Any, str, str], times: range) -> str:
    """Milliseconds of ours, of the driver by hand, and their ratio."""
    mine, theirs = [], []
    for number in times:
        graph.sent.clear()
        begun = perf_counter()
        ours(number)
        between = perf_counter()
        by_hand(*hand, graph.sent)
        mine.append(between - begun)
        theirs.append(perf_counter() - between)
    kept = slice(WARM if len(mine) > 2 * WARM else 0, None)
    one, other = median(mine[kept]) * 1e3, median(theirs[kept]) * 1e3
    return f"{one:.2f} ms, by hand {other:.2f} ms: {one / other:.2f} times (target {TARGET})"


def main() -> None:
    """Print the figures."""
    if find_spec("arcadedb_embedded") is None:
        print("graph: arcadedb-embedded is not installed")
        return
    server = EmbeddedServer(1024)
    numbers = random.Random(1)
    login, first, second = (USER, server.password), server.create(), server.create()
    graph, plain = Recorded(server.url, login, first, "cell"), Graph(server.url, login, second, "cell")
    for each in (graph, plain):
        each.prepare()

    def vector() -> list[float]:
        return [numbers.gauss(0, 1) for _ in range(DIMENSIONS)]

    def said(time: str | None, text: str, known: Sequence[str]) -> list[Said]:
        return [
            Said(subject=f"Person {person}", relation=relation, object=f"place {place}", text=line, single=True)
            for line in text.splitlines()
            for person, relation, place in [line.rpartition(": ")[2].split("|")]
        ]

    client: Any = SimpleNamespace(embed=lambda texts: [vector() for _ in texts])
    extractor: Any = SimpleNamespace(facts=said)
    memory = Memory(graph, client, extractor, known=12, longest=12_000)
    search = Search(graph, history=False, hop=3)

    def learn(number: int) -> None:
        memory.learn(
            [
                Turn(
                    turn_id=f"T{number}:{place}",
                    session_id="S01",
                    index=number,
                    text=f"{numbers.randrange(PEOPLE)}|{relation}|{numbers.randrange(PLACES)}",
                    time="2026-01-01 09:00",
                )
                for place, relation in enumerate(("lives in", f"saw {number}"))
            ]
        )

    def ask(number: int) -> None:
        hits = search.find(f"Where does Person {numbers.randrange(PEOPLE)} live?", vector(), 10)
        graph.items([hit.fact_id for hit in hits])

    hand = (plain._driver, second, "cell")
    print(f"server: {server.start_seconds:.1f} s until it takes databases")
    print(f"a round with two facts: {compare(learn, graph, hand, range(ROUNDS))}")
    print(f"a question over {memory.counts['facts']} facts: {compare(ask, graph, hand, range(QUESTIONS))}")
    print(f"server: {server.memory_bytes >> 20} MiB at most")
    for each in (graph, plain):
        each.close()
    server.close()


if __name__ == "__main__":
    main()
