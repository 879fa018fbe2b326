"""Attribution of a full-size run, and how fast what was kept at a checkpoint is rebuilt.

    python tests/bench/bench_diagnosis.py [--questions 24000] [--judged 2]

24,000 questions over samples of 30 sessions: each session tells 5 facts of which one replaces an older one, each
question rests on one or two of them and has a list of 10 items; a tenth of what is written is lost later. The samples
are scored one after the other, as a run is, with labels that are given: the time is that of the scorer alone. Then a
few samples are judged by the embedded judge, and what all of them would take is printed.

The other half writes a journal of 30 sessions with 30 items each and reads the snapshot at its last checkpoint back.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from memarena.answering import ShowSettings, show
from memarena.cells import CellSpec
from memarena.journal import SessionEnded
from memarena.memory import MemoryState
from memarena.records import (
    Answer,
    Capabilities,
    Checkpoint,
    Evidence,
    GoldPoint,
    JudgementRequest,
    Label,
    MemoryItem,
    Question,
    QuestionRecord,
    Retrieval,
    Sample,
    SampleRecord,
    Session,
    SessionRecord,
)
from memarena.store import RunStore

SESSIONS, FACTS, ASKED_AFTER = 30, 5, 6
QUESTIONS = 55
"""Questions of a sample, a fifth of them after every sixth session."""
_NAMES = ("Ana", "Ben", "Cleo", "Dag", "Eda", "Finn", "Gia", "Hugo")
_WORDS = tuple(
    f"{first}{last}" for first in ("wal", "gar", "mor", "tel", "bin") for last in ("den", "lor", "ta", "kin")
)
_THINGS = ("locker", "badge", "desk", "bicycle", "review", "deadline", "phone", "car", "folder", "hobby")


def build(number: int) -> SampleRecord:
    """One sample with the history of a memory that loses a tenth of its items."""
    chance = random.Random(number)
    sample = _sample(chance, f"sample_{number:03}")
    state, kept = MemoryState(), dict[str, MemoryItem]()
    sessions: list[SessionRecord] = []
    snapshots: list[tuple[MemoryItem, ...]] = []
    for index, session in enumerate(sample.sessions):
        kept = {name: item for name, item in kept.items() if chance.random() > 0.1 / (SESSIONS - index)}
        for point in session.points:
            name = f"m{point.memory_id}"
            said = " ".join(chance.choices(_WORDS, k=20))
            kept[name] = MemoryItem(memory_id=name, text=f"{point.content} ({session.session_id}: {said})")
        snapshots.append(tuple(kept.values()))
        _, changes = state.advance(session.session_id, snapshots[-1])
        sessions.append(
            SessionRecord(
                label="bench",
                sample_id=sample.sample_id,
                regime=sample.regime,
                domain=sample.domain,
                index=index,
                session=session,
                changes=changes,
                snapshot=snapshots[-1],
                capabilities=Capabilities(),
            )
        )
    return SampleRecord(
        label="bench",
        sample=sample,
        sessions=tuple(sessions),
        questions=tuple(_questions(chance, sample, snapshots)),
        capabilities=Capabilities(),
    )


def _sample(chance: random.Random, name: str) -> Sample:
    told: list[GoldPoint] = []
    sessions: list[Session] = []
    checkpoints: list[Checkpoint] = []
    for index in range(SESSIONS):
        session_id = f"S{index:02}"
        points = [_point(chance, session_id, place, told) for place in range(FACTS)]
        told += points
        sessions.append(Session(session_id=session_id, points=tuple(points)))
        if index % ASKED_AFTER == ASKED_AFTER - 1:
            questions = tuple(
                _question(chance, f"QA{index:02}:Q{place:03}", told)
                for place in range(QUESTIONS * ASKED_AFTER // SESSIONS)
            )
            covered = tuple(session.session_id for session in sessions)
            checkpoints.append(
                Checkpoint(
                    checkpoint_id=f"QA{index:02}", covered=covered, after_session=session_id, questions=questions
                )
            )
    return Sample(
        sample_id=name, regime="lifelong", domain="bench", sessions=tuple(sessions), checkpoints=tuple(checkpoints)
    )


def _point(chance: random.Random, session_id: str, place: int, told: list[GoldPoint]) -> GoldPoint:
    value = f"{chance.choice('ABCDEFGH')}{chance.randrange(1000, 9999)}"
    name = f"mp_{session_id}_{place}"
    if told and place == 0:
        old = chance.choice(told)
        content = f"{old.content.rpartition(' ')[0]} {value}."
        return GoldPoint(memory_id=name, content=content, session_id=session_id, kind="update", replaces=(old.content,))
    content = f"{chance.choice(_NAMES)}'s {chance.choice(_THINGS)} has the number {value}."
    return GoldPoint(memory_id=name, content=content, session_id=session_id)


def _question(chance: random.Random, name: str, told: list[GoldPoint]) -> Question:
    points = chance.sample(told, chance.choice((1, 1, 2)))
    return Question(
        question_id=name,
        text=f"Which number does {points[0].content.partition(' has')[0]} have?",
        reference=points[0].content.rpartition(" ")[2].strip("."),
        type=chance.choice(("FR", "DU", "KR", "MC")),
        evidence=tuple(
            Evidence(
                evidence_id=point.memory_id,
                content=point.content,
                session_id=point.session_id,
                kind=point.kind,
                replaces=point.replaces,
            )
            for point in points
        ),
    )


def _questions(
    chance: random.Random, sample: Sample, snapshots: list[tuple[MemoryItem, ...]]
) -> Iterator[QuestionRecord]:
    places = {session.session_id: place for place, session in enumerate(sample.sessions)}
    for stop in sample.checkpoints:
        at = places[stop.after_session or ""]
        for question in stop.questions:
            wanted = {f"m{point.evidence_id}" for point in question.evidence}
            stated = [item for item in snapshots[at] if item.memory_id in wanted and chance.random() < 0.8]
            listed = [*stated, *chance.sample(snapshots[at], 10 - len(stated))]
            retrieval = Retrieval.of(question.text, listed)
            right = chance.random() < 0.5
            yield QuestionRecord(
                label="bench",
                sample_id=sample.sample_id,
                regime=sample.regime,
                domain=sample.domain,
                checkpoint_id=stop.checkpoint_id,
                session_index=at,
                question=question,
                retrieval=retrieval,
                shown=show(retrieval.items, ShowSettings(top_k=8 if chance.random() < 0.2 else 10)),
                answer=Answer(
                    question_id=question.question_id,
                    text=question.reference if right else f"It is {_value(chance.choice(listed).text)}.",
                ),
                capabilities=Capabilities(),
            )


def _value(text: str) -> str:
    return text.partition(". (")[0].rpartition(" ")[2]


def label(request: JudgementRequest) -> Label:
    """What any judge would say of texts that quote the facts."""
    if request.task == "answer":
        return Label(verdicts=("Correct" if request.answer == request.reference else "Hallucination",))
    if request.task == "support":
        places = {point: place for place, point in enumerate(request.points)}
        found = (places.get(item.partition(" (")[0]) for item in request.items)
        return Label(verdicts=tuple("-" if place is None else str(place) for place in found))
    quoted = {item.partition(" (")[0] for item in request.items}
    return Label(verdicts=tuple("yes" if point in quoted else "no" for point in request.points))


def attribute(questions: int, judged: int) -> None:
    """Score `questions` questions with labels that are given, and judge the first `judged` samples."""
    from memarena_arena.lexical import LexicalJudge
    from memarena_arena.scorers.diagnosis import DiagnosisScorer

    scorer, judge = DiagnosisScorer(), LexicalJudge()
    samples = -(-questions // QUESTIONS)
    spent = asking = judging = 0.0
    rows = done = lost = 0
    for number in range(samples):
        record = build(number)
        start = time.process_time()
        requests: Mapping[str, JudgementRequest] = scorer.judgement_requests(record)
        asking += time.process_time() - start
        labels = {name: label(request) for name, request in requests.items()}
        if number < judged:
            start = time.process_time()
            judge.label(list(requests.values()))
            judging += time.process_time() - start
        start = time.process_time()
        stats = scorer.score(record, labels)
        spent += time.process_time() - start
        rows += len(stats)
        done += len(record.questions)
        lost += len({stat.unit for stat in stats if "lost_at" in stat.facets})
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"attribution: {done:,} questions, {lost:,} of them lost, {rows:,} rows in {spent:.1f} s of CPU "
        f"and {asking:.1f} s for what is to be judged; peak of the process {peak:.0f} MiB"
    )
    if judged:
        each = judging / judged
        print(
            f"judging by lexical: {each:.2f} s of CPU a sample ({judged} measured), {each * samples:.0f} s for all; "
            "labels are kept, so this is spent once"
        )


def rebuild(items: int = 30) -> None:
    """Write what a log of `items` items a session keeps, and read back what was kept at the last checkpoint."""
    spec = CellSpec(label="log", sample_id="sample")
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore.create(Path(folder) / "run", {"settings": {}, "adapters": [], "data": {}})
        _write(store, spec, items)
        store.close()
        entries = [entry for entry in store.entries(spec.cell_id) if isinstance(entry, SessionEnded)]
        read = _best(lambda: list(RunStore.open(store.path).entries(spec.cell_id)))
        found = len(snapshot(entries))
        applied = _best(lambda: snapshot(entries))
    print(
        f"snapshot of {found} items after {SESSIONS} sessions: {applied * 1000:.2f} ms from its changes; "
        f"{read * 1000:.1f} ms to read the journal of the whole cell before, with its texts"
    )


def _write(store: RunStore, spec: CellSpec, items: int) -> None:
    chance = random.Random(5)
    words = [f"word{number}" for number in range(2000)]
    state, kept = MemoryState(), dict[str, MemoryItem]()
    journal, _ = store.begin(spec)
    for index in range(SESSIONS):
        for place in range(items):
            name = f"m{index}-{place}"
            kept[name] = MemoryItem(memory_id=name, text=" ".join(chance.choices(words, k=30)))
        for name in chance.sample(sorted(kept), 3):
            kept[name] = MemoryItem(memory_id=name, text=" ".join(chance.choices(words, k=30)))
        change, changes = state.advance(f"S{index:02}", tuple(kept.values()))
        journal.write(
            SessionEnded(session_id=f"S{index:02}", index=index, turns=items, snapshot=change, changes=changes)
        )
    journal.close()


def snapshot(entries: Sequence[SessionEnded]) -> dict[str, MemoryItem]:
    """What is kept after these sessions."""
    kept: dict[str, MemoryItem] = {}
    for entry in entries:
        kept = entry.snapshot.apply(kept)
    return kept


def _best(work: Callable[[], object], times: int = 20) -> float:
    """Seconds of CPU of the fastest of `times` runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    """Print one line for attribution, one for judging, one for snapshots."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--questions", type=int, default=24_000)
    parser.add_argument("--judged", type=int, default=2, help="samples that the embedded judge labels")
    arguments = parser.parse_args()
    attribute(arguments.questions, arguments.judged)
    rebuild()


if __name__ == "__main__":
    main()
