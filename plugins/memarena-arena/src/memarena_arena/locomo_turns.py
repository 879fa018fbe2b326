"""LoCoMo's dialogue -> sessions and turns.

Two people talk to each other, so the first (`speaker_a`) is projected to the role `user` and the other to
`assistant`; `Turn.speaker` always holds the name. The pictures were not released: an attachment has its caption and
is `missing`. The words that were used to search for a picture (`query`) give gold answers away and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memarena.memory import whole_text
from memarena.records import Attachment, Session, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.jsonpath import child
from memarena_arena.locomo_files import SESSION, Conversation
from memarena_arena.times import KnownTimes, parse

_DATE = re.compile(r"session_(\d{1,6})_date_time")
_DIA_ID = re.compile(r"D(\d{1,6}):(\d{1,6})")
_ODD_SPACE = re.compile(r"[^\S ]")


def read_sessions(conversation: Conversation, faults: Faults) -> tuple[Session, ...]:
    """The sessions that have turns, by number; oddities go to `faults`."""
    dialogue, path = conversation.dialogue, conversation.dialogue_path
    if not isinstance(dialogue, dict):
        faults.refuse("no_conversation", "the conversation must be an object", path)
        return ()
    numbered = _numbered_sessions(dialogue, path, faults)
    roles = _roles(dialogue, path, faults)
    seen: set[str] = set()
    sessions = []
    for number, key in sorted(numbered.items()):
        raw = dialogue[key]
        if not isinstance(raw, list):
            faults.refuse("session_not_a_list", "a session is a list of turns", f"{path}.{key}")
        elif not raw:
            faults.warn("empty_session", "the session has no turns and is left out", f"{path}.{key}")
        else:
            reader = _SessionReader(number, _time(dialogue, number, path, faults), roles, seen, faults)
            sessions.append(reader.read(raw, f"{path}.{key}"))
    if not sessions and not faults.refused:
        faults.refuse("no_sessions", "no session has turns", path)
    _check_order(sessions, path, faults)
    return tuple(sessions)


def _numbered_sessions(dialogue: Mapping[str, Any], path: str, faults: Faults) -> dict[int, str]:
    numbered: dict[int, str] = {}
    for key in dialogue:
        if found := SESSION.fullmatch(key):
            number = int(found[1])
            if number in numbered:
                faults.refuse("repeated_session", f"the same session as {numbered[number]}", f"{path}.{key}")
            numbered[number] = key
    for key in dialogue:
        if (found := _DATE.fullmatch(key)) and int(found[1]) not in numbered:
            faults.note("date_without_session", "a date of a session that is not there", f"{path}.{key}")
    return numbered


def _roles(dialogue: Mapping[str, Any], path: str, faults: Faults) -> dict[str, str]:
    roles: dict[str, str] = {}
    for key, role in (("speaker_a", "user"), ("speaker_b", "assistant")):
        name = dialogue.get(key)
        if not isinstance(name, str) or not name or name in roles:
            faults.warn("odd_speaker", f"{key} must be a name of its own", f"{path}.{key}")
        else:
            roles[name] = role
    return roles


def _time(dialogue: Mapping[str, Any], number: int, path: str, faults: Faults) -> str | None:
    for key in (f"session_{number}_date_time", f"session_{number:02d}_date_time"):
        if key in dialogue:
            value = dialogue[key]
            if isinstance(value, str) and value.strip():
                if parse(value.strip()) is None:
                    faults.warn("odd_session_time", f"{quoted(value)} is kept as it is", f"{path}.{key}")
                return value
            faults.warn("odd_session_time", "the date is no text; the session has none", f"{path}.{key}")
            return None
    faults.warn("no_session_time", "the session has no date", f"{path}.session_{number}_date_time")
    return None


def _check_order(sessions: Sequence[Session], path: str, faults: Faults) -> None:
    times, latest = KnownTimes(), ""
    for session in sessions:
        key = times.sort_key(session.time.strip()) if session.time is not None else None
        if key is not None and key < latest:
            message = f"session {session.session_id} begins before an earlier one; the order of the numbers is kept"
            faults.warn("sessions_out_of_order", message, path)
        latest = max(latest, key or "")


class _SessionReader:
    """Reads the turns of one session; `seen` holds the turn ids of the conversation."""

    def __init__(self, number: int, time: str | None, roles: Mapping[str, str], seen: set[str], faults: Faults) -> None:
        self._number = number
        self._time = time
        self._roles = roles
        self._seen = seen
        self._faults = faults
        self._pictures = 0
        self.session_id = f"S{number:02d}"

    def read(self, raw: list[Any], path: str) -> Session:
        turns = [self._turn(item, index, f"{path}[{index}]") for index, item in enumerate(raw)]
        return Session(
            session_id=self.session_id,
            turns=tuple(turn for turn in turns if turn is not None),
            time=self._time,
        )

    def _turn(self, raw: Any, index: int, path: str) -> Turn | None:
        if not isinstance(raw, dict):
            self._faults.refuse("turn_not_an_object", "a turn is an object", path)
            return None
        body = raw.get("text", "")
        if not isinstance(body, str):
            self._faults.refuse("text_not_a_text", "what was said must be a text", f"{path}.text")
            return None
        if not body.strip():
            self._faults.warn("empty_text", "the turn says nothing", f"{path}.text")
        elif _ODD_SPACE.search(body):
            self._faults.note("odd_white_space", "white space other than blanks, kept", f"{path}.text")
        speaker, role = self._speaker(raw, path)
        attachments = self._attachments(raw, path)
        return Turn(
            turn_id=self._turn_id(raw.get("dia_id"), index, path),
            session_id=self.session_id,
            index=index,
            role=role,
            speaker=speaker,
            text=whole_text(body, attachments),
            body=body,
            time=self._time,
            attachments=attachments,
        )

    def _turn_id(self, given: Any, index: int, path: str) -> str:
        place = f"D{self._number}:{index + 1}"
        found = _DIA_ID.fullmatch(given) if isinstance(given, str) else None
        if found is None:
            self._faults.warn("odd_dia_id", f"not an id such as D1:3; taken for {place}", f"{path}.dia_id")
            turn_id = place
        else:
            turn_id = f"D{int(found[1])}:{int(found[2])}"
            if turn_id != place:
                self._faults.warn("dia_id_off_place", f"{turn_id} stands at {place}", f"{path}.dia_id")
        if turn_id in self._seen:
            self._faults.refuse("repeated_dia_id", f"{turn_id} is used twice", f"{path}.dia_id")
        self._seen.add(turn_id)
        return turn_id

    def _speaker(self, raw: Mapping[str, Any], path: str) -> tuple[str, str]:
        name = raw.get("speaker")
        if not isinstance(name, str):
            self._faults.warn("no_speaker", "the turn names no speaker; its role is user", f"{path}.speaker")
            return "", "user"
        if name not in self._roles:
            message = f"{quoted(name)} is neither speaker_a nor speaker_b; the role is user"
            self._faults.warn("unknown_speaker", message, f"{path}.speaker")
        return name, self._roles.get(name, "user")

    def _attachments(self, raw: Mapping[str, Any], path: str) -> tuple[Attachment, ...]:
        urls, caption = self._urls(raw, path), self._caption(raw, path)
        if caption and not urls:
            self._faults.note("caption_without_url", "a caption without a picture", f"{path}.blip_caption")
        for place in range(len(urls)):
            where = f"{path}.img_url" + (f"[{place}]" if isinstance(raw["img_url"], list) else "")
            self._faults.note("picture_not_released", "the picture is an address only", where)
        if urls and "query" not in raw:
            self._faults.note("picture_without_query", "no search words (they are not read)", f"{path}.img_url")
        if "re-download" in raw:
            self._faults.note("redownload_flag", "a flag of the makers, not read", child(path, "re-download"))
        captions = [caption] * min(1, len(urls) or len(caption)) + [""] * (len(urls) - 1)
        return tuple(self._attachment(text) for text in captions)

    def _attachment(self, caption: str) -> Attachment:
        self._pictures += 1
        image_id = f"{self.session_id}_img_{self._pictures}"
        return Attachment(image_id=image_id, caption=caption, caption_full=caption, missing=True)

    def _urls(self, raw: Mapping[str, Any], path: str) -> list[str]:
        given = raw.get("img_url", [])
        urls = [given] if isinstance(given, str) else given
        if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
            self._faults.warn("odd_picture", "must be a list of addresses; left out", f"{path}.img_url")
            return []
        return urls

    def _caption(self, raw: Mapping[str, Any], path: str) -> str:
        caption = raw.get("blip_caption", "")
        if isinstance(caption, str):
            return caption.strip()
        self._faults.warn("odd_caption", "a caption must be a text; left out", f"{path}.blip_caption")
        return ""
