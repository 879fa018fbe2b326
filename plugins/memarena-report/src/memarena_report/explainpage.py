"""What became of one question, as a page in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from memarena.explanations import EvidenceStory, Explanation, ListedItem
from memarena_report.matching import text_of
from memarena_report.questions import Found, Untold

if TYPE_CHECKING:
    from rich.console import RenderableType

CLIP = 240
"""Characters of a memory or a turn that are shown; a longer one says how long it was."""

STAGES: Mapping[str | None, str] = {
    "": "nothing was lost",
    "write": "never written",
    "maintain": "not maintained",
    "retrieve": "not retrieved",
    "unseen": "lost at or before retrieval: the state of the system is not visible",
    "show": "retrieved, not shown",
    "use": "shown, not used",
    "made up": "made up: there is no answer in the sessions",
    None: "where it was lost cannot be said",
}
_UNSAFE = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
} | {ord("\n"): "\n", ord("\t"): " "}


def page(found: Found, told: Sequence[Explanation | Untold]) -> Iterator[RenderableType]:
    """The question and its evidence, then the way of each system."""
    yield from _question(found, next((one for one in told if isinstance(one, Explanation)), None))
    for one in told:
        yield ""
        if isinstance(one, Untold):
            yield _line(one.label, bold=True)
            yield _line(f"{one.why}", indent=2, style="yellow")
        else:
            yield from _system(one)


def _question(found: Found, told: Explanation | None) -> Iterator[RenderableType]:
    question = found.question
    kind = question.type if question.type != "UNKNOWN" else question.raw_type
    asked = f"asked after session {found.sessions} of {found.of_sessions} ({found.checkpoint.after_session})"
    yield _line(found.name, bold=True)
    yield _line(", ".join(filter(None, (kind, asked))), style="dim")
    yield _line(f"question   {question.text}", hang=11)
    yield _line(f"reference  {question.right}", hang=11)
    if question.known_wrong:
        yield _line(f"the gold is known to be wrong: {question.known_wrong}", style="yellow")
    if not question.evidence:
        yield _line("evidence   none", hang=11)
    stories = {story.evidence_id: story for story in told.evidence} if told else {}
    for point in question.evidence:
        where = f" ({point.session_id})" if point.session_id else ""
        yield _line(f"evidence   {point.evidence_id}{where}: {text_of(point) or '(not resolved)'}", hang=11)
        for old in point.replaces:
            yield _line(f"replaces: {old}", indent=11)
        for turn in stories[point.evidence_id].told if point.evidence_id in stories else ():
            when = f", {turn.time}" if turn.time else ""
            yield _line(f"told in {turn.turn_id}{when}: {_clipped(turn.text)}", indent=11, hang=13, style="dim")
    for some in question.evidence_alternatives:
        yield _line(f"or         {', '.join(point.evidence_id for point in some)}", hang=11)


def _system(told: Explanation) -> Iterator[RenderableType]:
    lost = STAGES.get(told.lost_at, str(told.lost_at))
    lost = f"{lost} ({told.reason})" if told.reason else lost
    yield _line(f"{told.label}: {told.verdict or 'its judgement failed'}; {lost}", bold=True)
    for story in told.evidence:
        yield from _evidence(story)
    shown = sum(item.shown for item in told.items)
    cut = f"; cut: {told.cut}" if told.cut else ""
    if told.items:
        yield _line(f"retrieved {len(told.items)}, shown {shown}{cut}", indent=2)
        for item in told.items:
            yield _item(item)
    else:
        yield _line("retrieved  nothing that can be seen", indent=2)
    yield _line(f"answer     {told.answer or '(empty)'}", indent=2, hang=13)
    if told.answer_error:
        yield _line(f"error      {told.answer_error}", indent=2, hang=13, style="yellow")
    why = f": {told.verdict_reason}" if told.verdict_reason else ""
    yield _line(f"verdict    {told.verdict or 'the judgement failed'}{why}", indent=2, hang=13)


def _evidence(story: EvidenceStory) -> Iterator[RenderableType]:
    yield _line(f"{story.evidence_id}: {_states(story)}", indent=2, hang=4)
    for session in story.sessions:
        for change in session.changes:
            yield _line(
                f"{session.session_id} {change.op} {change.memory_id}: {_clipped(change.text)}", indent=4, hang=6
            )
            for old in change.previous:
                yield _line(f"was: {_clipped(old)}", indent=6, hang=8, style="dim")
    ranks = f" at {', '.join(f'#{rank}' for rank in story.ranks)}" if story.ranks else ""
    yield _line(f"retrieved: {_said(story.retrieved)}{ranks}; shown: {_said(story.shown)}", indent=4)


def _states(story: EvidenceStory) -> str:
    """Sessions in which a fact stood alike, together: `S02 to S04 active, S05 stale`."""
    parts = []
    for held, sessions in groupby(story.sessions, key=lambda session: session.held):
        names = [session.session_id for session in sessions]
        parts.append(f"{names[0]} {held}" if len(names) == 1 else f"{names[0]} to {names[-1]} {held}")
    return ", ".join(parts) or "the state of the system is not visible"


def _said(known: bool | None) -> str:
    return "not known" if known is None else "yes" if known else "no"


def _item(item: ListedItem) -> RenderableType:
    score = "" if item.score is None else f" {item.score:.3g}"
    states = f" [{', '.join(item.evidence)}]" if item.evidence else ""
    hidden = "" if item.shown else " (not shown)"
    style = "bold" if item.evidence else "dim" if hidden else ""
    head = f"#{item.rank}{score} {item.memory_id}{states}{hidden}"
    return _line(f"{head}: {_clipped(item.text)}", indent=4, hang=6, style=style)


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= CLIP else f"{text[:CLIP]} … ({len(text):,} characters)"


def _line(text: str, *, indent: int = 0, hang: int = 0, style: str = "", bold: bool = False) -> RenderableType:
    """A paragraph whose further lines begin at `hang`; what could steer a terminal is written out."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    safe = text.translate(_UNSAFE)
    made = Text(safe, style="bold" if bold else style)
    first = max(hang, indent) - indent
    if not first or len(safe) <= first:
        return Padding(made, (0, 0, 0, indent), expand=False)
    grid = Table.grid(padding=0)
    grid.add_column(width=first)
    grid.add_column(overflow="fold")
    grid.add_row(made[:first], made[first:])
    return Padding(grid, (0, 0, 0, indent), expand=False)
