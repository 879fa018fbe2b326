"""Makes a `Sample` of the JSON of a WorldMemArena file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memarena.records import Attachment, GoldPoint, Sample, Session, Turn, TurnParts
from memarena_arena.faults import PLAIN_NAME, Faults, quoted
from memarena_arena.pictures import Picture, Pictures
from memarena_arena.times import is_time, sort_key
from memarena_arena.turntext import whole_text
from memarena_arena.wma_gold import read_gold
from memarena_arena.wma_questions import QuestionReader, Shot
from memarena_arena.wma_raw import RawAttachment, RawSample, RawSession, RawTurn

_ROLES = frozenset({"user", "assistant", "system", "agent", "environment"})
_ACTION = "Action:"
_FEEDBACK = ("Feedback:", "Action succeeded", "Action failed")


class SampleBuilder:
    """Builds one sample; what is odd goes to `faults`, and `faults.refused` says that it may not be used."""

    def __init__(self, pictures: Pictures, faults: Faults, *, regime: str, domain: str) -> None:
        self._pictures = pictures
        self._faults = faults
        self._regime = regime
        self._domain = domain
        self._images: dict[str, Shot] = {}
        self._times: set[str] = set()

    def build(self, raw: RawSample) -> Sample:
        """The sample, in the order of the file."""
        faults = self._faults
        name = raw.sample_id or ""
        if not PLAIN_NAME.fullmatch(name):
            faults.refuse("bad_id", f"{quoted(name)} is no plain name", "$.sample_id")
        kept = self._kept(raw.sessions or ())
        if not kept:
            faults.refuse("no_sessions", "a sample needs a session with an id", "$.sessions")
        gold = read_gold(raw, {session_id: index for session_id, (index, _) in kept.items()}, faults)
        sessions = tuple(
            self._session(session_id, index, session, gold.points.get(session_id, ()))
            for session_id, (index, session) in kept.items()
        )
        self._check_order(sessions)
        places = {session_id: place for place, session_id in enumerate(kept)}
        questions = QuestionReader(places, gold, self._images, faults)
        return Sample(
            sample_id=name,
            regime=self._regime,
            domain=self._domain,
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

    def _session(self, name: str, index: int, raw: RawSession, points: tuple[GoldPoint, ...]) -> Session:
        path = f"$.sessions[{index}].dialogue"
        if not raw.dialogue:
            self._faults.note("empty_session", f"session {quoted(name)} has no dialogue", path)
        turns = tuple(self._turns(name, raw.dialogue or (), path))
        time = next((turn.time for turn in turns if turn.time is not None), None)
        return Session(session_id=name, turns=turns, points=points, time=time)

    def _turns(self, session_id: str, raw: Sequence[RawTurn], where: str) -> Iterator[Turn]:
        agentic, times = self._regime == "agentic", self._times
        for index, turn in enumerate(raw):
            body, time, role = turn.content, turn.timestamp, turn.role
            if role not in _ROLES or not (time is None or time in times) or not (body or turn.attachments):
                role = role or "user"
                self._report(turn, f"{where}[{index}]")
            attachments: tuple[Attachment, ...] = ()
            text = body
            if turn.attachments:
                attachments = tuple(self._attachments(session_id, turn.attachments, f"{where}[{index}]"))
                text = whole_text(body, attachments)
            yield Turn(
                turn_id=f"{session_id}:T{index:03}",
                session_id=session_id,
                index=index,
                role=role,
                text=text,
                body=body,
                time=time,
                attachments=attachments,
                parts=_parts(role, body) if agentic else None,
            )

    def _report(self, turn: RawTurn, path: str) -> None:
        if turn.role is None:
            self._faults.note("no_role", "a turn without a role is the user's", f"{path}.role")
        elif turn.role not in _ROLES:
            self._faults.warn("odd_role", f"{quoted(turn.role)} is kept as it is", f"{path}.role")
        time = turn.timestamp
        if time is not None and time not in self._times:
            if is_time(time):
                self._times.add(time)
            else:
                self._faults.warn("odd_time", f"{quoted(time)} is kept as it is", f"{path}.timestamp")
        if not turn.content and not turn.attachments:
            self._faults.note("empty_turn", "a turn without text and pictures", path)

    def _attachments(self, session_id: str, raw: Sequence[RawAttachment], where: str) -> Iterator[Attachment]:
        for index, attachment in enumerate(raw):
            image_id, caption = attachment.image_id or "", attachment.caption or ""
            picture = self._pictures.find(attachment.file_path or attachment.image_path or "")
            if picture.code or not image_id or image_id in self._images:
                self._report_picture(image_id, picture, f"{where}.attachments[{index}]")
            caption_full = attachment.caption_full or caption
            self._images.setdefault(image_id, Shot(session_id, caption_full))
            yield Attachment(
                image_id=image_id,
                path=picture.path,
                caption=caption,
                caption_full=caption_full,
                media_type=picture.media_type,
                missing=picture.path is None,
            )

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
    if role == "user":
        if body.startswith("Observation"):
            return TurnParts(observation=body)
        return TurnParts(feedback=body) if body.startswith(_FEEDBACK) else None
    if role != "assistant" or _ACTION not in body:
        return None
    reasoning, *actions = f"\n{body}".split(f"\n{_ACTION}")
    if len(actions) != 1:
        return None
    return TurnParts(reasoning=reasoning.strip(), action=actions[0].strip())
