"""Deterministic scoring of a full-size run against a straightforward rewrite of the definitions.

    python tests/bench/bench_scoring.py [--questions 24000] [--oracle 600]

24,000 questions with 10 items each: 60 texts a sample, each retrieved about nine times; then once more with all texts
different. Both sides give F1, BLEU-1 and, in all three variants, Recall and NDCG at 1, 5 and 10; they must agree to
1e-12. The rewrite is timed on a part of the questions, and both are shown as microseconds a question. `rows` is what
the two scorers need for all their rows, of which these numbers are a part.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping, Sequence

from plain_scoring import KS, VARIANTS, plain_case, plain_scores

from memarena.records import (
    Answer,
    Capabilities,
    Evidence,
    Label,
    Question,
    QuestionRecord,
    Retrieval,
    RetrievedItem,
)

_ONSETS = ("b", "br", "c", "cl", "d", "f", "g", "h", "l", "m", "n", "p", "qu", "r", "s", "st", "t", "tr", "v", "w")
_RIMES = ("ade", "ain", "ance", "elling", "ent", "er", "ibly", "ies", "ing", "oad", "ock", "ong", "ool", "oted", "uns")
VOCABULARY = tuple(
    f"{onset}{rime}{tail}" for onset in _ONSETS for rime in _RIMES for tail in ("", "s", "ed", "ly", "ment")
)


def words(chance: random.Random, count: int) -> str:
    """`count` words, some of them frequent, with a mark here and there."""
    picked = [VOCABULARY[min(int(chance.expovariate(1 / 200)), len(VOCABULARY) - 1)] for _ in range(count)]
    picked[chance.randrange(count)] += ", 3.5 mg"
    return f"The {' '.join(picked)}."


def build(questions: int, *, repeated: bool, seed: int = 7) -> list[QuestionRecord]:
    """`questions` records, 52 a sample; with `repeated`, the 10 items of each come from 60 texts of its sample."""
    chance = random.Random(seed)
    records: list[QuestionRecord] = []
    while len(records) < questions:
        sample = f"sample_{len(records) // 52:03}"
        store = [_kept(chance, place) for place in range(60)]
        images = {f"S{place // 4 * 2:02}_img_{place % 4 + 1}": f"S{place // 4 * 2:02}" for place in range(34)}
        for number in range(min(52, questions - len(records))):
            listed = chance.sample(store, 10) if repeated else [_kept(chance, place) for place in range(10)]
            records.append(_question(chance, sample, number, listed, images))
    return records


def _kept(chance: random.Random, place: int) -> tuple[RetrievedItem, str]:
    session = f"S{chance.randrange(30):02}"
    text = f"user: {words(chance, 28)}\nassistant: {words(chance, 16)}"
    picture = f"{session}_img_{chance.randrange(1, 5)}" if chance.random() < 0.3 else ""
    if picture:
        text += f"\n\nimage:\nimage_id: {picture}\nimage_caption: {words(chance, 12)}"
    path = f"/data/images/{picture}.png" if picture else ""
    return RetrievedItem(memory_id=f"m{place}", text=text, image_id=picture, image_path=path), session


def _question(
    chance: random.Random,
    sample: str,
    number: int,
    listed: Sequence[tuple[RetrievedItem, str]],
    images: Mapping[str, str],
) -> QuestionRecord:
    evidence = tuple(_evidence(chance, listed) for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 2, 5))))
    reference = words(chance, 30)
    answer = " ".join(reference.split()[: chance.randrange(1, 30)]) if chance.random() < 0.7 else words(chance, 14)
    question_id = f"QA{number // 11:02}:Q{number % 11:03}"
    return QuestionRecord(
        label="bench",
        sample_id=sample,
        regime="agentic",
        domain="agent/gui",
        checkpoint_id=question_id[:4],
        session_index=29,
        question=Question(
            question_id=question_id, text="What was it?", reference=reference, type="FR", evidence=evidence
        ),
        retrieval=Retrieval(query="What was it?", items=tuple(item for item, _ in listed)),
        sources=tuple((session,) for _, session in listed),
        held_in=("S29",) * len(listed),
        answer=Answer(question_id=question_id, text=answer),
        capabilities=Capabilities(verbatim=True),
        images=images,
    )


def _evidence(chance: random.Random, listed: Sequence[tuple[RetrievedItem, str]]) -> Evidence:
    if chance.random() < 0.15:
        picture = f"S{chance.randrange(15) * 2:02}_img_{chance.randrange(1, 5)}"
        return Evidence(evidence_id=picture, content=f"image_id: {picture}", image_id=picture, kind="image")
    session = f"S{chance.randrange(30):02}"
    content = words(chance, 14)
    if chance.random() < 0.6:
        content = " ".join(chance.choice(listed)[0].text.split()[3:18])
    return Evidence(evidence_id=f"mp_{session}_{chance.randrange(1, 12)}", content=content, session_id=session)


def fast_scores(record: QuestionRecord) -> dict[str, float | None]:
    """What `plain_scores` gives, from `memarena_arena.metrics`."""
    from memarena_arena.metrics import ranking, text

    found: dict[str, float | None] = {
        "f1": text.f1(record.answer.text, record.reference),
        "bleu1": text.bleu1(record.answer.text, record.reference),
    }
    comparison = ranking.Comparison(record.retrieval.items, record.question.evidence)
    for variant in VARIANTS:
        scores = ranking.scores_of(comparison.read(variant, record.sources), KS)
        for k in KS:
            found[f"{variant} recall@{k}"] = scores[k]["recall"]
            found[f"{variant} ndcg@{k}"] = scores[k]["ndcg"]
    return found


def score_rows(records: Sequence[QuestionRecord]) -> int:
    """All rows of the retrieval and the answer scorer; returns how many there are."""
    from memarena_arena.scorers.answers import AnswerScorer
    from memarena_arena.scorers.retrieval import RetrievalScorer

    retrieval, answers = RetrievalScorer(), AnswerScorer()
    correct = {"answer": Label(verdicts=("Correct",))}
    labels = {n: {"coverage": Label(verdicts=("yes",) * n)} for n in range(6)}
    rows = 0
    for record in records:
        rows += len(retrieval.score(record=record, labels=labels[len(record.question.evidence)]))
        rows += len(answers.score(record=record, labels=correct))
    return rows


def compare(title: str, records: Sequence[QuestionRecord], oracle: int) -> float:
    """Time both sides, check that they agree, print one line; returns how many times faster ours is."""
    part = records[:: max(len(records) // oracle, 1)]
    cases = [plain_case(record) for record in part]
    plain_scores(cases[0])

    start = time.process_time()
    expected = [plain_scores(case) for case in cases]
    plain = (time.process_time() - start) / len(part)

    start = time.process_time()
    found = [fast_scores(record) for record in records]
    fast = time.process_time() - start

    start = time.process_time()
    rows = score_rows(records)
    whole = time.process_time() - start

    for record, wanted in zip(part, expected, strict=True):
        for name, value in fast_scores(record).items():
            if not _agree(value, wanted[name]):
                raise SystemExit(f"{record.sample_id} {record.unit} {name}: {value}, the rewrite says {wanted[name]}")
    ratio = plain * len(found) / fast
    print(
        f"{title}: {len(found):,} questions in {fast:.2f} s of CPU, {ratio:.1f} times faster than the rewrite "
        f"({plain * 1e6:.0f} us a question on {len(part):,}); equal to 1e-12; all {rows:,} rows in {whole:.2f} s"
    )
    return ratio


def _agree(value: float | None, wanted: float | None) -> bool:
    return value == wanted or (value is not None and wanted is not None and abs(value - wanted) <= 1e-12)


def main() -> None:
    """Print a line for texts that come again and a line for texts that are all different."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--questions", type=int, default=24_000)
    parser.add_argument("--oracle", type=int, default=600, help="questions on which the rewrite is timed")
    arguments = parser.parse_args()
    for title, repeated in (("scoring, 60 texts a sample", True), ("scoring, all texts different", False)):
        compare(title, build(arguments.questions, repeated=repeated), arguments.oracle)


if __name__ == "__main__":
    main()
