"""The facts of a sample, and which text of a memory supports which of them, session by session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from memarena.judgements import NO_POINT
from memarena.records import Evidence, JudgementRequest, Label, MemoryItem, RetrievedItem, Sample, SampleRecord
from memarena_arena.metrics import softmatch
from memarena_arena.scorers.kept import WRITES

_NONE: frozenset[int] = frozenset()

Text = tuple[str, str]
"""What can support a fact: a text and the id of a picture, or ""."""


class Facts:
    """The distinct facts of a sample, numbered: gold points, what they replace, and the evidence of questions."""

    def __init__(self, sample: Sample) -> None:
        self._places: dict[Text, int] = {}
        self._captions: list[str] = []
        for session in sample.sessions:
            for point in session.points:
                self._add(point.content)
                for old in point.replaces:
                    self._add(old)
        for checkpoint in sample.checkpoints:
            for question in checkpoint.questions:
                for evidence in chain.from_iterable(question.evidence_sets):
                    self._add(evidence.content or "", evidence.image_id, evidence.caption)
                    for old in evidence.replaces:
                        self._add(old)

    def place(self, content: str, image: str = "") -> int | None:
        """The number of a fact; None where it has no content."""
        return self._places.get((content, image))

    def of(self, evidence: Evidence) -> int | None:
        """The number of the fact on which a question rests."""
        return self.place(evidence.content or "", evidence.image_id)

    def request(self, texts: Sequence[Text]) -> JudgementRequest:
        """Asks which of the facts each of `texts` supports."""
        images = [image for _, image in self._places]
        pictured = any(images)
        return JudgementRequest(
            task="support",
            items=tuple(text for text, _ in texts),
            item_images=tuple(image for _, image in texts) if any(image for _, image in texts) else (),
            points=tuple(content for content, _ in self._places),
            point_images=tuple(images) if pictured else (),
            point_captions=tuple(self._captions) if pictured else (),
        )

    def __len__(self) -> int:
        return len(self._places)

    def _add(self, content: str, image: str = "", caption: str = "") -> None:
        if content.strip() and (content, image) not in self._places:
            self._places[content, image] = len(self._places)
            self._captions.append(caption)


class Holding(NamedTuple):
    """What is known of the facts after one session."""

    active: frozenset[int]
    """Facts that an active item supports."""
    held: frozenset[int]
    """Facts that any item supports."""
    aside: frozenset[int]
    """Gold facts that are true and were active, and that only archived or suppressed items support now."""
    written: frozenset[int]
    """Facts that anything written or kept up to now supported."""
    complete: bool
    """No judgement up to now failed."""


class Support:
    """Which facts each text supports, from the labels of `requests`."""

    def __init__(self, record: SampleRecord, labels: Mapping[str, Label | None]) -> None:
        self.facts = Facts(record.sample)
        self._by_text: dict[Text, frozenset[int] | None] = {}
        for session_id, texts in _new_texts(record):
            label = labels.get(_name(session_id))
            fits = label is not None and len(label.verdicts) == len(texts)
            verdicts = label.verdicts if label is not None and fits else (None,) * len(texts)
            for text, verdict in zip(texts, verdicts, strict=True):
                self._by_text[text] = None if verdict is None else _places(verdict)
        self._pictured = {text: image for text, image in self._by_text if image}

    def of(self, text: str, image: str = "") -> frozenset[int] | None:
        """The facts that a text which was written or kept supports; None where its judgement failed."""
        return self._by_text.get((text, image), _NONE)

    def of_change(self, text: str) -> frozenset[int] | None:
        """The facts that the text of a change supports; the picture of its item, which it does not name, counts."""
        return self.of(text) if (text, "") in self._by_text else self.of(text, self._pictured.get(text, ""))

    def of_retrieved(self, item: RetrievedItem, kept: Mapping[str, MemoryItem]) -> frozenset[int] | None:
        """The facts that an item of a list supports, by its text, or else by what is kept under its id."""
        known = (item.text, item.image_id) in self._by_text or item.memory_id not in kept
        if known:
            return self.of(item.text, item.image_id)
        return self.of(kept[item.memory_id].text, kept[item.memory_id].image_id)

    def holdings(self, record: SampleRecord) -> list[Holding]:
        """What is known after each session, in order."""
        found: list[Holding] = []
        written, believed, complete = _NONE, _NONE, True
        for session, true in zip(record.sessions, true_facts(record.sample, self.facts), strict=False):
            told = [self.of_change(change.text) for change in session.changes if change.op in WRITES]
            held: set[int] = set()
            active: set[int] = set()
            for item in session.snapshot:
                supported = self._by_text.get((item.text, item.image_id), _NONE)
                if supported is None:
                    complete = False
                elif supported:
                    held |= supported
                    if item.status == "active":
                        active |= supported
            written, believed = written | held | _union(told), believed | active
            aside = (believed & held & true) - active
            complete = complete and None not in told
            found.append(Holding(frozenset(active), frozenset(held), aside, written, complete))
        return found


def requests(record: SampleRecord) -> dict[str, JudgementRequest]:
    """The judgements that `Support` reads: one a session that has new texts."""
    facts = Facts(record.sample)
    if not len(facts):
        return {}
    return {_name(session_id): facts.request(texts) for session_id, texts in _new_texts(record)}


def true_facts(sample: Sample, facts: Facts) -> Iterator[frozenset[int]]:
    """After each session, the new and update points that were told and that no later session has replaced."""
    places: dict[str, set[int]] = {}
    true: frozenset[int] = _NONE
    for session in sample.sessions:
        points = session.gold("new", "update")
        over = {softmatch.passage(old).joined for point in points for old in point.replaces}
        true = true.difference(*(places.get(name, ()) for name in over))
        for point in points:
            place = facts.place(point.content)
            if place is not None:
                places.setdefault(softmatch.passage(point.content).joined, set()).add(place)
                true |= {place}
        yield true


def _name(session_id: str) -> str:
    return f"support:{session_id}"


def _new_texts(record: SampleRecord) -> list[tuple[str, list[Text]]]:
    """Per session, the texts that were written or are kept for the first time, in order."""
    seen: set[Text] = set()
    found: list[tuple[str, list[Text]]] = []
    for session in record.sessions:
        written = [(change.text, "") for change in session.changes if change.op in WRITES]
        kept = [(item.text, item.image_id) for item in session.snapshot]
        # The text of a change is that of its item, whose picture it does not name.
        pictured = {text for text, image in kept if image}
        new = dict.fromkeys(
            text
            for text in (*kept, *(text for text in written if text[0] not in pictured))
            if text not in seen and (text[0].strip() or text[1])
        )
        if new:
            seen.update(new)
            found.append((session.unit, list(new)))
    return found


def _places(verdict: str) -> frozenset[int]:
    return _NONE if verdict == NO_POINT else frozenset(map(int, verdict.split()))


def _union(many: Iterable[frozenset[int] | None]) -> frozenset[int]:
    return _NONE.union(*filter(None, many))
