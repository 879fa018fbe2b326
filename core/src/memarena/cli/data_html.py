"""One sample as a page of HTML that stands alone: dialogue with its pictures, gold, questions with their evidence."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Collection, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from memarena.cli.counted import size

if TYPE_CHECKING:
    from memarena.records import Attachment, Checkpoint, Evidence, GoldPoint, Question, Sample, Session, Turn


def sample_html(sample: Sample, sessions: Collection[str] = ()) -> str:
    """The page of `sample`, or of these sessions of it with the questions asked after them. Pictures are part of the
    page; nothing is loaded from elsewhere."""
    return "\n".join(_page(sample, sessions)) + "\n"


def _page(sample: Sample, wanted: Collection[str]) -> Iterator[str]:
    style = files(__package__).joinpath("sample_page.css").read_text(encoding="utf-8")
    shown = [session for session in sample.sessions if not wanted or session.session_id in wanted]
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(sample.sample_id)}</title>\n<style>\n{style}</style>\n</head>\n<body>"
    yield f"<h1>{escape(sample.sample_id)}</h1>"
    yield _dim(f"{sample.regime}, {sample.domain}: {size(sample)}")
    if sample.dropped_blocks:
        yield _dim(f"gold without a session: {', '.join(sample.dropped_blocks)}")
    links = (f'<a href="#{_anchor("s", each.session_id)}">{escape(each.session_id)}</a>' for each in shown)
    yield f"<nav>{' '.join(links)}</nav>"
    for session in shown:
        yield from _session(session)
        for checkpoint in sample.checkpoints:
            if checkpoint.after_session == session.session_id:
                yield from _checkpoint(checkpoint)
    for checkpoint in sample.checkpoints:
        if checkpoint.after_session is None and not wanted:
            yield from _checkpoint(checkpoint)
    yield "</body>\n</html>"


def _session(session: Session) -> Iterator[str]:
    when = f" {_small(session.time)}" if session.time else ""
    yield f'<section>\n<h2 id="{_anchor("s", session.session_id)}">{escape(session.session_id)}{when}</h2>'
    for turn in session.turns:
        yield from _turn(turn)
    if session.points:
        yield "<h3>What should be kept, changed, refused</h3>\n<ul>"
        yield from map(_point, session.points)
        yield "</ul>"
    yield "</section>"


def _turn(turn: Turn) -> Iterator[str]:
    side = " assistant" if turn.role in ("assistant", "agent") else ""
    when = f" · {turn.time}" if turn.time else ""
    yield f'<div class="turn{side}">\n{_small(f"{turn.speaker or turn.role} · {turn.turn_id}{when}")}'
    if turn.body:
        yield f"<p>{escape(turn.body)}</p>"
    yield from map(_picture, turn.attachments)
    yield "</div>"


def _picture(picture: Attachment) -> str:
    caption = " · ".join(part for part in (picture.image_id, picture.caption) if part)
    anchor = f' id="{_anchor("i", picture.image_id)}"' if picture.image_id else ""
    source = "" if picture.missing else _embedded(picture)
    shown = f'<img src="{source}" alt="{escape(picture.caption)}">' if source else _kind("missing")
    return f"<figure{anchor}>{shown}<figcaption>{escape(caption)}</figcaption></figure>"


def _embedded(picture: Attachment) -> str:
    """The picture as a data URL; "" where there is no such file."""
    path = Path(picture.path) if picture.path else None
    if path is None or not path.is_file():
        return ""
    kind = picture.media_type or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"data:{escape(kind)};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"


def _point(point: GoldPoint) -> str:
    weight = "" if point.importance is None else f" importance {point.importance:g}"
    old = f" in place of: {'; '.join(point.replaces)}" if point.replaces else ""
    text = f"{_kind(point.kind)} {escape(point.content)} {_small(f'{point.memory_id}{weight}{old}')}"
    return f'<li id="{_anchor("m", point.memory_id)}">{text}</li>'


def _checkpoint(checkpoint: Checkpoint) -> Iterator[str]:
    when = f"after {checkpoint.after_session}" if checkpoint.after_session else "never asked"
    yield f"<section>\n<h2>{escape(checkpoint.checkpoint_id)}, {escape(when)}</h2>"
    yield _dim(f"covers {', '.join(checkpoint.covered)}")
    for question in checkpoint.questions:
        yield from _question(question)
    yield "</section>"


def _question(question: Question) -> Iterator[str]:
    yield f'<div class="question" id="{_anchor("q", question.question_id)}">'
    about = f"{question.question_id} {question.difficulty}"
    yield f"<p>{_kind(question.type)} <b>{escape(question.text)}</b> {_small(about)}</p>"
    yield from map(_picture, question.attachments)
    yield f"<p>{escape(question.right)}{'' if question.answerable else ' ' + _small('cannot be answered')}</p>"
    if question.stale_answers:
        yield _dim(f"not any more, or never: {'; '.join(question.stale_answers)}")
    if question.known_wrong:
        yield _dim(f"known wrong: {question.known_wrong}")
    yield from _evidence(question.evidence)
    yield "</div>"


def _evidence(evidence: Sequence[Evidence]) -> Iterator[str]:
    if evidence:
        yield "<ul>"
    for item in evidence:
        target = _anchor("i" if item.image_id else "m", item.image_id or item.evidence_id)
        content = "unresolved" if item.content is None else item.content
        link = f'<a href="#{target}">{escape(item.evidence_id)}</a>'
        yield f"<li>{_small(item.session_id or '')} {link} {escape(content)}</li>"
    if evidence:
        yield "</ul>"


def _kind(name: str) -> str:
    return f'<span class="kind {escape(name)}">{escape(name)}</span>'


def _small(text: str) -> str:
    return f'<span class="dim">{escape(text)}</span>'


def _dim(text: str) -> str:
    return f'<p class="dim">{escape(text)}</p>'


def _anchor(kind: str, name: str) -> str:
    """An id within the page that any name can have."""
    return escape(f"{kind}-{name}".replace(" ", "_"))
