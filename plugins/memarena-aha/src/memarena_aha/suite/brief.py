"""The tables of a run that a terminal has room for: a row a memory, and no more numbers than a reader takes in.

Everything else (each interval, each lesson, breakdowns, costs) is on the page and in the score card as JSON.
"""

from __future__ import annotations

from collections import Counter

from memarena_aha.suite.card import PartCard
from memarena_aha.suite.controls import NULL
from memarena_aha.suite.funnel import Funnel
from memarena_aha.suite.paper_sheet import PAPER, on_paper, our_choices
from memarena_aha.suite.published import NOT_HERE
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.sheets import (
    WITHHELD,
    Sheet,
    board,
    contrasts,
    few_blocks,
    points,
    score,
    share,
    shown,
    signed,
)

__all__ = ["losses", "scores"]

_SHARES = ("write", "keep", "retrieve", "use")


def losses(card: RunCard) -> list[Sheet]:
    """Where it is lost: the board, a card and a funnel a part, the contrasts between systems."""
    found = [board(card)]
    for part in card.scores.parts:
        found += [_card(card, part), _funnel(card, part)]
    return [sheet for sheet in (*found, _between(card)) if sheet.rows]


def scores(card: RunCard, *, published: bool = False) -> list[Sheet]:
    """The scores: the board, with the published figures beside it where that is asked, a card a part, the paper's."""
    found = [board(card, published=published)]
    found += [_card(card, part) for part in card.scores.parts]
    found += [_paper(card, part) for part in card.scores.parts]
    return [sheet for sheet in found if sheet.rows]


def _card(card: RunCard, part: str) -> Sheet:
    """What differs from memory to memory; what is the same for all of them stands above."""
    rows = []
    for arm in card.arms:
        one = arm.parts[part]
        own = [points(one.lift), _ratio(one, "retention"), _ratio(one, "capture"), signed(one.poison)]
        rows.append([arm.label, score(one.p), *own, signed(one.foreign)])
    titles = ["memory", "P", "lift P−B, 95 %", "retention", "capture", "poison", "foreign"]
    if not card.holds([part]):
        rows = [[row[0], WITHHELD, WITHHELD, *["–"] * 4] for row in rows]
    told = [place for place in range(len(titles)) if place < 3 or any(row[place] not in ("–", "n/a") for row in rows)]
    common = card.arms[0].parts[part] if card.arms else None
    return Sheet(
        key=f"card-{part}",
        title=f"Score card: {part}",
        about=_of_all(common) if common is not None else "",
        columns=[titles[place] for place in told],
        rows=[[row[place] for place in told] for row in rows],
        foot="\n".join(filter(None, (few_blocks([arm.parts[part] for arm in card.arms]), _ended(card, part)))),
    )


def _ended(card: RunCard, part: str) -> str:
    """How the evaluations of all memories ended."""
    endings: Counter[str] = Counter()
    for arm in card.arms:
        endings.update(arm.parts[part].counts.endings)
    told = ", ".join(f"{name} {count}" for name, count in sorted(endings.items()))
    return f"evaluations ended: {told}" if told else ""


def _of_all(one: PartCard) -> str:
    """The scores without a memory, with their intervals, and whether nothing leaks."""
    named = {"B": one.b, "S_sup": one.s_sup, "P gold": one.p_gold}
    scores = [f"{name} {shown(figure, 'score')}" for name, figure in named.items() if figure.value is not None]
    return "; ".join([*scores, f"P_null − B {points(one.null_gap)}"])


def _ratio(one: PartCard, name: str) -> str:
    figure = getattr(one, name)
    return f"{figure.value:.2f}" if figure.value is not None else "n/a" if figure.note.startswith("n/a") else "–"


def _funnel(card: RunCard, part: str) -> Sheet:
    """Over all lessons of a part, a row a memory; and at how many decisions the memory gave too much."""
    wholes = {one.label: one for one in card.funnels if one.part == part and not one.lesson}
    without = wholes.get(NULL)
    rows = []
    for arm in card.arms:
        if arm.label != NULL and arm.label in wholes:
            counts = arm.parts[part].counts
            rows.append([arm.label, *_stages(wholes[arm.label]), f"{counts.cut:,}/{counts.decisions:,}"])
    anyway = f"; without a memory {share(without.use)} are used" if without is not None else ""
    return Sheet(
        key=f"funnel-{part}",
        title=f"Lessons: {part}",
        about=f"of all its lessons{anyway}; cut: decisions at which the memory gave more than the budget holds",
        columns=["memory", "written", "kept", "retrieved", "used", "credited", "cut"],
        rows=rows,
    )


def _stages(one: Funnel) -> list[str]:
    credited = ("yes" if one.credited else "no") if one.retrieve.hits else "–"
    return [*(share(getattr(one, name)) for name in _SHARES), credited]


def _between(card: RunCard) -> Sheet:
    """The contrasts with a memory on either side; the lift over B is on the cards."""
    sheet = contrasts(card)
    tests = [place for place, one in enumerate(card.contrasts) if one.p_holm is not None or one.right in card.labels]
    columns = [sheet.columns.index(title) for title in ("contrast", "points, 95 %", "p", "p (Holm)")]
    figures = [card.contrasts[place].figure for place in tests]
    sizes = dict.fromkeys(f"{_many(one.n, 'pair')}, {_many(one.blocks, 'block')}" for one in figures)
    return sheet._replace(
        about=f"{' or '.join(sizes)}; {sheet.about}",
        columns=[sheet.columns[place] for place in columns],
        rows=[[sheet.rows[test][place] for place in columns] for test in tests],
    )


def _many(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _paper(card: RunCard, part: str) -> Sheet:
    """The paper's own card of the systems under test, with what is defined in this part; `*` marks our choices."""
    cards = {label: one for label in card.tested or card.labels for one in card.paper[label] if one.part == part}
    told = [row for row in PAPER if any(getattr(one, row[0]).note != NOT_HERE.note for one in cards.values())]
    rows = [[label, *(_starred(on_paper(one, name, kind)) for name, _, kind in told)] for label, one in cards.items()]
    if not card.holds([part]):
        rows = [[row[0], *[WITHHELD] * len(told)] for row in rows]
    ours = dict.fromkeys(text for one in cards.values() for text in our_choices(one))
    return Sheet(
        key=f"paper-{part}",
        title=f"The paper's score card: {part}",
        about="as published (arXiv 2609.05435)",
        columns=["memory", *(title for _, title, _ in told)],
        rows=rows,
        foot=f"* is our choice: {'; '.join(ours)}" if ours else "",
    )


def _starred(cell: str) -> str:
    """A number of the paper's card without its interval, or without the reason why there is none."""
    star = " *" if cell.endswith(" *") else ""
    return f"{cell.removesuffix(' *').partition(' (')[0]}{star}"
