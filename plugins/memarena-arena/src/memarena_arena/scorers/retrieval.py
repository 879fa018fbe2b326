"""Stage 3: what was retrieved for each question (paper, eq. 9-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memarena import hookimpl
from memarena.records import (
    Evidence,
    JudgementRequest,
    Label,
    Metric,
    QuestionRecord,
    RetrievedItem,
    SampleRecord,
    ShownItem,
    Stat,
)
from memarena_arena.metrics import units
from memarena_arena.metrics.ranking import Comparison, Matched
from memarena_arena.metrics.units import Ratio
from memarena_arena.scorers import evidence, facets, verdicts
from memarena_arena.scorers.measures import BUDGETS, KS, measures, release_sources
from memarena_arena.scorers.polluted import Pollution
from memarena_arena.scorers.rows import AnyRecord, Better, Rows


def _share(title: str, about: str, better: Better = "high") -> Metric:
    return Metric(title=title, stage="retrieve", better=better, about=about)


METRICS: Mapping[str, Metric] = {
    "rc": _share("RC", "Evidence points that the whole list supports, as a judge reads it (paper, eq. 9)."),
    **{f"recall@{k}": _share(f"Recall@{k}", f"Evidence among the first {k} items (paper, eq. 10).") for k in KS},
    **{f"ndcg@{k}": _share(f"NDCG@{k}", f"Discounted gain of the first {k} items (paper, eq. 11-14).") for k in KS},
    **{f"hit@{k}": _share(f"Hit@{k}", f"Questions with any evidence among the first {k} items.") for k in KS},
    "mrr": _share("MRR", "1 / rank of the first item that matches evidence."),
    "precision@10": _share("Precision@10", "Items among the first 10 asked for that match evidence."),
    **{f"recall@{n}t": _share(f"Recall@{n}t", f"Evidence in the items that fit in {n} tokens.") for n in BUDGETS},
    "empty_retrieval": _share("Empty", "Questions for which nothing was retrieved.", "low"),
    "short_retrieval": _share("Short", "Questions for which fewer items came than were asked for.", "neither"),
    "duplicates": _share("Duplicates", "Items that repeat an earlier item of the list.", "low"),
    "stale": _share("Stale", "Items that hold a fact which an update had replaced.", "low"),
    "interference": _share("Interference", "Items that hold an interference point.", "low"),
    "returned": Metric(title="Items", stage="retrieve", better="neither", unit="items", about="Items retrieved."),
    "shown_tokens": Metric(
        title="Tokens shown", stage="retrieve", better="low", unit="tokens", about="Tokens handed to the answerer."
    ),
}


COVERAGE = "coverage"
"""The judgement of the first set of evidence; those of further ones have their number behind it."""


class RetrievalScorer:
    """Ranking scores by rule and RC by a judge, a row a question.

    A system that gives one bundle is not ranked; one whose state is unseen too is scored on its answers only. Where a
    system rewrites, words tell neither evidence nor stale facts: `strict` then needs turns that both sides name, which
    the whole sample shows, and the stale share is not measured. Where several sets of evidence are enough, each score
    is that of the set for which it is highest.
    """

    name = "retrieval"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """RC needs a judge where there is a list and evidence with a content."""
        if not isinstance(record, QuestionRecord) or not _has_coverage(record):
            return {}
        listed = record.retrieval.items
        if not says_something(listed):
            return {}
        return {name: coverage_request(record, listed, points) for name, points in _sets(record) if points}

    @hookimpl
    def score(self, record: AnyRecord, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        """The rows of a question; of a sample, those that only the whole history can tell."""
        if isinstance(record, SampleRecord):
            return self._sample_rows(record)
        if not isinstance(record, QuestionRecord):
            return ()
        rows = Rows(record, self, facets.of_question(record))
        if _has_coverage(record):
            _coverage_rows(rows, record, labels)
        if record.capabilities.ranked:
            _list_rows(rows, record)
            _ranking_rows(rows, record)
        if not record.capabilities.answers:
            rows.add("shown_tokens", Ratio(float(record.shown.tokens), 1.0))
        return rows.stats

    def _sample_rows(self, record: SampleRecord) -> Sequence[Stat]:
        stats: list[Stat] = []
        if not record.capabilities.ranked:
            return stats
        if _rewrites(record):
            for question in record.questions if _turns_are_known(record) else ():
                stats += self._strict_rows(question)
            return stats
        pollution = Pollution(record.sample)
        for question in record.questions:
            rows = Rows(question, self, facets.of_question(question))
            stale, interference = pollution.shares(question.retrieval.items, question.session_index)
            rows.add("stale", stale)
            rows.add("interference", interference)
            stats += rows.stats
        return stats

    def _strict_rows(self, record: QuestionRecord) -> Sequence[Stat]:
        rows = Rows(record, self, facets.of_question(record))
        if record.question.evidence:
            read = ([Comparison(record.retrieval.items, some).read("strict")] for some in record.question.evidence_sets)
            (strict,) = _best_measures([measures(each, record) for each in read])
            for metric, ratio in strict.items():
                rows.add(metric, ratio, "strict")
        return rows.stats


def _has_coverage(record: QuestionRecord) -> bool:
    return record.capabilities.ranked or record.capabilities.state


def says_something(items: Sequence[RetrievedItem | ShownItem]) -> bool:
    """Whether any of `items` has a text or a picture."""
    return any(item.text.strip() or item.image_id for item in items)


def _sets(record: QuestionRecord) -> Iterator[tuple[str, Sequence[Evidence]]]:
    """Of each set of evidence the points that can be judged, with the name of their judgement."""
    for number, points in enumerate(record.question.evidence_sets):
        yield f"{COVERAGE} {number}" if number else COVERAGE, evidence.with_content(points)


def coverage_request(
    record: QuestionRecord, items: Sequence[RetrievedItem | ShownItem], points: Sequence[Evidence]
) -> JudgementRequest:
    """Asks which of the evidence points `items` support."""
    return JudgementRequest(
        task="coverage",
        question=record.question.text,
        items=tuple([item.text for item in items]),
        item_images=_images([item.image_id for item in items]),
        points=tuple([point.content or "" for point in points]),
        point_images=_images([point.image_id for point in points]),
        point_captions=_images([point.caption for point in points]),
    )


def _images(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names) if any(names) else ()


def _rewrites(record: QuestionRecord | SampleRecord) -> bool:
    return record.capabilities.verbatim is False


def _turns_are_known(record: SampleRecord) -> bool:
    """Whether the system names turns of origin and the data name turns of evidence: else `strict` measures nothing."""
    named = any(item.turn_ids for question in record.questions for item in question.retrieval.items)
    return named and any(point.turn_ids for question in record.questions for point in question.question.evidence)


def _coverage_rows(rows: Rows, record: QuestionRecord, labels: Mapping[str, Label | None]) -> None:
    found = []
    for points, (name, judged) in zip(record.question.evidence_sets, _sets(record), strict=True):
        covered: int | None = 0
        if judged and says_something(record.retrieval.items):
            read = verdicts.read(labels, name, len(judged), ("yes", "no"))
            covered = None if None in read else read.count("yes")
        found.append(
            (
                units.coverage(covered, len(points), "paper"),
                units.coverage(covered, len(points), "release", resolved=len(judged)),
                units.coverage(covered, len(points), "strict"),
            )
        )
    rows.add_variants("rc", *(units.best(ratios) for ratios in zip(*found, strict=True)))


def _list_rows(rows: Rows, record: QuestionRecord) -> None:
    items = record.retrieval.items
    rows.add("returned", Ratio(float(len(items)), 1.0))
    rows.add("empty_retrieval", Ratio(float(not items), 1.0))
    rows.add("short_retrieval", Ratio(float(len(items) < record.top_k), 1.0))
    if items:
        rows.add("duplicates", Ratio(float(_repeats(items)), float(len(items))))


def _repeats(items: Sequence[RetrievedItem]) -> int:
    """How many items have the memory id or the text of an earlier one."""
    ids: set[str] = set()
    texts: set[str] = set()
    repeats = 0
    for item in items:
        text = item.text.strip()
        if (item.memory_id and item.memory_id in ids) or (text and text in texts):
            repeats += 1
        ids.add(item.memory_id)
        texts.add(text)
    return repeats


def _ranking_rows(rows: Rows, record: QuestionRecord) -> None:
    if not record.question.evidence:
        nothing = Ratio(0.0, 1.0)
        for k in KS:
            rows.add_variants(f"recall@{k}", nothing, nothing, None)
            rows.add_variants(f"ndcg@{k}", nothing, nothing, None)
        return
    found = [measures(_readings(record, points), record) for points in record.question.evidence_sets]
    paper, release, *strict = _best_measures(found)
    for metric, ratio in paper.items():
        rows.add_variants(metric, ratio, release[metric], strict[0][metric] if strict else None)


def _readings(record: QuestionRecord, points: Sequence[Evidence]) -> list[Matched]:
    """The list as each variant reads it, for one set of evidence."""
    comparison = Comparison(record.retrieval.items, points)
    read = [
        comparison.read("paper", record.sources),
        comparison.read("release", release_sources(record, comparison)),
    ]
    return read if _rewrites(record) else [*read, comparison.read("strict")]


def _best_measures(found: Sequence[Sequence[Mapping[str, Ratio]]]) -> Sequence[Mapping[str, Ratio]]:
    """By variant the measures of several sets of evidence, each measure the highest; `found`: by set, by variant."""
    if len(found) == 1:
        return found[0]
    return [
        {metric: units.highest([each[metric] for each in same]) for metric in same[0]}
        for same in zip(*found, strict=True)
    ]
