"""A data set that was built, as probes read it: samples with their hidden logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from memarena.errors import DataError
from memarena_builder.layout import HIDDEN
from memarena_builder.packs.load import writing
from memarena_builder.packs.places import require_domain
from memarena_builder.packs.words import Writing
from memarena_builder.sound import Raw, log_rows, refuse_unsound, sample_json
from memarena_builder.world.values import MONTHS


class Said(NamedTuple):
    """One turn."""

    session: int
    """Place of its session."""
    place: int
    """Place in the session."""
    role: str
    text: str
    day: date
    images: tuple[str, ...]


class Question(NamedTuple):
    """One question with what the log knows of it."""

    sample_id: str
    text: str
    answer: str
    type: str
    session: int
    """Place of the session after which it is asked."""
    turns: frozenset[tuple[int, int]]
    """Session and place of the turns of its evidence, in whichever set."""
    sessions: tuple[int, ...]
    """Place of the session of each fact of its evidence."""
    values: tuple[str, ...]
    """The answers that were right once."""
    template: str
    twin: str
    reason: str
    options: tuple[str, ...]
    """What it chooses among, in its order; () where it does not."""
    pieces: int
    """How many points and pictures it rests on."""


class Finished:
    """One sample."""

    def __init__(self, path: Path, log: Path) -> None:
        self.raw: Raw = sample_json(path)
        self.log: list[Raw] = log_rows(log)

    @property
    def sample_id(self) -> str:
        return str(self.raw["sample_id"])

    @cached_property
    def writing(self) -> Writing:
        """How its language writes."""
        order = next(row for row in self.log if row["row"] == "sample")["order"]
        return writing(order.get("quota", {}).get("language", "en"))

    @property
    def split(self) -> str:
        """`dev` or `test`."""
        order = next(row for row in self.log if row["row"] == "sample")["order"]
        return str(order.get("split", "test"))

    @property
    def is_dialogue(self) -> bool:
        """Whether it is of the lifelong part."""
        return any(row["row"] == "sample" and row["order"].get("type") == "lifelong" for row in self.log)

    @property
    def is_in_known_words(self) -> bool:
        """Whether the reader knows its grammar: it is a dialogue from a quota, or was played by a recipe; what was
        recorded or imported has words of its own."""
        order = next(row for row in self.log if row["row"] == "sample")["order"]
        return "quota" in order or "recipe" in order

    @property
    def people(self) -> tuple[str, ...]:
        """The full names of all people."""
        cast = next(row for row in self.log if row["row"] == "sample")["cast"]
        return tuple(each["name"] for each in cast["entities"] if each["kind"] in ("self", "person"))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Session id -> place."""
        return {session["_v2_session_id"]: place for place, session in enumerate(self.raw["sessions"])}

    @cached_property
    def turns(self) -> tuple[Said, ...]:
        """All turns in order."""
        return tuple(
            Said(
                session=number,
                place=place,
                role=turn["role"],
                text=turn["content"],
                day=read_time(turn["timestamp"]).date(),
                images=tuple(each["image_id"] for each in turn.get("attachments", ())),
            )
            for number, session in enumerate(self.raw["sessions"])
            for place, turn in enumerate(session["dialogue"])
        )

    @cached_property
    def events(self) -> tuple[Raw, ...]:
        """The rows of events, in order."""
        return tuple(row for row in self.log if row["row"] == "event")

    @cached_property
    def told(self) -> Mapping[str, tuple[int, tuple[int, ...]]]:
        """Fact id -> place of its session and of the turns that tell it, later mentions included."""
        out: dict[str, tuple[int, tuple[int, ...]]] = {}
        for row in self.events:
            fact = row["event"].get("fact")
            if fact:
                out[fact["fact_id"]] = (self.places[row["session"]], tuple(row["turns"]))
        return out

    @cached_property
    def pictures(self) -> Mapping[str, Raw]:
        """Picture id -> what it was drawn from."""
        return {row["picture"]["image_id"]: row["picture"] for row in self.log if row["row"] == "picture"}

    def points(self) -> Iterator[tuple[int, Sequence[Raw]]]:
        """Place of each session, and its points."""
        blocks = {block["session_id"]: block["memory_points"] for block in self.raw["memory_points"]}
        for name, place in self.places.items():
            yield place, blocks.get(name) or self.raw["sessions"][place].get("memory_points", ())

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """All questions in order."""
        rows = iter([row for row in self.log if row["row"] == "question"])
        out = []
        for stop in self.raw["qa_checkpoints"]:
            session = max(self.places[name] for name in stop["covered_sessions"])
            for raw in stop["questions"]:
                row = next(rows)
                told = [self.told[name] for name in row["facts"]]
                every = [*told, *(self.told[name] for names in row.get("alternatives", ()) for name in names)]
                out.append(
                    Question(
                        sample_id=self.sample_id,
                        text=raw["question"],
                        answer=raw["answer"],
                        type=raw["question_type_abbrev"],
                        session=session,
                        turns=frozenset((where, place) for where, places in every for place in places),
                        sessions=tuple(where for where, _ in told),
                        values=tuple(row.get("stale", ())),
                        template=row["template"],
                        twin=row.get("twin", ""),
                        reason=row.get("reason", ""),
                        options=tuple((row.get("query") or {}).get("names", ())),
                        pieces=len(raw["evidence"]),
                    )
                )
        return tuple(out)


def read_time(text: str) -> datetime:
    """The time of `Jan 02, 2026, 09:00:00`, whatever the language of the machine."""
    month, rest = text.split(" ", 1)
    number = [name[:3] for name in MONTHS].index(month) + 1
    day, year, clock = rest.split(", ")
    return datetime.fromisoformat(f"{year}-{number:02}-{day}T{clock}")


def finished(root: Path) -> list[Finished]:
    """The samples of the data set in `root` that have a log; raises DataError where there are none, or one is damaged,
    or is of a schema pack that is not here, without which nobody could read it.

    Twins are left out: they ask what was asked before.
    """
    logs = {path.stem: path for path in sorted((root / HIDDEN).glob("*.jsonl"))}
    samples = [path for path in sorted(root.rglob("*.json")) if path.stem in logs and path.parent != root]
    if not samples:
        raise DataError("holds no data set that was built, with its hidden logs", file=str(root))
    refuse_unsound(root)
    read = [Finished(path, logs[path.stem]) for path in samples]
    for order in (row["order"] for sample in read for row in sample.log if row["row"] == "sample"):
        if order.get("type") == "lifelong":
            require_domain(order["domain"], order["quota"].get("language", "en"))
    return [sample for sample in read if sample.log[-1].get("row") != "twin"]
