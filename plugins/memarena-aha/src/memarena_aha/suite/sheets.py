"""The tables of a run as texts, whole, as the page has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memarena_aha.suite.card import Counts, PartCard
from memarena_aha.suite.contrasts import Contrast
from memarena_aha.suite.controls import CONTROLS, NULL
from memarena_aha.suite.funnel import Funnel, Share
from memarena_aha.suite.published import PUBLISHED
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.statistics import Figure

__all__ = [
    "WITHHELD",
    "Sheet",
    "board",
    "cards",
    "contrasts",
    "details",
    "few_blocks",
    "funnel",
    "interval",
    "named",
    "parted",
    "points",
    "score",
    "share",
    "shown",
    "signed",
]

ALL = "all parts"
WITHHELD = "withheld"
"""Stands for a result of a part in which an empty memory does not score what none does."""


class Sheet(NamedTuple):
    """One table."""

    key: str
    title: str
    about: str
    columns: Sequence[str]
    """The first names the rows."""
    rows: Sequence[Sequence[str]]
    foot: str = ""
    """What to beware of in it."""


def score(figure: Figure) -> str:
    """A score of 0 to 100; why there is none where there is none."""
    return f"{figure.value:.1f}" if figure.value is not None else "–"


def signed(figure: Figure) -> str:
    """A difference in points."""
    if figure.value is None:
        return "–"
    return f"{figure.value:+.1f}" if abs(figure.value) >= 0.05 else "±0.0"


def points(figure: Figure) -> str:
    """A difference in points with its interval."""
    between = interval(figure, signs=True)
    return f"{signed(figure)}{f' ({between})' if between else ''}"


def interval(figure: Figure, *, signs: bool = False) -> str:
    """`12.0 to 17.5`; "" where there is none."""
    if figure.lo is None or figure.hi is None:
        return ""
    form = "{:+.1f}" if signs else "{:.1f}"
    return f"{form.format(figure.lo)} to {form.format(figure.hi)}"


def board(card: RunCard, *, published: bool = False) -> Sheet:
    """The arms by P, with the lift in brackets; parts first, then all of them."""
    parts = card.scores.parts
    several = len(parts) > 1
    rows = []
    for arm in card.arms:
        whole = card.holds(parts)
        cells = [_on_board(arm.parts[part]) if card.holds([part]) else WITHHELD for part in parts]
        if several:
            cells.append(_on_board(arm.aggregate) if whole else WITHHELD)
            cells.append(signed(Figure(value=arm.worst_lift)) if whole else WITHHELD)
        cells.append(interval(arm.aggregate.lift, signs=True) if whole else WITHHELD)
        rows.append([named(arm.label), *cells, _counted(arm.aggregate.counts)])
    if published:
        filler = [""] * (len(parts) - 1 if several else 0)
        for one in PUBLISHED:
            told = f"{_plain(one.post)} ({_plain(one.lift, '+.1f')})"
            cells = [*([""] * bool(several)), *filler, told, *([""] * several)]
            rows.append([f"{one.model} [published]", *cells, "", "all parts; other instances, no memory system"])
    titles = [*parts, *((ALL, "worst lift") if several else ())]
    return Sheet(
        key="board",
        title="Board",
        about="P, in brackets the lift P − B on the same instances; the 95 % interval is that of the lift",
        columns=["memory", *titles, "lift, 95 %", "scored"],
        rows=rows,
        foot=few_blocks([arm.aggregate for arm in card.arms]),
    )


def named(label: str) -> str:
    """A label, and whether it is a control."""
    return f"{label} [control]" if label in CONTROLS else label


def _on_board(card: PartCard) -> str:
    return f"{score(card.p)} ({signed(card.lift)})"


def _plain(value: float | None, form: str = ".1f") -> str:
    return "–" if value is None else format(value, form)


def _counted(counts: Counts) -> str:
    told = [f"{counts.scored} of {counts.planned}"]
    named = {"crashed": counts.crashed, "refused": counts.refused, "excluded": counts.excluded}
    told += [f"{count} {name}" for name, count in named.items() if count]
    if not counts.valid:
        told.append("not valid")
    return ", ".join(told)


_CARD: Sequence[tuple[str, str, str]] = (
    ("b", "B", "score"),
    ("s_sup", "S_sup", "score"),
    ("p", "P", "score"),
    ("p_gold", "P gold", "score"),
    ("lift", "lift P−B", "points"),
    ("over_null", "P−P_null", "points"),
    ("gap_sup", "gap S_sup−P", "points"),
    ("retention", "retention", "ratio"),
    ("capture", "capture", "ratio"),
    ("poison", "poison", "points"),
    ("foreign", "foreign", "points"),
)
_PROCESS: Sequence[tuple[str, str, str]] = (
    ("s_partial", "S_partial", "score"),
    ("s_full", "S_full", "score"),
    ("gap_proc", "gap full−partial", "points"),
    ("retention_proc", "retention partial/full", "ratio"),
)


def cards(card: RunCard) -> Iterator[Sheet]:
    """The score card of each part, and that of all of them."""
    several = [ALL] if len(card.scores.parts) > 1 else []
    for part in [*card.scores.parts, *several]:
        rows = []
        for arm in card.arms:
            one = arm.aggregate if part == ALL else arm.parts[part]
            fields = _CARD if one.gap_proc.value is None or part == ALL else (*_CARD, *_PROCESS)
            rows.append([named(arm.label), *(shown(getattr(one, name), kind) for name, _, kind in fields)])
        wide = max((len(row) for row in rows), default=0) > len(_CARD) + 1
        titles = [title for _, title, _ in ((*_CARD, *_PROCESS) if wide else _CARD)]
        padded = [[*row, *["–"] * (len(titles) + 1 - len(row))] for row in rows]
        if not card.holds(card.scores.parts if part == ALL else [part]):
            padded = [[row[0], *[WITHHELD] * len(titles)] for row in padded]
        shown_of = [arm.aggregate if part == ALL else arm.parts[part] for arm in card.arms]
        about = f"0 to 100, 95 % intervals; P_null − B: {points(shown_of[0].null_gap)}"
        yield Sheet(f"card-{part}", f"Score card: {part}", about, ["memory", *titles], padded, few_blocks(shown_of))


def few_blocks(cards: Sequence[PartCard]) -> str:
    """What to know of the intervals of these cards, where they rest on few blocks."""
    notes = dict.fromkeys(card.lift.note for card in cards if card.lift.value is not None and card.lift.note)
    return "; ".join(f"intervals rest on {note}" if note.startswith("only") else note for note in notes)


def shown(figure: Figure, kind: str) -> str:
    if figure.value is None:
        return figure.note if figure.note.startswith("n/a") else "–"
    if kind == "points":
        return points(figure)
    between = interval(figure) if kind == "score" else ""
    if kind == "ratio":
        between = f"{figure.lo:.2f} to {figure.hi:.2f}" if figure.lo is not None else ""
        return f"{figure.value:.2f} ({between})"
    return f"{score(figure)} ({between})" if between else score(figure)


def contrasts(card: RunCard) -> Sheet:
    """The declared contrasts with their tests."""
    from memarena_report.terminal import chance

    def row(one: Contrast) -> list[str]:
        parts = "all" if list(one.parts) == card.scores.parts else ", ".join(one.parts)
        told = [points(one.figure), chance(one.p), chance(one.p_holm), _plain(one.detectable)]
        if not card.holds(one.parts):
            told = [WITHHELD] * len(told)
        return [f"{one.left} − {one.right}", *told, f"{one.figure.n} / {one.figure.blocks}", parts]

    return Sheet(
        key="contrasts",
        title="Contrasts",
        about="declared before the run; sign flips over blocks, Holm over those between memory systems",
        columns=["contrast", "points, 95 %", "p", "p (Holm)", "detectable", "pairs / blocks", "parts"],
        rows=[row(one) for one in card.contrasts],
    )


def funnel(card: RunCard, part: str) -> Sheet:
    """Written, kept, retrieved, used: over all lessons of a part first, then lesson by lesson."""
    rows = [_funnel_row(one) for one in card.funnels if one.part == part and not (one.label == NULL and one.lesson)]
    return Sheet(
        key=f"funnel-{part}",
        title=f"Lessons: {part}",
        about="so many of so many; a store whose state is not visible has no written and kept. Credited: used after it "
        "was retrieved, more often than without any memory",
        columns=[
            *("memory, lesson", "written", "kept", "contradicted", "retrieved", "used"),
            *("kept | written", "retrieved | kept", "used | retrieved", "used without", "credited"),
        ],
        rows=rows,
    )


def _funnel_row(one: Funnel) -> list[str]:
    shares = (one.write, one.keep, one.contradict, one.retrieve, one.use)
    given = (one.keep_given_write, one.retrieve_given_keep, one.use_given_retrieve, one.use_without)
    told = "yes" if one.credited else "no"
    return [f"{one.label}, {one.lesson or 'all'}", *map(share, (*shares, *given)), told if one.retrieve.hits else "–"]


def share(share: Share) -> str:
    return f"{share.hits}/{share.of}" if share.of else "–"


def endings(card: RunCard) -> Sheet:
    """How evaluations ended, and what the memories' calls came to."""
    rows = []
    for arm in card.arms:
        for part, one in arm.parts.items():
            counts = one.counts
            ended = ", ".join(f"{name} {count}" for name, count in counts.endings.items())
            calls = f"{counts.memory_errors:,} of {counts.memory_calls:,}"
            asked = f"{counts.memory_unanswered:,} of {counts.memory_asked:,}"
            cut = f"{counts.cut:,} of {counts.decisions:,}"
            row = [
                f"{named(arm.label)}, {part}",
                _counted(counts),
                ended or "–",
                calls,
                asked,
                cut,
                str(counts.leaked),
            ]
            rows.append(row)
    columns = ["memory, part", "evaluations", "ended", "memory errors", "in retrieve", "block cut", "store changed"]
    return Sheet("endings", "How it ended", "of the evaluations after the plan", columns, rows)


def facets(card: RunCard) -> Sheet:
    """P and lift by what the parts break their pairs down; exploratory."""
    rows = [
        [one.label, one.part, f"{one.facet} = {one.value}", score(one.p), points(one.lift), str(one.lift.n)]
        for one in card.facets
        if card.holds([one.part])
    ]
    return Sheet("facets", "Breakdowns", "exploratory", ["memory", "part", "where", "P", "lift, 95 %", "pairs"], rows)


def details(card: RunCard) -> list[Sheet]:
    """What stands below the cards: how it ended, the figures of the parts, breakdowns."""
    from memarena_aha.suite.figures import costs, raw_figures, spreads

    return [endings(card), spreads(card), *raw_figures(card), *costs(card), facets(card)]


def parted(cell: str) -> tuple[str, str]:
    """A number, and the interval that stands below it; "" where there is none."""
    head, found, rest = cell.partition(" (")
    return (head, f"({rest}") if found and " to " in cell else (cell, "")
