"""The questions of Mem-Gallery, and the rounds that they rest on.

The file's types are other ones than ours, though some have the same letters: FR there is a list over several rounds,
MR the recall of one thing, VR what is seen or counted in pictures, KR the latest stance, CD a conflict, AR a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memarena.records import NOT_MENTIONED, Attachment, Evidence, Question, Session, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.language.abstention import abstains
from memarena_arena.public import fields
from memarena_arena.public.memgallery_rounds import Gallery

KEY = "human-annotated QAs"
TYPES: Mapping[str, str] = {
    "FR": "FR",
    "MR": "FR",
    "VR": "VFR",
    "VS": "VS",
    "TTL": "TTL",
    "TR": "TR",
    "KR": "DU",
    "CD": "MC",
    "AR": "MB",
}
"""Type of the file (`point`) -> question type."""
REFUSAL = "AR"

_YES_OR_NO = re.compile(r"(?:yes|no)\b", re.IGNORECASE)
_IMAGE = re.compile(r"\b\w{1,20}:IMG_\w{1,20}", re.ASCII)
_FIELDS = frozenset({"point", "question", "answer", "session_id", "clue", "question_image", "image_caption"})


def read_questions(
    raw: Mapping[str, Any], sessions: Sequence[Session], gallery: Gallery, unread: fields.Unread, faults: Faults
) -> tuple[Question, ...]:
    """The questions in file order, `end:Q001`, ...; what is odd goes to `faults`."""
    path = f"$['{KEY}']"
    if raw.get(KEY) is None:
        faults.warn("no_questions", "the dialogue has no questions", path)
        return ()
    reader = _Reader(sessions, gallery, unread, faults)
    found = [
        reader.question(item, number, f"{path}[{number}]")
        for number, item in enumerate(fields.a_list(raw, KEY, "$", faults))
    ]
    return tuple(question for question in found if question is not None)


class _Reader:
    """Reads questions against the rounds of their dialogue."""

    def __init__(self, sessions: Sequence[Session], gallery: Gallery, unread: fields.Unread, faults: Faults) -> None:
        self._gallery = gallery
        self._unread = unread
        self._faults = faults
        self._rounds: dict[str, list[Turn]] = {}
        self._images: dict[str, str] = {}
        """Picture id -> round."""
        for turn in (turn for session in sessions for turn in session.turns):
            name = turn.turn_id[:-1]
            self._rounds.setdefault(name, []).append(turn)
            self._images.update(dict.fromkeys((picture.image_id for picture in turn.attachments), name))
        self._asked: dict[tuple[str, str], tuple[str, str]] = {}

    def question(self, given: Any, number: int, path: str) -> Question | None:
        raw = fields.an_object(given, "question", path, self._faults)
        if raw is None:
            return None
        self._unread.tell(raw, _FIELDS, "question", path, self._faults)
        text = fields.a_question(raw, path, self._faults)
        reference, aliases = fields.either(fields.answers(raw.get("answer"), f"{path}.answer", self._faults))
        kind = raw.get("point")
        if not isinstance(kind, str) or kind not in TYPES:
            self._faults.warn("odd_type", f"{quoted(kind)} is no type that is known: UNKNOWN", f"{path}.point")
            kind = kind if isinstance(kind, str) else ""
        evidence = self._evidence(raw, path)
        attachments = self._picture(raw, path)
        answerable = kind != REFUSAL or bool(evidence)
        self._note_answer(reference, evidence, answerable=answerable, path=path)
        self._note_sessions(raw, evidence, answerable=answerable, path=path)
        self._note_repeats(text, reference, str(raw.get("question_image") or ""), path)
        return Question(
            question_id=f"end:Q{number + 1:03}",
            text=text,
            reference=reference if answerable else NOT_MENTIONED,
            aliases=aliases if answerable else (),
            type=TYPES.get(kind, "UNKNOWN"),
            evidence=evidence,
            answerable=answerable,
            attachments=attachments,
            raw_type=kind,
        )

    def _picture(self, raw: Mapping[str, Any], path: str) -> tuple[Attachment, ...]:
        """The picture that the question carries."""
        name, caption = raw.get("question_image"), raw.get("image_caption")
        if isinstance(caption, list):
            caption = next((item for item in caption if isinstance(item, str)), "")
            self._faults.note("list_for_text", "a list where the other questions have a text", f"{path}.image_caption")
        caption = caption if isinstance(caption, str) else ""
        if name is None and not caption:
            return ()
        if not isinstance(name, str):
            problem = "a caption without a picture: the picture is missing"
            self._faults.warn("caption_without_picture", problem, f"{path}.image_caption")
            name = ""
        # Without an id: answers name pictures of the dialogue by theirs, and none is this one.
        return (self._gallery.attachment(name, "", caption, f"{path}.question_image", self._faults),)

    def _evidence(self, raw: Mapping[str, Any], path: str) -> tuple[Evidence, ...]:
        found: dict[str, Evidence] = {}
        for number, name in enumerate(fields.a_list(raw, "clue", path, self._faults, need=False)):
            where = f"{path}.clue[{number}]"
            if not isinstance(name, str) or not name.strip():
                self._faults.warn("no_evidence_id", f"{quoted(name)} names no round; left out", where)
            elif name in found:
                self._faults.note("duplicate_evidence", f"{name} is named twice", where)
            else:
                found[name] = self._resolved(name.strip(), where)
        return tuple(found.values())

    def _resolved(self, name: str, path: str) -> Evidence:
        turns = self._rounds.get(name)
        if turns is None:
            self._faults.warn("unresolved_evidence", f"no round {quoted(name)}", path)
            return Evidence(evidence_id=name)
        picture = next((shown for turn in turns for shown in turn.attachments), None)
        return Evidence(
            evidence_id=name,
            content="\n".join(turn.text for turn in turns),
            session_id=turns[0].session_id,
            turn_ids=tuple(turn.turn_id for turn in turns),
            image_id=picture.image_id if picture else "",
            caption=picture.caption_full if picture else "",
            kind="turn",
            modality="mixed" if picture else "text",
        )

    def _note_answer(self, reference: str, evidence: Sequence[Evidence], *, answerable: bool, path: str) -> None:
        faults, where = self._faults, f"{path}.answer"
        if not answerable:
            faults.note("unanswerable", "a refusal: the reference is that it was not mentioned", where)
            if not abstains(reference):
                problem = f"a refusal with the answer {quoted(reference)}; it is not the reference"
                faults.warn("refusal_with_answer", problem, where)
        elif not evidence:
            faults.note("no_evidence", "nothing to retrieve: it is asked, not ranked", f"{path}.clue")
        if _YES_OR_NO.match(reference):
            faults.note("yes_no_answer", "right half the time for whoever guesses", where)
        named = list(dict.fromkeys(_IMAGE.findall(reference)))
        if named:
            faults.note("picture_answer", "the answer names pictures by their ids", where)
        rounds = {item.evidence_id for item in evidence}
        for name in named:
            if name not in self._images:
                faults.warn("answer_names_no_picture", f"there is no picture {quoted(name)}", where)
            elif self._images[name] not in rounds:
                faults.note("answer_outside_evidence", f"the round of {name} is no evidence", where)

    def _note_sessions(
        self, raw: Mapping[str, Any], evidence: Sequence[Evidence], *, answerable: bool, path: str
    ) -> None:
        """Compare the sessions that the question names, which are not read, with those of its evidence."""
        where = f"{path}.session_id"
        given = raw.get("session_id")
        named = {name for name in (given if isinstance(given, list) else [given]) if isinstance(name, str)}
        if not answerable and named:
            self._faults.note("sessions_of_refusal", "a refusal that names sessions all the same", where)
        elif answerable and named != {item.session_id for item in evidence if item.session_id}:
            self._faults.note("other_sessions", "not the sessions of its evidence; the evidence counts", where)

    def _note_repeats(self, text: str, reference: str, picture: str, path: str) -> None:
        earlier, its_reference = self._asked.setdefault((text, picture), (path, reference))
        if earlier != path:
            self._faults.note("duplicate_question", f"the same question as {earlier}, kept", path)
            if its_reference != reference:
                problem = f"another reference than {earlier} for the same question"
                self._faults.warn("conflicting_question", problem, path)
