"""Gold in place of what a system writes or keeps: the loops of `--oracle write` and `--oracle maintain`.

Gold are the new and update points of a session, and those of its pictures on which a question rests.

* `write`: each session tells its gold in place of its turns; what the system keeps of it is its own.
* `maintain`: at each checkpoint a system that has heard nothing is told the facts that are true then, and those of the
  past on which a question rests; how it retrieves and answers is its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from memarena import codec
from memarena.cell import Cancelled, MemoryLoop
from memarena.journal import SessionEnded
from memarena.memory import present, whole_text
from memarena.records import Attachment, Capabilities, Checkpoint, GoldPoint, RunContext, Sample, Session, Turn


class GoldTurnsLoop(MemoryLoop):
    """Tells the gold points of each session in place of its turns; interference is no gold, and is not told."""

    def run(self, sample: Sample, context: RunContext, capabilities: Capabilities) -> None:
        pictures = _Pictures(sample)
        sessions = [
            replace(session, turns=_turns(session, session.gold("new", "update"), pictures))
            for session in sample.sessions
        ]
        super().run(replace(sample, sessions=tuple(sessions)), context, capabilities)


class GoldStateLoop(MemoryLoop):
    """At each checkpoint, tells a fresh memory the facts that are true then, session by session, and asks."""

    def run(self, sample: Sample, context: RunContext, capabilities: Capabilities) -> None:
        self.capabilities = capabilities
        pictures = _Pictures(sample)
        due: dict[str | None, list[Checkpoint]] = {}
        for checkpoint in sample.checkpoints:
            due.setdefault(checkpoint.after_session, []).append(checkpoint)
        for index, session in enumerate(sample.sessions):
            if session.session_id not in due:
                self.journal.write(SessionEnded(session_id=session.session_id, index=index, turns=0))
                continue
            asked = due[session.session_id]
            self._hear_state(sample.sessions[: index + 1], _rested_on(asked), _fresh(context, index), pictures)
            for checkpoint in asked:
                self._ask(index, checkpoint)

    def _hear_state(
        self, sessions: tuple[Session, ...], past: frozenset[str], context: RunContext, pictures: _Pictures
    ) -> None:
        self.rig.reset(context)
        told = 0
        before = self.rig.ledger.seconds("ingest_turn", "end_session")
        for session, points in zip(sessions, live_points(sessions, past), strict=True):
            turns = _turns(session, points, pictures)
            for turn in turns:
                if self.stop.is_set():
                    raise Cancelled
                self.rig.ingest_turn(present(turn, pictures=self.settings.pictures, captions=self.settings.captions))
            if turns:
                self.rig.end_session(session.session_id)
            self.state.heard(turns)
            told += len(turns)
        seconds = {"write": self.rig.ledger.seconds("ingest_turn", "end_session") - before}
        last = sessions[-1].session_id
        entry = SessionEnded(session_id=last, index=len(sessions) - 1, turns=told, seconds=seconds)
        if self.capabilities.state:
            change, changes = self.state.advance(last, self.rig.snapshot_memories())
            entry = replace(entry, snapshot=change, changes=changes)
        self.journal.write(entry)


def live_points(sessions: Iterable[Session], past: frozenset[str] = frozenset()) -> list[list[GoldPoint]]:
    """Per session, its new and update points that no later session of `sessions` replaces, and those whose content is
    among `past` (in lower case, with single blanks)."""
    found: list[list[GoldPoint]] = []
    for session in sessions:
        points = session.gold("new", "update")
        over = {_folded(old) for point in points for old in point.replaces} - past
        found = [[point for point in earlier if _folded(point.content) not in over] for earlier in found]
        found.append(list(points))
    return found


def _rested_on(checkpoints: Iterable[Checkpoint]) -> frozenset[str]:
    return frozenset(
        _folded(evidence.content)
        for checkpoint in checkpoints
        for question in checkpoint.questions
        for evidence in question.evidence
        if evidence.content
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


class _Pictures:
    """The pictures of a sample: all by id, and those on which a question rests by session."""

    def __init__(self, sample: Sample) -> None:
        evidence = {
            point.image_id
            for checkpoint in sample.checkpoints
            for question in checkpoint.questions
            for point in question.evidence
        }
        self.all: dict[str, Attachment] = {}
        self.evidence: dict[str, dict[str, Attachment]] = {}
        for session in sample.sessions:
            for picture in (picture for turn in session.turns for picture in turn.attachments):
                self.all[picture.image_id] = picture
                if picture.image_id in evidence - {""}:
                    self.evidence.setdefault(session.session_id, {})[picture.image_id] = picture


def _turns(session: Session, points: Iterable[GoldPoint], pictures: _Pictures) -> tuple[Turn, ...]:
    """A turn a point, as the person who knows it would say it, then a turn a picture."""
    told = []
    for point in points:
        # What a picture shows is the point itself: its caption may say less, or more.
        shown = [
            replace(pictures.all[name], caption="", caption_full="") for name in point.image_ids if name in pictures.all
        ]
        told.append((point.content, tuple(shown), point.time))
    told += [("", (picture,), None) for picture in pictures.evidence.get(session.session_id, {}).values()]
    started = session.time or next((turn.time for turn in session.turns if turn.time), None)
    return tuple(
        Turn(
            turn_id=f"{session.session_id}:G{index:03}",
            session_id=session.session_id,
            index=index,
            text=whole_text(body, shown),
            body=body,
            time=time or started,
            attachments=shown,
        )
        for index, (body, shown, time) in enumerate(told)
    )


def _fresh(context: RunContext, index: int) -> RunContext:
    folder = Path(context.folder) / f"state-{index}"
    with codec.storing(folder):
        folder.mkdir()
    return replace(context, folder=str(folder), namespace=f"{context.namespace}-{index}")
