"""All that a run comes to: cards of its arms, contrasts, funnels, curves, the paper's card, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from memarena import codec
from memarena.journal import CellStarted
from memarena.records import Record
from memarena.store import RunStore
from memarena_aha.suite.card import ArmCard, Scores, arm_card, misled
from memarena_aha.suite.conditions import COLD
from memarena_aha.suite.contrasts import Contrast, contrasts_of, near_and_far
from memarena_aha.suite.controls import BASELINE, CONTROLS
from memarena_aha.suite.funnel import CurvePoint, Funnel, forgetting, funnels
from memarena_aha.suite.published import PUBLISHED, PaperCard, paper_card
from memarena_aha.suite.results import Results
from memarena_aha.suite.statistics import Figure, Values, mean

__all__ = ["Facet", "RunCard"]

_MOST_VALUES = 12


class Facet(Record, frozen=True, kw_only=True):
    """P and lift of one arm, over the pairs of one part that have a facet's value."""

    label: str
    part: str
    facet: str
    value: str
    p: Figure
    lift: Figure


class RunCard:
    """What is asked of a run folder of the suite; everything is computed when it is first asked."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self.results = Results(store)
        self.scores = Scores(self.results)
        self.header: Mapping[str, Any] = store.header

    @property
    def labels(self) -> list[str]:
        """The arms that have a memory (be it none), as the run lists them."""
        return [label for label in self.results.labels if label != BASELINE]

    @property
    def tested(self) -> list[str]:
        """Those that are no control."""
        return [label for label in self.labels if label not in CONTROLS]

    @cached_property
    def arms(self) -> list[ArmCard]:
        """The cards, the highest P first."""
        cards = [arm_card(self.scores, label) for label in self.labels]
        return sorted(cards, key=lambda card: -(-1.0 if (p := card.aggregate.p.value) is None else p))

    @cached_property
    def contrasts(self) -> list[Contrast]:
        return contrasts_of(self.scores)

    @cached_property
    def funnels(self) -> list[Funnel]:
        return [one for label in self.labels for one in funnels(self.scores, label)]

    @cached_property
    def curves(self) -> list[CurvePoint]:
        return [one for label in self.labels for one in forgetting(self.scores, label)]

    @cached_property
    def paper(self) -> dict[str, list[PaperCard]]:
        """By arm."""
        return {label: [paper_card(self.scores, label, part) for part in self.scores.parts] for label in self.labels}

    @cached_property
    def facets(self) -> list[Facet]:
        """By what the parts break their pairs down: exploratory."""
        return [one for label in self.labels for part in self.scores.parts for one in self._facets(label, part)]

    def _facets(self, label: str, part: str) -> list[Facet]:
        pairs = {pair_id: pair for pair_id, pair in self.results.pairs.items() if pair.part == part}
        values = self.scores.of(label, "", [part])
        lifts = values.minus(self.scores.of(BASELINE, COLD, [part]))
        found: list[Facet] = []
        for facet in dict.fromkeys(name for pair in pairs.values() for name in pair.facets):
            kinds = sorted({str(pair.facets[facet]) for pair in pairs.values() if facet in pair.facets})
            if 1 < len(kinds) <= _MOST_VALUES:
                for kind in kinds:
                    own = {one for one, pair in pairs.items() if str(pair.facets.get(facet)) == kind}
                    p, lift = (mean(_only(each, own)) for each in (values, lifts))
                    found.append(Facet(label=label, part=part, facet=facet, value=kind, p=p, lift=lift))
        return found

    @cached_property
    def warnings(self) -> list[str]:
        """What a reader must know before the numbers."""
        found = [*self._withheld(), *self._invalid(), *self._remarks()]
        found += self._broken_off()
        lost = [cell for cell in self.results.cells if cell.status != "done"]
        if lost:
            found.append(f"{len(lost)} of {len(self.results.cells)} cells are not done; the first: {lost[0].cell_id}")
        broken = [part for part in self.scores.parts if any(card.parts[part].counts.excluded for card in self.arms)]
        found += [f"{part}: the simulator failed twice in one condition: the part is not valid" for part in broken]
        return found

    def _broken_off(self) -> Iterator[str]:
        """Arms in which the agent died, ran out of time or refused: their scores are those of what was left."""
        for arm in self.arms:
            for part, one in arm.parts.items():
                counts = one.counts
                if counts.crashed or counts.refused:
                    ended = f"{counts.crashed} by a crash or timeout, {counts.refused} by a refusal of the agent"
                    yield f"{arm.label}, {part}: of {counts.planned} evaluations ended {ended}"

    def _remarks(self) -> Iterator[str]:
        """What is to be known of the agent, what systems say of themselves, and what is not measured of them here."""
        agent = self.header["plugins"]["agent"]
        if agent.get("held_by") == "none":
            yield f"the agent {agent['name']}: nothing held it: what it read outside of its folder is not known"
        for label in self.tested:
            cell = next((cell for cell in self.results.cells if (cell.label, cell.status) == (label, "done")), None)
            started = next(self.store.entries(cell.cell_id), None) if cell is not None else None
            if isinstance(started, CellStarted) and started.capabilities is not None:
                yield from (f"{label}: {remark}" for remark in started.capabilities.remarks)
                if started.capabilities.answers:
                    yield f"{label}: answers by itself; only what it retrieves reaches the agent here"

    def _withheld(self) -> list[str]:
        if not self.arms:
            return []
        parts = self.arms[0].parts
        return [
            f"{part}: P_null - B is {card.null_gap.value:+.1f}, and its interval does not cover 0: results are withheld"
            for part, card in parts.items()
            if card.withheld
        ]

    def _invalid(self) -> list[str]:
        found = []
        for card in self.arms:
            counts = card.aggregate.counts
            if not counts.valid:
                why = f"{card.label}: {counts.broken} failed: the arm is not valid"
                found.append(f"{why} (the first: {self._problem(card.label)})")
            unseen, looked = counts.unseen
            if unseen:
                why = f"{card.label}: {unseen} of {looked} calls that show its state failed"
                found.append(
                    f"{why}: what it wrote and kept is not known there (the first: {self._problem(card.label)})"
                )
            if counts.leaked:
                found.append(f"{card.label}: {counts.leaked} evaluations changed the store that they only read")
        return found

    def _problem(self, label: str) -> str:
        """Why the first call to the memory of an arm failed."""
        lines = (
            one.line for (name, *_), found in self.results.by_cell.items() if name == label for one in found.values()
        )
        return next((line.memory_problem for line in lines if line.memory_problem), "not known")

    @property
    def withheld(self) -> frozenset[str]:
        """Parts whose results are withheld: the noise check failed."""
        return frozenset(part for part, card in (self.arms[0].parts if self.arms else {}).items() if card.withheld)

    def holds(self, parts: Iterable[str]) -> bool:
        """Whether results that rest on `parts` may be shown: those of none of them are withheld."""
        return self.withheld.isdisjoint(parts)

    def as_object(self) -> dict[str, Any]:
        """The score card as JSON: no paths, no times."""
        header = self.header
        return {
            "suite_version": header["plugins"]["suite"],
            "parts_versions": header["data"]["parts"],
            "agent": header["plugins"]["agent"],
            "models": header["models"],
            "settings": header["settings"],
            "warnings": self.warnings,
            "arms": [self._arm(card) for card in self.arms],
            "contrasts": self.contrasts,
            "false_lesson_alone": {part: misled(self.scores, [part]) for part in self.scores.parts},
            "funnels": self.funnels,
            "forgetting": self.curves,
            "facets": self.facets,
            "paper": self.paper,
        }

    def _arm(self, card: ArmCard) -> dict[str, Any]:
        near = near_and_far(self.scores, card.label)
        return {
            "memory": card.label,
            "control": card.label in CONTROLS,
            "parts": {part: codec.plain(one) for part, one in card.parts.items()},
            "transfer": None if near is None else {"near": near[0], "far": near[1]},
            "aggregate": card.aggregate,
            "worst_lift": card.worst_lift,
        }

    def published(self) -> Sequence[Mapping[str, Any]]:
        """The paper's panel, to be laid beside."""
        return [one._asdict() for one in PUBLISHED]


def _only(values: Values, pairs: set[str]) -> Values:
    return Values({pair: value for pair, value in values.by_pair.items() if pair in pairs}, values.places)
