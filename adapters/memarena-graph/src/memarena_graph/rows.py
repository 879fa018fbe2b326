"""What a round changes, as the rows that the statements write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memarena.records import Turn
from memarena_graph.graph import Batch
from memarena_graph.names import STOP, Named, words_of
from memarena_graph.timeline import PICTURE, Changes, Fact, Statement


def batch(
    changes: Changes,
    vectors: Mapping[str, Sequence[float]],
    names: Iterable[Named],
    turns: Iterable[tuple[int, Turn]],
    order: Iterator[int],
    revision: int,
) -> Batch:
    """The rows of `changes`. `vectors` are by fact, `turns` come with their place in the whole history, `order` gives
    each new fact its own, and `revision` marks all facts that are touched.
    """
    spelled = {
        entity: name
        for _, said in (*changes.added, *changes.repeated)
        for entity, name in ((said.subject, said.subject_name), (said.object, said.object_name))
    }
    fresh = list(names)
    told = (*changes.added, *changes.repeated)
    return Batch(
        turns=[_turn(place, turn) for place, turn in turns],
        entities=[
            {"id": entity, "name": spelled[entity]}
            for entity in dict.fromkeys(each.entity for each in fresh if each.whole and each.entity in spelled)
        ],
        names=[each._asdict() for each in fresh if each.entity in spelled],
        facts=[_fact(fact, said, vectors[fact.fact_id], next(order), revision) for fact, said in changes.added],
        ends=[
            {"id": fact.fact_id, "subject_id": said.subject, "object_id": said.object}
            for fact, said in changes.added
            if said.subject != PICTURE
        ],
        sources=[
            {"id": fact.fact_id, "turn": turn, "revision": revision} for fact, said in told for turn in said.turn_ids
        ],
        closings=[
            {"id": each.fact.fact_id, "by": each.by, "since": each.since, "revision": revision}
            for each in changes.closed
        ],
    )


def _turn(place: int, turn: Turn) -> dict[str, Any]:
    return {
        "id": turn.turn_id,
        "session": turn.session_id,
        "seq": place,
        "time": turn.time,
        "speaker": turn.speaker or turn.role,
    }


def _fact(fact: Fact, said: Statement, vector: Sequence[float], seq: int, revision: int) -> dict[str, Any]:
    return {
        "id": fact.fact_id,
        "slot": fact.slot,
        "object_id": fact.object,
        "text": fact.text,
        "words": [word for word in dict.fromkeys(words_of(fact.text)) if word not in STOP],
        "vector": vector,
        "current": True,
        "valid_from": fact.valid_from,
        "told": said.told,
        "relation": said.relation,
        "subject": said.subject_name,
        "object": said.object_name,
        "session": said.session_id,
        "image_id": said.image_id,
        "image_path": said.image_path,
        "seq": seq,
        "revision": revision,
    }
