"""A sample as its file and its hidden log tell it: what the validators of a build look at, read back from disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import msgspec
from msgspec.structs import replace

from memarena_builder import questions
from memarena_builder.gold import Point
from memarena_builder.order import LifelongOrder
from memarena_builder.packs.load import in_register
from memarena_builder.packs.schema import Pack
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.plan import Event, Plan, SessionPlan
from memarena_builder.probes.finished import read_time
from memarena_builder.questions.ask import Asked, Stop
from memarena_builder.questions.query import Query
from memarena_builder.sound import Raw
from memarena_builder.wording import Line, Spoken
from memarena_builder.wording.persona import persona_of
from memarena_builder.world.cast import Cast
from memarena_builder.world.facts import Fact


class Logged:
    """One sample; raises msgspec.ValidationError for a log of another shape."""

    def __init__(self, raw: Raw, rows: Sequence[Raw]) -> None:
        self.raw = raw
        self._rows = rows

    @cached_property
    def is_dialogue(self) -> bool:
        """Whether it is of the lifelong part."""
        return bool(self._of("sample")[0]["order"].get("type") == "lifelong")

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Session id -> place."""
        return {session["_v2_session_id"]: place for place, session in enumerate(self.raw["sessions"])}

    @cached_property
    def order(self) -> LifelongOrder:
        """The order that the words come from: that of the base, for a twin."""
        order = msgspec.convert(self._of("sample")[0]["order"], LifelongOrder)
        return next((replace(order, sample_id=str(row["base"])) for row in self._of("twin")), order)

    @cached_property
    def pack(self) -> Pack:
        """The words that it is made of."""
        from memarena_builder.lifelong import streams_of

        streams = streams_of(self.order, self._of("sample")[0].get("attempt", 0))
        register = persona_of(streams.at("wording")).register
        return in_register(self.order.domain, self.order.quota.language, self.order.split, register)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """All facts in the order in which they were told."""
        told = (row["event"]["fact"] for row in self._of("event") if row["event"].get("fact"))
        return tuple(msgspec.convert(fact, Fact) for fact in told)

    @cached_property
    def told(self) -> Mapping[str, tuple[str, Sequence[Raw]]]:
        """By fact: its session, and the turns that tell it as they are in the file."""
        return {
            row["event"]["fact"]["fact_id"]: (row["session"], self.turns_of(row))
            for row in self._of("event")
            if row["event"].get("fact")
        }

    @cached_property
    def plan(self) -> Plan:
        """What happens, without what is kept back; pictures have the captions of the file."""
        by_session: dict[str, list[Event]] = {name: [] for name in self.places}
        for row in self._of("event"):
            by_session[row["session"]].append(msgspec.convert(row["event"], Event))
        sessions = tuple(
            SessionPlan(session_id=name, index=place, day=self._lines(name)[0].time.date(), events=tuple(events))
            for (name, place), events in zip(self.places.items(), by_session.values(), strict=True)
        )
        cast = msgspec.convert(self._of("sample")[0]["cast"], Cast)
        return Plan(cast=cast, sessions=sessions, pictures=self._pictures(), reserved=(), announced=())

    @cached_property
    def spoken(self) -> dict[str, Spoken]:
        """The turns as they are in the file, with the events that the log says they tell."""
        out = {}
        for name in self.places:
            rows = [row for row in self._of("event") if row["session"] == name]
            ids: dict[int, list[str]] = {}
            for row in rows:
                for place in row["turns"]:
                    ids.setdefault(place, []).append(row["event"]["event_id"])
            lines = self._lines(name)
            told = (replace(line, event_ids=tuple(ids.get(place, ()))) for place, line in enumerate(lines))
            resolved = {row["event"]["event_id"]: row["resolved_by"] for row in rows if row.get("resolved_by")}
            out[name] = Spoken(session_id=name, lines=tuple(told), resolved=resolved)
        return out

    @cached_property
    def points(self) -> dict[str, tuple[Point, ...]]:
        """Gold as it is in the file, with the facts that the log says it tells; none of a session where there are more
        or fewer."""
        return {name: tuple(self._pointed(name)) for name in self.places}

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """The questions as they are in the file, with their queries and facts of the log."""
        rows = iter(self._of("question"))
        by_id = {fact.fact_id: fact for fact in self.facts}
        out = []
        for stop in self.raw["qa_checkpoints"]:
            covered = tuple(stop["covered_sessions"])
            asked = tuple(_asked(raw, next(rows), by_id) for raw in stop["questions"])
            end = max(self.places.get(name, 0) for name in covered)
            out.append(Stop(checkpoint_id=stop["checkpoint_id"], covered=covered, index=end, questions=asked))
        return tuple(out)

    def gold_of(self, session: str) -> Sequence[Raw]:
        """The points of a session as they are in the file."""
        blocks: Mapping[str, Sequence[Raw]] = {
            block["session_id"]: block["memory_points"] for block in self.raw["memory_points"]
        }
        own: Sequence[Raw] = self.raw["sessions"][self.places[session]].get("memory_points", ())
        return blocks.get(session) or own

    def telling(self, session: str) -> list[Raw]:
        """The rows of the events of a session that have a point, in its order."""
        rows = (row for row in self._of("event") if row["session"] == session)
        return [row for row in rows if row["event"].get("fact") or row["event"]["kind"] == "distractor"]

    def turns_of(self, row: Raw) -> Sequence[Raw]:
        """The turns of an event, as they are in the file."""
        dialogue: Sequence[Raw] = self.raw["sessions"][self.places[row["session"]]]["dialogue"]
        return [dialogue[place] for place in row["turns"] if place < len(dialogue)]

    def shown(self) -> Iterator[tuple[Raw, Raw]]:
        """Each picture of the log, and its attachment in the file; {} where it is not there."""
        for row in self._of("picture"):
            yield row["picture"], self._attachments.get(row["picture"]["image_id"], {})

    @cached_property
    def _attachments(self) -> Mapping[str, Raw]:
        turns = (turn for session in self.raw["sessions"] for turn in session["dialogue"])
        return {each["image_id"]: each for turn in turns for each in turn.get("attachments", ())}

    def _of(self, row: str) -> list[Raw]:
        return [each for each in self._rows if each.get("row") == row]

    def _pictures(self) -> dict[str, PictureSpec]:
        specs = ((msgspec.convert(spec, PictureSpec), each.get("caption", "")) for spec, each in self.shown())
        return {spec.image_id: replace(spec, caption=caption) for spec, caption in specs}

    def _lines(self, session: str) -> tuple[Line, ...]:
        return tuple(
            Line(
                role=turn["role"],
                text=turn["content"],
                time=read_time(turn["timestamp"]),
                image_id=next((each["image_id"] for each in turn.get("attachments", ())), ""),
            )
            for turn in self.raw["sessions"][self.places[session]]["dialogue"]
        )

    def _pointed(self, session: str) -> Iterator[Point]:
        gold, telling = self.gold_of(session), self.telling(session)
        for raw, row in zip(gold, telling, strict=False) if len(gold) == len(telling) else ():
            fact = row["event"].get("fact") or {}
            refused = raw["memory_source"] == "interference"
            kind = "interference" if refused else "update" if raw["is_update"] == "True" else "new"
            yield Point(
                memory_id=raw["memory_id"],
                session_id=session,
                content=raw["memory_content"],
                kind=kind,  # type: ignore[arg-type]
                replaces=tuple(raw["original_memories"]),
                update_type=raw["update_type"],
                point_type=raw["memory_type"],
                source=raw["memory_source"],
                importance=raw["importance"],
                fact_id=fact.get("fact_id", ""),
                distraction=row["event"].get("distraction", ""),
                turns=tuple(row["turns"]),
                image_id=row["event"].get("image_id", ""),
                visual=fact.get("visual", False),
                time=read_time(raw["timestamp"]),
            )


def _asked(raw: Raw, row: Raw, facts: Mapping[str, Fact]) -> Asked:
    return Asked(
        question_id=row["question_id"],
        type=raw["question_type_abbrev"],
        text=raw["question"],
        answer=raw["answer"],
        query=msgspec.convert(row["query"], _queries()),
        evidence=tuple(facts[name] for name in row["facts"]),
        alternatives=tuple(tuple(facts[name] for name in names) for names in row.get("alternatives", ())),
        difficulty=raw["difficulty"],
        template=row["template"],
        stale=tuple(row["stale"]),
        reason=row["reason"],
        twin=row["twin"],
    )


@cache
def _queries() -> Any:
    """All queries, as a union that their tags tell apart."""
    for found_module in iter_modules(questions.__path__):
        import_module(f"{questions.__name__}.{found_module.name}")
    import_module("memarena_builder.agentic.queries")
    found: Any = None
    for each in _below(Query):
        found = each if found is None else found | each
    return found


def _below(kind: type[Query]) -> Iterator[type[Query]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
