"""The part of a sentence that answers: a date, a duration, a number, a name, a place, a reason, or the sentence."""

from __future__ import annotations

import re

from memarena_arena.language.dates import WEEKDAYS, Period, write
from memarena_arena.language.dates import extract as find_dates
from memarena_arena.language.lexicon import NO_NAMES, NUMBERS, WEAK_NUMBERS
from memarena_arena.language.questions import Query
from memarena_arena.language.spoken import said
from memarena_arena.language.statements import statement
from memarena_arena.language.values import TIME, extract
from memarena_arena.language.words import is_content, stem
from memarena_arena.passages import Passage

SHORTEST = 8
"""Words below which there is no room for another sentence."""

_COUNTED = "|".join(sorted(NUMBERS, key=len, reverse=True))
_NUMBER = re.compile(rf"[$€£¥]?\b\d[\d,]*(?:\.\d+)?\s?(?:%|(?:k|million|billion|thousand)\b)?|\b(?:{_COUNTED})\b", re.I)
_DURATION = re.compile(
    rf"\b(?:(?:about|around|almost|over|nearly|more than)\s)?"
    rf"(?:\d+(?:\.\d+)?|a|an|{_COUNTED}|a few|few|several|a couple of)(?:\s(?:and a half|more))?"
    r"[\s-](?:year|month|week|day|hour|minute|decade)s?\b|\bsince (?:\d{4}|\w+ \d{4}|\w+day)\b",
    re.I,
)
_UNIT = re.compile(r"\bhow many (day|week|month|year)s\b", re.I)
_DAYNAME = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.I)
_CLOCK = (
    rf"(?:(?:half|(?:a\s)?quarter)\s(?:past|to)\s)?(?:\d{{1,2}}(?::\d\d)?|{_COUNTED})(?:\s?[ap]\.?m\b\.?|\so'clock|:\d\d)?"
    r"(?:\sin\sthe\s(?:morning|afternoon|evening)|\sat\snight)?|noon|midnight"
)
_HOUR = re.compile(
    rf"{_DAYNAME.pattern}(?:\s?(?:,|and|&|to)\s{_DAYNAME.pattern})*(?:,?\s(?:at\s|from\s)?(?:{_CLOCK})(?![\w%]))?"
    rf"|\b(?:{_CLOCK})(?![\w%])(?:,?\s(?:on\s)?{_DAYNAME.pattern}(?:\s?(?:,|and|&)\s{_DAYNAME.pattern})*)?",
    re.I,
)
_OFTEN = re.compile(
    rf"\b(?:(?:{_COUNTED}|several|multiple|many|a few|\d+)(?:\s(?:or|to)\s(?:{_COUNTED}|\d+))?\s(?:times\s)?"
    r"(?:an?|each|every|per)\s(?:day|week|month|year|night|hour)|(?:every|each)\s(?:single\s|other\s|\w+\s)?"
    r"(?:day|week|month|year|night|morning|evening|weekend|\w+day|hour|time)s?|daily|weekly|monthly|yearly|regularly|rarely"
    r"|once in a while|most (?:days|weeks|mornings|evenings|weekends)|all the time|never)\b",
    re.I,
)
_NAME = re.compile(r"(?:[A-Z][\w'&.-]*[\w])(?:\s+(?:of|the|de|van|and)?\s*[A-Z][\w'&.-]*\w)*")
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|around|visited|visiting|into|through)\s+"
    r"((?:the\s+|my\s+|our\s+|a\s+)?(?:[A-Z][\w'.-]+)(?:,?\s+[A-Z][\w'.-]+)*)"
)
_LEADS = re.compile(r"\b(?:in|at|to|from|near)\s+(?:the\s+)?$")
_REASON = re.compile(r"\b(?:because(?: of)?|since|so that|in order to|thanks to|due to)\s+(.+)|因为(.+)", re.I)
_FILLER = re.compile(
    r"^(?:an? (?:photo|picture|image|photography|screenshot) of\s"
    r"|(?:yeah|yes|yep|no|wow|oh|hey|hi|hello|well|sure|thanks|thank you|thx|absolutely|definitely|totally|exactly"
    r"|cool|great|awesome|nice|aw+|haha|lol|btw|by the way|anyway|actually|you know|of course|ok|okay|right|so)\b"
    r"(?:\s(?:so much|a lot|[A-Z]\w+))?(?:,\s[A-Z]\w+(?=[,!.]))?\s*[,!.…]+\s*)+",
    re.I,
)
_CLAUSE = re.compile(r"(?<=[,;:—–])\s+|\s+(?=(?:but|because|so|although|while)\b)")


def when(query: Query, passage: Passage) -> str | None:
    """The date of what a sentence tells: said in it, else in its line, else the day on which it was said."""
    regular = hour(query, passage) if (query.present or query.early) and not query.periods else None
    if regular and any(name in regular.lower() for name in WEEKDAYS):
        return regular
    found = moment(query, passage)
    return found[1] if found else None


def moment(query: Query, passage: Passage) -> tuple[Period, str] | None:
    """The same as a period, with the way to write it."""
    day = passage.day
    asked = set(query.periods)
    own = [each for each in said(passage.said.text, day) if each.period not in asked]
    if own:
        middle = _middle(passage.said.text, query.keys)
        best = min(own, key=lambda each: abs(each.start - middle))
        return best.period, best.phrase
    for sentence in passage.turn:
        for each in said(sentence.text, day):
            if each.period not in asked:
                return each.period, each.phrase
    return (Period(day, day), write(Period(day, day))) if day else None


def hour(query: Query, passage: Passage) -> str | None:
    """The days of the week with the time of day, or either, that a sentence states; the nearest to the question's
    words of those that say most."""
    text = passage.said.text
    found = [each for each in _HOUR.finditer(text) if _tells_hour(each[0])]
    if not found:
        return None
    middle = _middle(text, query.keys)

    def rank(each: re.Match[str]) -> tuple[bool, float]:
        whole = _DAYNAME.search(each[0]) is not None and any(char.isdigit() or char == " " for char in each[0])
        return not whole, abs(each.start() - middle)

    return min(found, key=rank)[0].strip(" ,")


def _tells_hour(text: str) -> bool:
    return _DAYNAME.search(text) is not None or any(each.key[0] == TIME for each in extract(text)[0])


def often(passage: Passage) -> str | None:
    """How often a sentence says that something happens."""
    found = _OFTEN.search(passage.said.text)
    return found[0] if found else None


def _middle(text: str, keys: frozenset[str]) -> float:
    """Where in a text the words with these keys stand, on average."""
    spots = [found.start() for found in re.finditer(r"[^\W\d_]+", text) if stem(found[0].lower()) in keys]
    return sum(spots) / len(spots) if spots else 0.0


def duration(passage: Passage) -> str | None:
    """A length of time that a sentence states."""
    found = _DURATION.search(passage.said.text)
    return found[0] if found else None


def gap(query: Query, passage: Passage) -> str | None:
    """A length of time that a sentence states, in the unit asked for."""
    found, asked = duration(passage), _UNIT.search(query.text)
    return found if found and (asked is None or asked[1].lower() in found.lower()) else None


def number(query: Query, passage: Passage) -> str | None:
    """The number of a sentence that stands nearest to what is counted; numbers of the question do not count."""
    text = find_dates(passage.said.text)[1]
    best: tuple[int, int, str] | None = None
    for found in _NUMBER.finditer(text):
        word = found[0].lower().strip()
        if word in WEAK_NUMBERS and word not in ("once", "couple", "pair"):
            continue
        keys = statement(found[0]).values
        if keys & query.keys or keys & passage.said.retired:
            continue
        following = re.findall(r"[^\W\d_]+", text[found.end() : found.end() + 30])[:3]
        near = any(stem(each.lower()) in (query.target or query.keys) for each in following)
        rank = (0 if near else 1, found.start(), found[0].strip(" ,"))
        best = min(best, rank) if best else rank
    return best[2] if best else None


def amount(query: Query, passage: Passage) -> str | None:
    """The number with the unit behind it."""
    found = number(query, passage)
    if found is None:
        return None
    tail = re.match(rf".*?{re.escape(found)}\s?([^\W\d_]{{1,12}}(?:/[a-z]+)?)?", passage.said.text, re.S)
    unit = tail[1] if tail and tail[1] and is_content(tail[1].lower()) and not found.startswith(("$", "€", "£")) else ""
    return f"{found} {unit}".strip()


def names(query: Query, passage: Passage) -> list[str]:
    """The names in a sentence that the question does not have, without those of places behind a preposition."""
    out = []
    text = passage.said.text
    for found in _NAME.finditer(text):
        if _LEADS.search(text, 0, found.start()):
            continue
        words = found[0].split()
        while words and words[0].lower() in NO_NAMES:
            words = words[1:]
        while words and words[-1].lower() in NO_NAMES:
            words = words[:-1]
        keys = {stem(word.lower()) for word in words}
        first = found.start() == 0 and len(words) == 1
        if words and not keys & query.keys and not keys & set(passage.text.speakers[passage.place]) and not first:
            out.append(" ".join(words))
    return list(dict.fromkeys(out))


def place(query: Query, passage: Passage) -> str | None:
    """The place that a preposition leads to and that the sentence does not retire."""
    for found in _PLACE.finditer(passage.said.text):
        keys = statement(found[1]).keys
        if keys and not keys & query.keys and not keys & passage.said.retired:
            return found[1].strip(".-")
    return None


def reason(passage: Passage) -> str | None:
    """What a sentence gives as the reason."""
    found = _REASON.search(passage.said.text)
    return (found[1] or found[2]).strip(" .") if found else None


def around(passage: Passage, keys: frozenset[str], words: int) -> str:
    """The sentence of a passage and, while there is room for `words`, what its turn says after and before it."""
    text, place = passage.text, passage.place
    out = [concise(passage.said.text, keys, words)]
    for step in (1, -1):
        other = place + step
        while 0 <= other < len(text.statements) and text.turns[other] == text.turns[place]:
            room = words - sum(len(each.split()) for each in out)
            said_there = text.statements[other]
            more = concise(said_there.text, keys, room) if room >= SHORTEST else ""
            if not more:
                break
            if not more.endswith("?") and said_there.keys - said_there.called:
                out = [*out, more] if step > 0 else [more, *out]
            other += step
    return " ".join(each for each in out if each)


def concise(text: str, keys: frozenset[str], words: int) -> str:
    """The sentence without what opens it, cut to the clauses around `keys` where it is longer than `words`."""
    text = _FILLER.sub("", text).strip() or text
    if len(text.split()) <= words:
        return text
    clauses = [piece for piece in _CLAUSE.split(text) if piece.strip()]
    if len(clauses) == 1:
        return " ".join(text.split()[:words])
    marks = [len(statement(piece).keys & keys) for piece in clauses]
    centre = max(range(len(clauses)), key=lambda at: (marks[at], -at))
    first = last = centre
    while True:
        room = words - len(" ".join(clauses[first : last + 1]).split())
        if last + 1 < len(clauses) and len(clauses[last + 1].split()) <= room:
            last += 1
        elif first > 0 and len(clauses[first - 1].split()) <= room:
            first -= 1
        else:
            break
    return " ".join(" ".join(clauses[first : last + 1]).split()[:words]).strip(" ,;")
