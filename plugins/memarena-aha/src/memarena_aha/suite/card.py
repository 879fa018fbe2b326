"""The score card of one arm, ours: lift, gaps, retention, capture, and how episodes ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memarena.records import Record
from memarena_aha.suite.conditions import COLD, FOREIGN, GOLD, MISLED, POISONED, SUPPORTED
from memarena_aha.suite.controls import BASELINE, NULL
from memarena_aha.suite.lines import TALLIED
from memarena_aha.suite.results import Results
from memarena_aha.suite.rules import MEMORY_ERRORS
from memarena_aha.suite.statistics import Figure, Values, mean, ratio

__all__ = ["ArmCard", "Counts", "PartCard", "Scores", "arm_card"]


class Counts(Record, frozen=True, kw_only=True):
    """What a mean rests on."""

    planned: int = 0
    """Evaluations."""
    scored: int = 0
    crashed: int = 0
    """Of these, those in which the agent died or ran out of time."""
    refused: int = 0
    excluded: int = 0
    """Faults of the simulator."""
    endings: Mapping[str, int] = {}
    memory_calls: int = 0
    memory_errors: int = 0
    memory_asked: int = 0
    """Of the calls, those to `retrieve`."""
    memory_unanswered: int = 0
    memory_told: int = 0
    """Of the calls, those that it is to learn from."""
    memory_unheard: int = 0
    leaked: int = 0
    """Evaluations that changed the store."""
    decisions: int = 0
    """Of the evaluations."""
    cut: int = 0
    """Of these, those at which the memory gave more than the budget holds."""

    @property
    def valid(self) -> bool:
        """At most a tenth of the memory's retrievals failed, and at most a tenth of the calls that it learns from."""
        return not self.broken

    @property
    def broken(self) -> str:
        """Of which calls more than a tenth failed, e.g. `100 % of its retrievals`; "" where the memory is valid."""
        kinds = {
            "its retrievals": (self.memory_unanswered, self.memory_asked),
            "the calls that it learns from": (self.memory_unheard, self.memory_told),
        }
        over = {name: pair for name, pair in kinds.items() if pair[0] > MEMORY_ERRORS * pair[1]}
        return " and ".join(f"{100 * failed / calls:.0f} % of {name}" for name, (failed, calls) in over.items())

    @property
    def unseen(self) -> tuple[int, int]:
        """Calls that show its state (snapshots, changes) and failed, and all of them: they cost it no score."""
        failed = self.memory_errors - self.memory_unanswered - self.memory_unheard
        return failed, self.memory_calls - self.memory_asked - self.memory_told


class PartCard(Record, frozen=True, kw_only=True):
    """One arm in one part, or in all of them; scores are 0 to 100."""

    b: Figure
    s_sup: Figure
    p: Figure
    p_null: Figure
    p_gold: Figure
    lift: Figure
    """P - B."""
    over_null: Figure
    """P - P_null: what the memory is to be credited with."""
    null_gap: Figure
    """P_null - B: noise and leaks; its interval is to cover 0."""
    gap_sup: Figure
    """S_sup - P."""
    retention: Figure
    """(P - B) / (S_sup - B), ratio of means."""
    capture: Figure
    """(P - P_null) / (P_gold - P_null), ratio of means."""
    poison: Figure
    """P with one false lesson more - P."""
    foreign: Figure
    """P after experience of something else - B."""
    s_full: Figure = Figure()
    s_partial: Figure = Figure()
    gap_proc: Figure = Figure()
    """S_full - S_partial."""
    retention_proc: Figure = Figure()
    """(S_partial - B) / (S_full - B), ratio of means."""
    counts: Counts = Counts()

    @property
    def withheld(self) -> bool:
        """The noise check failed: P_null - B has an interval that does not cover 0."""
        gap = self.null_gap
        return gap.lo is not None and gap.hi is not None and not gap.lo <= 1e-9 <= gap.hi + 2e-9


class ArmCard(Record, frozen=True, kw_only=True):
    """One arm."""

    label: str
    parts: Mapping[str, PartCard]
    aggregate: PartCard
    """Unweighted mean of the parts."""

    @property
    def worst_lift(self) -> float | None:
        """The smallest lift of a part."""
        found = [card.lift.value for card in self.parts.values() if card.lift.value is not None]
        return min(found, default=None)


class Scores:
    """The scores of a run as values a pair, repeats averaged."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.places = {pair_id: (pair.part, pair.block) for pair_id, pair in results.pairs.items()}
        self.parts = list(dict.fromkeys(part for part, _ in self.places.values()))

    def of(self, label: str, condition: str, parts: Sequence[str] | None = None) -> Values:
        """The scores of one arm under one condition; "": after the plan of the headline, which each part names."""
        found: dict[str, float] = {}
        for pair_id, pair in self.results.pairs.items():
            if parts is not None and pair.part not in parts:
                continue
            name = condition or pair.headline
            seen = [self.results.outcome(label, pair_id, repeat, name) for repeat in self.results.repeats]
            scores = [one.line.score for one in seen if one is not None]
            if scores:
                found[pair_id] = sum(scores) / len(scores)
        return Values(found, self.places)


def arm_card(scores: Scores, label: str) -> ArmCard:
    """The card of one arm with a memory."""
    parts = {part: _card(scores, label, [part]) for part in scores.parts}
    return ArmCard(label=label, parts=parts, aggregate=_card(scores, label, scores.parts))


def _card(scores: Scores, label: str, parts: Sequence[str]) -> PartCard:
    b, s_sup, gold = (scores.of(BASELINE, name, parts) for name in (COLD, SUPPORTED, GOLD))
    p, null = scores.of(label, "", parts), scores.of(NULL, "", parts)
    full, partial = scores.of(label, "full", parts), scores.of(label, "partial", parts)
    processed = bool(full.by_pair and partial.by_pair)

    def over(values: Values, nothing: str = "not measured") -> Figure:
        """A mean over all of `parts`: one that some part cannot give is none."""
        lacking = set(parts) - {scores.places[pair][0] for pair in values.by_pair}
        some = lacking and values.by_pair
        return Figure(note=f"not in {', '.join(sorted(lacking))}") if some else mean(values, nothing=nothing)

    return PartCard(
        b=over(b),
        s_sup=over(s_sup, "no such score here"),
        p=over(p),
        p_null=over(null, "no null arm"),
        p_gold=over(gold, "no gold lesson here"),
        lift=over(p.minus(b)),
        over_null=over(p.minus(null), "no null arm"),
        null_gap=over(null.minus(b), "no null arm"),
        gap_sup=over(s_sup.minus(p), "no such score here"),
        retention=ratio(p.minus(b), s_sup.minus(b)),
        capture=ratio(p.minus(null), gold.minus(null), nothing="no usable gain"),
        poison=over(scores.of(label, POISONED, parts).minus(p), "no false lesson here"),
        foreign=over(scores.of(label, FOREIGN, parts).minus(b), "no foreign experience here"),
        s_full=mean(full) if processed else Figure(),
        s_partial=mean(partial) if processed else Figure(),
        gap_proc=mean(full.minus(partial)) if processed else Figure(),
        retention_proc=ratio(partial.minus(b), full.minus(b)) if processed else Figure(),
        counts=_counts(scores.results, label, parts),
    )


def misled(scores: Scores, parts: Sequence[str]) -> Figure:
    """What nothing but the false lesson does: its score - B."""
    return mean(scores.of(BASELINE, MISLED, parts).minus(scores.of(BASELINE, COLD, parts)))


_MEMORY = tuple(f"memory_{name}" for name in TALLIED)


def _counts(results: Results, label: str, parts: Sequence[str]) -> Counts:
    """Over the evaluations of the headline; the memory's errors are over all conditions."""
    planned = scored = excluded = leaked = decisions = cut = 0
    memory: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for pair_id, pair in results.pairs.items():
        if pair.part not in parts:
            continue
        for repeat in results.repeats:
            planned += 1
            found = results.by_cell.get((label, pair_id, repeat), {})
            for one in found.values():
                memory.update({name: getattr(one.line, name) for name in _MEMORY})
            leaked += sum(one.line.leaked for one in found.values())
            headline = found.get(pair.headline)
            if headline is not None and headline.line.excluded:
                excluded += 1
            elif headline is not None:
                scored += 1
                decisions += headline.line.steps
                cut += headline.line.cut
                endings[headline.line.ended] += 1
    return Counts(
        planned=planned,
        scored=scored,
        crashed=endings["crash"] + endings["timeout"],
        refused=endings["refusal"],
        excluded=excluded,
        endings=dict(sorted(endings.items())),
        **{name: memory[name] for name in _MEMORY},
        leaked=leaked,
        decisions=decisions,
        cut=cut,
    )
