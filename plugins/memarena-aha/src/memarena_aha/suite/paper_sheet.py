"""The paper's own score card as a table."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_aha.suite.published import PaperCard
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.sheets import WITHHELD, Sheet, named, shown
from memarena_aha.suite.statistics import Figure

__all__ = ["PAPER", "on_paper", "our_choices", "paper"]

PAPER: Sequence[tuple[str, str, str]] = (
    ("initial", "Initial", "score"),
    ("post", "Post-Experience", "score"),
    ("lift", "Learning Lift", "points"),
    ("support", "S_sup", "score"),
    ("support_gap", "support gap", "points"),
    ("process_gap", "process gap", "points"),
    ("retention", "retention", "ratio"),
    ("slope", "late−early slope", "cents"),
    ("early_profit", "early profit", "cents"),
    ("profit", "profit", "cents"),
)


def paper(card: RunCard) -> Sheet:
    """The paper's own score card; `*` marks what of it is our choice."""
    rows = []
    notes: dict[str, None] = {}
    for arm in card.arms:
        for one in card.paper[arm.label]:
            told = [on_paper(one, name, kind) if card.holds([one.part]) else WITHHELD for name, _, kind in PAPER]
            rows.append([f"{named(arm.label)}, {one.part}", *told])
            notes.update(dict.fromkeys(f"{one.part}, {text}" for text in our_choices(one)))
    about = "as published (arXiv 2609.05435)" + (f"; * is our choice: {'; '.join(notes)}" if notes else "")
    return Sheet("paper", "The paper's score card", about, ["memory, part", *(title for _, title, _ in PAPER)], rows)


def our_choices(one: PaperCard) -> list[str]:
    """What of the paper's card is our choice, by the name of its column."""
    titles = {name: title for name, title, _ in PAPER}
    return [f"{titles[name]}: {text}" for name, text in one.ours.items()]


def on_paper(one: PaperCard, name: str, kind: str) -> str:
    figure: Figure = getattr(one, name)
    told = _dollars(figure) if kind == "cents" else shown(figure, kind)
    return f"{told} *" if name in one.ours and told != "–" else told


def _dollars(figure: Figure) -> str:
    return "–" if figure.value is None else f"{figure.value / 100:,.2f}"
