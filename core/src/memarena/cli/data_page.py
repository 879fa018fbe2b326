"""One sample as a page for people: each session with its dialogue, its gold and the questions asked after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from memarena.cli.counted import size

if TYPE_CHECKING:
    from memarena.records import Attachment, Checkpoint, Evidence, GoldPoint, Question, Sample, Session, Turn

_KINDS = {"new": ("+", "green"), "update": ("~", "yellow"), "interference": ("-", "red")}


def print_sample(sample: Sample, sessions: Collection[str] = ()) -> None:
    """Print `sample`, or these sessions of it with the questions that follow them."""
    console = Console(highlight=False)
    shown = [session for session in sample.sessions if not sessions or session.session_id in sessions]
    console.print(Text(sample.sample_id, style="bold"), Text(f"{sample.regime}, {sample.domain}", style="dim"))
    console.print(Text(size(sample)))
    if sample.dropped_blocks:
        console.print(Text(f"gold without a session: {', '.join(sample.dropped_blocks)}", style="yellow"))
    for session in shown:
        _print_session(console, session)
        for checkpoint in sample.checkpoints:
            if checkpoint.after_session == session.session_id:
                _print_checkpoint(console, checkpoint)
    for checkpoint in sample.checkpoints:
        if checkpoint.after_session is None and not sessions:
            _print_checkpoint(console, checkpoint)


def _print_session(console: Console, session: Session) -> None:
    title = " · ".join(part for part in (session.session_id, session.time) if part)
    console.print(Rule(Text(_plain(title), style="bold"), align="left"))
    for turn in session.turns:
        for line in _turn(turn):
            console.print(line)
    for point in session.points:
        console.print(_point(point))


def _turn(turn: Turn) -> Iterator[Text | Padding]:
    who = turn.speaker or turn.role
    yield Text.assemble((f"{_plain(who)} ", "bold cyan"), (turn.turn_id, "dim"))
    if turn.body:
        yield _indented(turn.body)
    for picture in turn.attachments:
        yield _indented(_picture(picture), style="magenta" if not picture.missing else "red")


def _picture(picture: Attachment) -> str:
    place = "missing" if picture.missing else picture.path or ""
    return " · ".join(part for part in (f"picture {picture.image_id}".strip(), picture.caption, place) if part)


def _point(point: GoldPoint) -> Text:
    mark, style = _KINDS[point.kind]
    weight = "" if point.importance is None else f" (importance {point.importance:g})"
    line = Text.assemble((f"{mark} {point.kind} ", style), (f"{_plain(point.memory_id)} ", "dim"))
    line.append(f"{_plain(point.content)}{weight}")
    if point.replaces:
        line.append(f" in place of: {_plain('; '.join(point.replaces))}", style="dim")
    return line


def _print_checkpoint(console: Console, checkpoint: Checkpoint) -> None:
    when = f"after {checkpoint.after_session}" if checkpoint.after_session else "never asked"
    covered = ", ".join(checkpoint.covered)
    console.print(
        Rule(Text(_plain(f"{checkpoint.checkpoint_id}, {when} (covers {covered})"), style="blue"), align="left")
    )
    for question in checkpoint.questions:
        for line in _question(question):
            console.print(line)


def _question(question: Question) -> Iterator[Text | Padding]:
    yield Text.assemble(
        (f"{question.question_id} ", "dim"), (f"{_plain(question.type)} ", "bold"), _plain(question.text)
    )
    yield _indented(f"answer: {question.right}", style="green" if question.answerable else "yellow")
    yield from _evidence(question.evidence)
    if question.known_wrong:
        yield _indented(f"known wrong: {question.known_wrong}", style="red")


def _evidence(evidence: Sequence[Evidence]) -> Iterator[Padding]:
    for item in evidence:
        content = "unresolved" if item.content is None else item.content
        where = f" [{item.session_id}]" if item.session_id else ""
        yield _indented(
            f"evidence: {item.evidence_id}{where} {content}", style="red" if item.content is None else "dim"
        )


def _indented(text: str, style: str = "") -> Padding:
    return Padding(Text(_plain(text), style=style), (0, 0, 0, 2))


def _plain(text: str) -> str:
    """`text` without characters that steer a terminal: data sets are not trusted."""
    if text.isprintable():
        return text
    return "".join(mark if mark.isprintable() or mark == "\n" else "\N{REPLACEMENT CHARACTER}" for mark in text)
