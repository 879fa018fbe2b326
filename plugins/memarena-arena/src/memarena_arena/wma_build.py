"""Makes a `Sample` of the JSON of a WorldMemArena file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from memarena.memory import whole_text
from memarena.records import Attachment, Sample, Session, Turn, TurnParts
from memarena_arena.faults import PLAIN_NAME, Faults, no_plain_name, quoted
from memarena_arena.pictures import Picture, Pictures
from memarena_arena.times import DAY, KnownTimes
from memarena_arena.wma_gold import read_gold
from memarena_arena.wma_questions import QuestionReader, Shot
from memarena_arena.wma_raw import RawAttachment, RawSample, RawSession, RawTurn, Role

ROLES = frozenset(get_args(Role))
"""Any other role is kept, and reported."""

_ACTION = "Action:"
_NEXT_ACTION = f"\n{_ACTION}"
_OBSERVATION = "Observation"
_FEEDBACK = ("Feedback:", "Action succeeded", "Action failed")
_FIRST = frozenset(word[0] for word in (_OBSERVATION, *_FEEDBACK))
"""The letters with which a text begins that is split, unless it holds `Action:`."""


def _suffix(index: int) -> str:
    return f":T{index:03}"


_SUFFIXES = tuple(map(_suffix, range(1000)))


class SampleBuilder:
    """Builds the samples of a data set, one after the other; what is odd goes to the `Faults` of each file."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._times = KnownTimes()
        self._faults = Faults("")
        self._images: dict[str, Shot] = {}
        self._plain: set[str] = set()
        self._loose = True

    def build(self, raw: RawSample, faults: Faults, *, exact: bool, regime: str, domain: str) -> Sample:
        """The sample, in the order of the file; `faults.refused` says that it may not be used.

        `exact`: `raw` keeps all that `wma_raw` promises; otherwise each part is looked at.
        """
        self._faults = faults
        self._loose = not exact
        self._images = {}
        name = raw.sample_id
        if not PLAIN_NAME.fullmatch(name):
            faults.refuse("bad_id", no_plain_name(name), "$.sample_id")
        kept = self._kept(raw.sessions)
        if not kept and not faults.refused:
            faults.refuse("no_sessions", "a sample needs a session with an id", "$.sessions")
        gold = read_gold(raw, kept, faults, self._times, exact=exact)
        sessions = []
        for session_id, place in kept.items():
            turns = self._turns(session_id, place, raw.sessions[place].dialogue, agentic=regime == "agentic")
            time = turns[0].time if turns else None
            if time is None:
                time = next((turn.time for turn in turns if turn.time is not None), None)
            points = gold.points.get(session_id, ())
            sessions.append(Session(session_id=session_id, turns=turns, points=points, time=time))
        self._check_order(sessions)
        places = dict(zip(kept, range(len(kept)), strict=True))
        questions = QuestionReader(places, gold, self._images, faults, exact=exact)
        return Sample(
            sample_id=name,
            regime=regime,
            domain=domain,
            sessions=tuple(sessions),
            checkpoints=questions.checkpoints(raw.qa_checkpoints),
            dropped_blocks=gold.dropped,
        )

    def _kept(self, raw: Sequence[RawSession]) -> dict[str, int]:
        """The sessions with an id: id -> place in the file."""
        kept: dict[str, int] = {}
        plain = self._plain
        for place, session in enumerate(raw):
            name = session.v2_id or session.name
            if not name:
                problem = "a session without an id is left out"
                self._faults.warn("skipped_session", problem, f"$.sessions[{place}]")
                continue
            if name not in plain:
                if PLAIN_NAME.fullmatch(name):
                    plain.add(name)
                else:
                    problem = no_plain_name(name)
                    self._faults.refuse("bad_id", problem, f"$.sessions[{place}].{session.key}")
            if name in kept:
                problem = f"a second session {quoted(name)}"
                self._faults.refuse("repeated_id", problem, f"$.sessions[{place}].{session.key}")
            kept[name] = place
        return kept

    def _turns(self, session_id: str, place: int, raw: Sequence[RawTurn], *, agentic: bool) -> tuple[Turn, ...]:
        """The turns of the session at `place` in the file."""
        if not raw:
            problem = f"session {quoted(session_id)} has no dialogue"
            self._faults.note("empty_session", problem, f"$.sessions[{place}].dialogue")
        days, clocks, loose = self._times.days, self._times.clocks, self._loose
        suffixes = _SUFFIXES if len(raw) <= len(_SUFFIXES) else [_suffix(index) for index in range(len(raw))]
        attachments: tuple[Attachment, ...] = ()
        before: str | None = None
        turns = []
        for index, turn in enumerate(raw):
            body, time, shown = turn.content, turn.timestamp, turn.attachments
            role: str = turn.role
            if (
                (time != before and time is not None and (time[:DAY] not in days or time[DAY:] not in clocks))
                or not (body or shown)
                or loose
            ):
                role = self._checked_role(turn, f"$.sessions[{place}].dialogue[{index}]")
            else:
                before = time
            if shown:
                attachments = self._attachments(session_id, place, index, shown)
                text = whole_text(body, attachments)
            else:
                attachments, text = (), body
            parts = _parts(role, body) if agentic and (body[:1] in _FIRST or _ACTION in body) else None
            turns.append(
                Turn(
                    turn_id=session_id + suffixes[index],
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
        return tuple(turns)

    def _checked_role(self, turn: RawTurn, path: str) -> str:
        """The role of a turn that is new in some way, after saying what is odd about it."""
        if turn.timestamp is not None and not self._times.check(turn.timestamp):
            self._faults.warn("odd_time", f"{quoted(turn.timestamp)} is kept as it is", f"{path}.timestamp")
        if not turn.content and not turn.attachments:
            self._faults.note("empty_turn", "a turn without text and pictures", path)
        role: str = turn.role
        if not role:
            self._faults.note("no_role", "a turn without a role is the user's", f"{path}.role")
        elif role not in ROLES:
            self._faults.warn("odd_role", f"{quoted(role)} is kept as it is", f"{path}.role")
        return role or "user"

    def _attachments(
        self, session_id: str, place: int, turn: int, raw: Sequence[RawAttachment]
    ) -> tuple[Attachment, ...]:
        images, find = self._images, self._pictures.find
        made: list[Attachment] = []
        for attachment in raw:
            image_id, caption = attachment.image_id, attachment.caption
            caption_full = attachment.caption_full or caption
            picture = find(attachment.file_path or attachment.image_path)
            if picture.code or not image_id or image_id in images:
                path = f"$.sessions[{place}].dialogue[{turn}].attachments[{len(made)}]"
                self._report_picture(image_id, picture, path)
            if image_id and image_id not in images:
                images[image_id] = (session_id, caption_full)
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
        latest, days, clocks = "", self._times.days, self._times.clocks
        for session in sessions:
            time = session.time
            if time is None:
                continue
            day, clock = days.get(time[:DAY]), time[DAY:]
            key = day + clock if day is not None and clock in clocks else self._times.sort_key(time)
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
        if found and (not reasoning or reasoning[-1] == "\n") and _NEXT_ACTION not in action:
            return TurnParts(reasoning=reasoning.strip(), action=action.strip())
    elif role == "user":
        if body.startswith(_OBSERVATION):
            return TurnParts(observation=body)
        if body.startswith(_FEEDBACK):
            return TurnParts(feedback=body)
    return None
