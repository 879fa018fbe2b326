"""Makes a `Sample` of the JSON of a WorldMemArena file."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.records import Attachment, GoldPoint, Sample, Session, Turn, TurnParts
from memarena_arena.faults import PLAIN_NAME, Faults, quoted
from memarena_arena.pictures import Picture, Pictures
from memarena_arena.times import DAY, KnownTimes, sort_key
from memarena_arena.turntext import whole_text
from memarena_arena.wma_gold import read_gold
from memarena_arena.wma_questions import QuestionReader, Shot
from memarena_arena.wma_raw import RawAttachment, RawSample, RawSession, RawTurn

ROLES = frozenset({"user", "assistant", "system", "agent", "environment"})
"""Any other role is kept, and reported."""

_ACTION = "Action:"
_OBSERVATION = "Observation"
_FEEDBACK = ("Feedback:", "Action succeeded", "Action failed")
_INDEX = tuple(f":T{index:03}" for index in range(1000))


class SampleBuilder:
    """Builds the samples of a data set, one after the other; what is odd goes to the `Faults` of each file."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._times = KnownTimes()
        self._faults = Faults("")
        self._images: dict[str, Shot] = {}

    def build(self, raw: RawSample, faults: Faults, *, regime: str, domain: str) -> Sample:
        """The sample, in the order of the file; `faults.refused` says that it may not be used."""
        self._faults = faults
        self._images = {}
        name = raw.sample_id or ""
        if not PLAIN_NAME.fullmatch(name):
            faults.refuse("bad_id", f"{quoted(name)} is no plain name", "$.sample_id")
        kept = self._kept(raw.sessions or ())
        if not kept:
            faults.refuse("no_sessions", "a sample needs a session with an id", "$.sessions")
        gold = read_gold(raw, {session_id: index for session_id, (index, _) in kept.items()}, faults, self._times)
        sessions = tuple(
            self._session(session_id, index, session, gold.points.get(session_id, ()), agentic=regime == "agentic")
            for session_id, (index, session) in kept.items()
        )
        self._check_order(sessions)
        places = {session_id: place for place, session_id in enumerate(kept)}
        questions = QuestionReader(places, gold, self._images, faults)
        return Sample(
            sample_id=name,
            regime=regime,
            domain=domain,
            sessions=sessions,
            checkpoints=questions.checkpoints(raw.qa_checkpoints or ()),
            dropped_blocks=gold.dropped,
        )

    def _kept(self, raw: Sequence[RawSession]) -> dict[str, tuple[int, RawSession]]:
        """The sessions with an id, by id, each with its place in the file."""
        kept: dict[str, tuple[int, RawSession]] = {}
        for index, session in enumerate(raw):
            name, path = session.name, f"$.sessions[{index}]"
            if not name:
                self._faults.warn("skipped_session", "a session without an id is left out", path)
                continue
            if not PLAIN_NAME.fullmatch(name):
                self._faults.refuse("bad_id", f"{quoted(name)} is no plain name", f"{path}.{session.key}")
            elif name in kept:
                self._faults.refuse("repeated_id", f"a second session {quoted(name)}", f"{path}.{session.key}")
            kept[name] = (index, session)
        return kept

    def _session(
        self, name: str, index: int, raw: RawSession, points: tuple[GoldPoint, ...], *, agentic: bool
    ) -> Session:
        path = f"$.sessions[{index}].dialogue"
        if not raw.dialogue:
            self._faults.note("empty_session", f"session {quoted(name)} has no dialogue", path)
        turns = self._turns(name, raw.dialogue or (), path, agentic=agentic)
        time = turns[0].time if turns else None
        if time is None:
            time = next((turn.time for turn in turns if turn.time is not None), None)
        return Session(session_id=name, turns=tuple(turns), points=points, time=time)

    def _turns(self, session_id: str, raw: Sequence[RawTurn], where: str, *, agentic: bool) -> list[Turn]:
        days, clocks = self._times.days, self._times.clocks
        attachments: tuple[Attachment, ...] = ()
        parts: TurnParts | None = None
        before: str | None = None
        turns = []
        for index, turn in enumerate(raw):
            body, time, role, shown = turn.content, turn.timestamp, turn.role, turn.attachments
            is_new = time != before and time is not None and (time[:DAY] not in days or time[DAY:] not in clocks)
            if is_new or role not in ROLES or not (body or shown):
                role = self._checked_role(turn, f"{where}[{index}]")
            before = time
            if shown:
                attachments = self._attachments(session_id, shown, f"{where}[{index}].attachments")
                # whole_text is slow where each of many turns has one picture, so its usual case stands here too.
                first = attachments[0]
                if len(attachments) == 1 and body and first.image_id and first.caption:
                    text = f"{body}\n\nimage:\nimage_id: {first.image_id}\nimage_caption: {first.caption}"
                else:
                    text = whole_text(body, attachments)
            else:
                attachments, text = (), body
            if agentic:
                parts = _parts(role, body)
            turns.append(
                Turn(
                    turn_id=session_id + (_INDEX[index] if index < 1000 else f":T{index}"),
                    session_id=session_id,
                    index=index,
                    role=role,
                    text=text,
                    body=body,
                    time=time,
                    attachments=attachments,
                    parts=parts,
                )
            )
        return turns

    def _checked_role(self, turn: RawTurn, path: str) -> str:
        """The role of a turn that is new in some way, after saying what is odd about it."""
        if turn.timestamp is not None and not self._times.check(turn.timestamp):
            self._faults.warn("odd_time", f"{quoted(turn.timestamp)} is kept as it is", f"{path}.timestamp")
        if not turn.content and not turn.attachments:
            self._faults.note("empty_turn", "a turn without text and pictures", path)
        if turn.role is None:
            self._faults.note("no_role", "a turn without a role is the user's", f"{path}.role")
        elif turn.role not in ROLES:
            self._faults.warn("odd_role", f"{quoted(turn.role)} is kept as it is", f"{path}.role")
        return turn.role or "user"

    def _attachments(self, session_id: str, raw: Sequence[RawAttachment], where: str) -> tuple[Attachment, ...]:
        images, find = self._images, self._pictures.find
        made = []
        for index, attachment in enumerate(raw):
            image_id, caption = attachment.image_id or "", attachment.caption or ""
            picture = find(attachment.file_path or attachment.image_path or "")
            if picture.code or not image_id or image_id in images:
                self._report_picture(image_id, picture, f"{where}[{index}]")
            caption_full = attachment.caption_full or caption
            images.setdefault(image_id, Shot(session_id, caption_full))
            made.append(
                Attachment(
                    image_id=image_id,
                    path=picture.path,
                    caption=caption,
                    caption_full=caption_full,
                    media_type=picture.media_type,
                    missing=picture.path is None,
                )
            )
        return tuple(made)

    def _report_picture(self, image_id: str, picture: Picture, path: str) -> None:
        if picture.code == "outside_picture":
            self._faults.refuse(picture.code, picture.problem, f"{path}.file_path")
        elif picture.code:
            self._faults.warn(picture.code, picture.problem, f"{path}.file_path")
        if not image_id:
            self._faults.note("no_image_id", "no evidence can name this picture", f"{path}.image_id")
        elif image_id in self._images:
            problem = f"{quoted(image_id)} was shown before: evidence means the first time"
            self._faults.note("repeated_image_id", problem, f"{path}.image_id")

    def _check_order(self, sessions: Sequence[Session]) -> None:
        latest = ""
        for session in sessions:
            key = sort_key(session.time) if session.time is not None else None
            if key is None:
                continue
            if key < latest:
                problem = f"session {session.session_id} begins before an earlier one; the order of the file is kept"
                self._faults.warn("sessions_out_of_order", problem, "$.sessions")
            latest = max(latest, key)


def _parts(role: str, body: str) -> TurnParts | None:
    """What a step of an agent consists of, where the text itself says so; None where it does not.

    A turn of the assistant with exactly one line that begins with `Action:` is reasoning, then action; one of the
    user that begins with `Observation` is an observation, and one that begins with the outcome of an action feedback.
    """
    if role == "assistant":
        reasoning, found, action = body.partition(_ACTION)
        if found and (not reasoning or reasoning[-1] == "\n") and f"\n{_ACTION}" not in action:
            return TurnParts(reasoning=reasoning.strip(), action=action.strip())
    elif role == "user":
        if body.startswith(_OBSERVATION):
            return TurnParts(observation=body)
        if body.startswith(_FEEDBACK):
            return TurnParts(feedback=body)
    return None
