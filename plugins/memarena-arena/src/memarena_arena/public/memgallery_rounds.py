"""The dialogues of Mem-Gallery -> sessions: a round of `user` and `assistant` becomes two turns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memarena.memory import whole_text
from memarena.records import Attachment, Session, Turn
from memarena_arena.faults import PLAIN_NAME, Faults, kind_of, no_plain_name, quoted
from memarena_arena.jsonpath import child
from memarena_arena.pictures import Pictures
from memarena_arena.public import fields
from memarena_arena.times import KnownTimes

SIDES = (("u", "user"), ("a", "assistant"))
"""Ending of a turn's id -> the field of a round that holds it, which is its role too."""

_UP = "../image/"
_ROUND = re.compile(r"(\w{1,64}):(\d{1,6})", re.ASCII)
_ROUND_FIELDS = frozenset({"round", "user", "assistant", "image_id", "input_image", "image_caption"})
_SESSION_FIELDS = frozenset({"session_id", "date", "dialogues"})


class Gallery:
    """The pictures below one folder, named as the files do: `../image/<file>/D1_IMG_001.jpg`."""

    def __init__(self, root: Path, *, check: bool, max_pixels: int) -> None:
        self._pictures = Pictures(root, check=check, max_pixels=max_pixels)

    def attachment(self, name: str, image_id: str, caption: str, path: str, faults: Faults) -> Attachment:
        """The picture `name`; one that is not there or is none is `missing`, one that lies elsewhere refused."""
        picture = self._pictures.find(name.removeprefix(_UP))
        if picture.code == "outside_picture":
            faults.refuse("outside_picture", picture.problem, path)
        elif picture.code:
            faults.warn(picture.code, picture.problem, path)
        return Attachment(
            image_id=image_id,
            path=picture.path,
            caption=caption,
            caption_full=caption,
            media_type=picture.media_type,
            missing=picture.path is None,
        )


def read_sessions(
    raw: Mapping[str, Any], gallery: Gallery, unread: fields.Unread, faults: Faults, speaker: str = ""
) -> tuple[Session, ...]:
    """The sessions in file order; what is odd goes to `faults`. `speaker`: the name of the user."""
    key = "multi_session_dialogues"
    reader = _Reader(gallery, unread, faults, speaker)
    given = fields.a_list(raw, key, "$", faults)
    sessions = tuple(
        session
        for number, item in enumerate(given)
        if (session := reader.session(item, f"$.{key}[{number}]")) is not None
    )
    if not sessions and not faults.refused:
        faults.refuse("no_sessions", "the dialogue has no session", f"$.{key}")
    return sessions


class _Reader:
    """Reads the sessions of one file."""

    def __init__(self, gallery: Gallery, unread: fields.Unread, faults: Faults, speaker: str) -> None:
        self._speaker = speaker
        self._gallery = gallery
        self._unread = unread
        self._faults = faults
        self._times = KnownTimes()
        self._latest = ""
        self._sessions: set[str] = set()
        self._rounds: set[str] = set()
        self._images: set[str] = set()

    def session(self, given: Any, path: str) -> Session | None:
        raw = fields.an_object(given, "session", path, self._faults)
        if raw is None:
            return None
        self._unread.tell(raw, _SESSION_FIELDS, "session", path, self._faults)
        name = raw.get("session_id")
        if not isinstance(name, str) or not PLAIN_NAME.fullmatch(name):
            problem = no_plain_name(name) if isinstance(name, str) else f"{quoted(name)} is no id"
            self._faults.refuse("bad_id", problem, f"{path}.session_id")
            return None
        if name in self._sessions:
            self._faults.refuse("repeated_id", f"a second session {quoted(name)}", f"{path}.session_id")
        self._sessions.add(name)
        date = self._date(raw, path)
        rounds = fields.a_list(raw, "dialogues", path, self._faults)
        if not rounds:
            self._faults.warn("empty_session", "the session has no rounds", f"{path}.dialogues")
        turns: list[Turn] = []
        for number, item in enumerate(rounds):
            turns += self._round(item, name, number, date, f"{path}.dialogues[{number}]")
        return Session(session_id=name, turns=tuple(turns), time=date)

    def _date(self, raw: Mapping[str, Any], path: str) -> str | None:
        date = fields.a_time(raw, "date", path, self._faults, self._times)
        if date is None:
            if raw.get("date") in (None, ""):
                self._faults.warn("no_session_time", "the session has no date", f"{path}.date")
            return None
        key = self._times.sort_key(date)
        if key is not None and key < self._latest:
            problem = "the session begins before an earlier one; the order of the file is kept"
            self._faults.warn("sessions_out_of_order", problem, f"{path}.date")
        self._latest = max(self._latest, key or "")
        return date

    def _round(self, given: Any, session_id: str, number: int, date: str | None, path: str) -> list[Turn]:
        raw = fields.an_object(given, "round", path, self._faults)
        if raw is None:
            return []
        self._unread.tell(raw, _ROUND_FIELDS, "round", path, self._faults)
        name = self._round_id(raw.get("round"), f"{session_id}:{number + 1}", path)
        shown = self._pictures(raw, name, path)
        turns = []
        for place, (ending, side) in enumerate(SIDES):
            body = raw.get(side, "")
            if not isinstance(body, str):
                self._faults.refuse("text_not_a_text", f"a text is needed, not {kind_of(body)}", f"{path}.{side}")
                continue
            attachments = shown if side == "user" else ()
            if not body.strip() and not attachments:
                self._faults.warn("empty_text", "the turn says nothing", f"{path}.{side}")
            turns.append(
                Turn(
                    turn_id=f"{name}{ending}",
                    session_id=session_id,
                    index=2 * number + place,
                    role=side,
                    speaker=self._speaker if side == "user" else "",
                    text=whole_text(body, attachments),
                    body=body,
                    time=date,
                    attachments=attachments,
                )
            )
        return turns

    def _round_id(self, given: Any, place: str, path: str) -> str:
        name = given if isinstance(given, str) and _ROUND.fullmatch(given) else ""
        if not name:
            self._faults.warn("odd_round", f"{quoted(given)} is no id such as D1:3; taken for {place}", f"{path}.round")
        elif name != place:
            self._faults.warn("round_off_place", f"{name} stands at {place}", f"{path}.round")
        name = name or place
        if name in self._rounds:
            self._faults.refuse("repeated_id", f"a second round {quoted(name)}", f"{path}.round")
        self._rounds.add(name)
        return name

    def _pictures(self, raw: Mapping[str, Any], round_id: str, path: str) -> tuple[Attachment, ...]:
        ids, names, captions = (self._texts(raw, key, path) for key in ("image_id", "input_image", "image_caption"))
        if len(captions) > max(len(ids), len(names)):
            problem = "a caption without a picture: the picture is missing"
            self._faults.warn("caption_without_picture", problem, f"{path}.image_caption")
        elif len({len(ids), len(names), len(captions)}) > 1:
            problem = f"{len(ids)} ids, {len(names)} paths and {len(captions)} captions: matched by their place"
            self._faults.warn("lists_off", problem, f"{path}.image_id")
        told = [
            fields.each(raw[key], f"{path}.{key}")
            for key in ("input_image", "image_id", "image_caption")
            if raw.get(key) is not None
        ]
        made = []
        for place in range(max(len(ids), len(names), len(captions))):
            image_id, name, caption = (each[place] if place < len(each) else "" for each in (ids, names, captions))
            image_id = image_id or f"{round_id}:img_{place + 1}"
            where = next(each[place][0] for each in told if place < len(each))
            if image_id in self._images:
                self._faults.note("repeated_image_id", f"{quoted(image_id)} was shown before", where)
            self._images.add(image_id)
            made.append(self._gallery.attachment(name, image_id, caption, where, self._faults))
        return tuple(made)

    def _texts(self, raw: Mapping[str, Any], key: str, path: str) -> list[str]:
        """The texts of a list; a text alone is a list of one."""
        given = raw.get(key)
        if isinstance(given, str):
            self._faults.note("text_for_list", "a text where the other rounds have a list", child(path, key))
            return [given]
        found = fields.a_list(raw, key, path, self._faults, need=False)
        if not all(isinstance(item, str) for item in found):
            self._faults.warn("odd_value", "what is no text is left empty", child(path, key))
        return [item if isinstance(item, str) else "" for item in found]
