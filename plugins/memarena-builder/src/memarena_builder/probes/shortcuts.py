"""The shortcuts: each answers without memory what only memory should answer; none may do so too often."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from memarena.records import TYPES
from memarena_builder.probes.finished import Finished, Question
from memarena_builder.probes.words import Bm25, NaiveBayes, auc
from memarena_builder.questions.mix import SIZES
from memarena_builder.validators.problem import plain, says

VISUAL = ("VFR", "VU", "CMR")
_DENIES = re.compile("[,，]")
"""The answer to a claim that is not so goes on to say what is."""
GUESS = 1.5
"""Times the chance of a fair guess among the answers of a family, at most."""
LONGEST = 100.0
"""Words of an answer, on average, beyond which something must be wrong."""
ASIDE = 0.05
"""How far the share of a class of questions, by pieces of evidence, may be off."""
FEW = 30
"""Cases below which a gate says nothing."""
MANY = 300
"""Questions below which a share is off by `ASIDE` by chance too often: from here on, less than once in ten times."""
Verdict = Literal["holds", "outside", "too few"]


_NAMES = re.compile(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*|\d[\w.,:/-]*")


class Reading(NamedTuple):
    """What one probe measured."""

    probe: str
    of: str
    """The type of question; `all` where it is measured over all."""
    value: float
    n: int
    low: float
    high: float
    """The range within which it has to be."""
    target: float | None = None
    """What it should be best; None where any value in the range is as good."""
    enough: int = FEW
    """Cases below which it says nothing."""

    @property
    def verdict(self) -> Verdict:
        """Whether it is within its range; `too few` where there are too few cases to tell."""
        if self.n < self.enough:
            return "too few"
        return "holds" if self.low <= self.value <= self.high else "outside"

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return self.verdict != "outside"


def _share(probe: str, of: str, hits: Sequence[float], high: float, low: float = 0.0) -> Reading:
    return Reading(probe, of, sum(hits) / len(hits) if hits else low, len(hits), low, high)


def _around_half(error: float) -> tuple[float, float]:
    """0.45 to 0.55, or what a fair coin stays within where there are few cases; `error`: its standard error."""
    width = max(0.05, 1.96 * error)
    return round(0.5 - width, 3), round(0.5 + width, 3)


def _balance(probe: str, of: str, hits: Sequence[float]) -> Reading:
    low, high = _around_half(0.5 * max(len(hits), 1) ** -0.5)
    return _share(probe, of, hits, high, low)


def _all(samples: Sequence[Finished], *types: str) -> Iterator[tuple[Finished, Question]]:
    for sample in samples:
        for question in sample.questions:
            if not types or question.type in types:
                yield sample, question


def _told(sample: Finished, session: int) -> list[str]:
    """The turns up to a session, as they are searched."""
    return [plain(turn.text) for turn in sample.turns if turn.session <= session]


def visible(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Visual answers that stand in some turn told so far."""
    for kind in VISUAL:
        hits = [
            float(any(says(text, plain(each.answer)) for text in _told(sample, each.session)))
            for sample, each in _all(samples, kind)
        ]
        yield _share("visual answer in text", kind, hits, 0.005)


def in_captions(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Visual answers that stand in some caption."""
    hits = [
        float(any(says(plain(spec["caption"]), plain(each.answer)) for spec in sample.pictures.values()))
        for sample, each in _all(samples, *VISUAL)
    ]
    yield _share("visual answer in captions", "all", hits, 0.03)


def in_two_turns(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Facts of dialogues whose value is told in one turn of the user, and whose it is in a later one."""
    hits = []
    for sample in (each for each in samples if each.is_dialogue):
        users = {(turn.session, turn.place) for turn in sample.turns if turn.role == "user"}
        for row in (each for each in sample.events if each["event"].get("fact")):
            told = sum((sample.places[row["session"]], place) in users for place in row["turns"])
            hits.append(float(told == 2 and not row.get("resolved_by")))
    yield _share("told in two turns", "all", hits, 0.2, 0.15)


def last_mention(samples: Sequence[Finished]) -> Iterator[Reading]:
    """DU answered by the newest turn that has a value that was ever told for it."""
    hits = []
    for sample, each in _all(samples, "DU"):
        candidates = [plain(value) for value in (each.answer, *each.values)]
        texts = _told(sample, each.session)
        newest = next(
            (value for text in reversed(texts) for value in candidates if says(text, value)), ""
        )  # fmt: skip
        hits.append(float(newest == plain(each.answer)))
    yield _share("last mention", "DU", hits, 0.75)


def lexical(samples: Sequence[Finished]) -> Iterator[Reading]:
    """The best turn by BM25 is evidence; and evidence is among the five best, which has no range."""
    first: dict[str, list[float]] = defaultdict(list)
    five: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for session in sorted({each.session for each in sample.questions}):
            turns = [turn for turn in sample.turns if turn.session <= session]
            index = Bm25([turn.text for turn in turns])
            for each in sample.questions:
                if each.session == session and each.turns:
                    best = [turns[place] for place in index.best(each.text, 5)]
                    hits = [(turn.session, turn.place) in each.turns for turn in best]
                    first[each.type].append(float(hits[0]))
                    five[each.type].append(float(any(hits)))
    for kind in TYPES:
        if first[kind]:
            yield _share("BM25 top-1", kind, first[kind], 0.45 if kind == "FR" else 0.35)
            yield _share("BM25 top-5", kind, five[kind], 1.0)


def position(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Where evidence stands: 0 in the first session, 1 in the last one told."""
    places: dict[str, list[float]] = defaultdict(list)
    for _, each in _all(samples):
        if each.sessions:
            places[each.type].append(sum(each.sessions) / len(each.sessions) / max(each.session, 1))
    for kind in TYPES:
        if places[kind]:
            yield _share("position of evidence", kind, places[kind], 0.6, 0.45)


def newest_picture(samples: Sequence[Finished]) -> Iterator[Reading]:
    """VS answered by the newest picture that shows something of the subject, where there are several."""
    hits = []
    for sample in samples:
        shown = [row["event"]["fact"] for row in sample.events if (row["event"].get("fact") or {}).get("image_id")]
        subject = {fact["image_id"]: fact["key"][0] for fact in shown}
        for each in sample.questions:
            told = [
                fact["image_id"]
                for fact in shown
                if each.type == "VS"
                and fact["key"][0] == subject.get(each.answer)
                and sample.told[fact["fact_id"]][0] <= each.session
            ]
            if len(set(told)) > 1:
                hits.append(float(told[-1] == each.answer))
    yield _share("newest picture", "VS", hits, 0.75)


def guess(samples: Sequence[Finished]) -> Iterator[Reading]:
    """The most frequent answer to other questions of the family is right."""
    by_family: dict[str, list[str]] = defaultdict(list)
    asked = [each for _, each in _all(samples) if not each.reason and each.type != "MC"]
    for each in asked:
        by_family[each.template].append(each.answer)
    hits = []
    chance = []
    for each in asked:
        others = Counter(by_family[each.template])
        chance.append(1 / len(others))
        others[each.answer] -= 1
        best, count = min(others.items(), key=lambda row: (-row[1], row[0]))
        hits.append(float(count > 0 and best == each.answer))
    fair = sum(chance) / max(len(chance), 1)
    yield _share("most frequent answer of the family", "all", hits, round(max(0.1, GUESS * fair), 3))


def unanswerable(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Words alone tell a question that cannot be answered from its twin, learnt from the other samples.

    A share below half is no leak: names are seldom in both, and what was learnt of a few is wrong by chance.
    """
    pairs: dict[str, tuple[list[str], list[str]]] = {}
    for sample, each in _all(samples):
        if each.twin:
            pairs.setdefault(sample.sample_id, ([], []))[0 if each.reason else 1].append(each.text)
    hits = []
    for name, sides in pairs.items():
        rest = [other for key, other in pairs.items() if key != name]
        known = NaiveBayes(*([text for other in rest for text in other[side]] for side in (0, 1)))
        hits += [auc([known.score(one)], [known.score(other)]) for one, other in zip(*sides, strict=True)]
    yield _balance("unanswerable by words", "MB", hits)._replace(low=0.0)


def options(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Where the right one stands among the options that a question offers: 0 is the first, 1 the last."""
    for kind in ("TR", "MC"):
        offered = (each for _, each in _all(samples, kind) if each.answer in each.options)
        places = [each.options.index(each.answer) / (len(each.options) - 1) for each in offered]
        if places:
            yield _balance("place among options", kind, places)


def pieces(samples: Sequence[Finished]) -> Iterator[Reading]:
    """How many pieces of evidence the answerable questions of dialogues rest on, in classes with a share each."""
    rows = [each.pieces for sample, each in _all(samples) if sample.is_dialogue and not each.reason]
    for size in SIZES:
        low, high = round(size.share - ASIDE, 2), round(size.share + ASIDE, 2)
        found = _share("pieces of evidence", size.name, [float(each in size) for each in rows], high, low)
        yield found._replace(target=size.share, enough=MANY)


def claims(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Yes is right, where it is yes or no."""
    asked = [each for _, each in _all(samples, "MC") if not each.options]
    yield _balance("yes", "MC", [float(not _DENIES.search(each.answer)) for each in asked])


def families(samples: Sequence[Finished]) -> Iterator[Reading]:
    """A question of `dev` is put in words in which one of `test` is put too, names and numbers aside."""
    own: dict[str, list[str]] = {"dev": [], "test": []}
    for sample, each in _all(samples):
        own[sample.split].append(_NAMES.sub("#", each.text[:1].lower() + each.text[1:]))
    known = set(own["test"])
    yield _share("words of the other split", "all", [float(text in known) for text in own["dev"]], 0.0)


def lengths(samples: Sequence[Finished]) -> Iterator[Reading]:
    """Words of an answer, by type; it has no range, and is there to be seen."""
    by_type: dict[str, list[float]] = defaultdict(list)
    for _, each in _all(samples):
        by_type[each.type].append(float(len(each.answer.split())))
    for kind in TYPES:
        if by_type[kind]:
            yield _share("words of an answer", kind, by_type[kind], LONGEST)


PROBES: tuple[Callable[[Sequence[Finished]], Iterator[Reading]], ...] = (
    visible, in_captions, in_two_turns, last_mention, lexical, position, newest_picture, guess, unanswerable, options,
    pieces, claims, families, lengths,
)  # fmt: skip
"""All probes; to add one, add it here."""


def measure(samples: Sequence[Finished]) -> list[Reading]:
    """What every probe measures on a data set."""
    return [reading for probe in PROBES for reading in probe(samples)]
