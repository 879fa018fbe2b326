"""What rules do with texts: take facts from them, sum them up, answer from them. By copying; nothing is made up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memarena.records import AskedQuestion, Shown, ShownItem
from memarena_arena.extractive import ExtractiveAnswerer
from memarena_arena.language.lines import ROLES, Line, lines

MOST_FACTS = 50
FEWEST_WORDS = 3
"""Words below which a sentence says nothing worth keeping."""
SUMMARY_WORDS = 60

_QUESTION = re.compile(r"[?？][\"'”’)\]]*\s*$")
_SMALL_TALK = re.compile(
    r"\W*(?:hi|hello|hey|thanks|thank you|good (?:morning|evening|night)|you're welcome|sure|great|wow|bye|ok(?:ay)?)\b"
    r"[^.!?]{0,40}[.!?]*\s*$",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"^[ \t#*>]*(?:new messages?|input|conversation|dialogue|dialog|transcript|messages?|text|content|session)"
    r"[ \t*]*(?::[ \t]*|\n)",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)


def subject(message: str) -> str:
    """The part of a message to work on: its last section of input, or what follows a line that ends in `:`."""
    sections = list(_SECTION.finditer(message))
    if sections:
        rest = message[sections[-1].end() :]
        heading = _HEADING.search(rest)
        found = rest[: heading.start()] if heading else rest
        if found.strip():
            return found.strip()
    first, _, rest = message.partition("\n")
    return rest.strip() if first.rstrip().endswith(":") and rest.strip() else message.strip()


def facts(text: str) -> list[str]:
    """The statements of `text`, one a sentence, with who said them and when where the text tells both."""
    found: dict[str, None] = {}
    for line in lines(text):
        found.update(dict.fromkeys(_facts_of(line)))
        if len(found) >= MOST_FACTS:
            break
    return list(found)[:MOST_FACTS]


def _facts_of(line: Line) -> Iterator[str]:
    if line.is_caption:
        yield f"image_id: {line.image_id}\nimage_caption: {line.body}" if line.image_id else line.body
        return
    named = line.speaker if line.day or line.speaker.lower() not in ROLES else ""
    day = f" ({line.day.day} {line.day:%B %Y})" if line.day else ""
    head = f"{named or 'user'}{day}: " if named or day else ""
    for sentence in line.sentences:
        if len(sentence.split()) >= FEWEST_WORDS and not _QUESTION.search(sentence) and not _SMALL_TALK.match(sentence):
            yield head + sentence


def summary(text: str, words: int = SUMMARY_WORDS) -> str:
    """The first facts of `text`, up to so many words; of a single longer one, its beginning."""
    kept: list[str] = []
    left = words
    for fact in facts(text) or [" ".join(text.split())]:
        size = len(fact.split())
        if size > left:
            if not kept:
                kept.append(" ".join(fact.split()[:left]))
            break
        kept.append(fact)
        left -= size
    return " ".join(kept)


def question_of(message: str) -> str:
    """The question that a message asks: its last sentence, or the last question of somebody who speaks for himself.

    "" where it asks none; questions within a conversation that is told are not asked here.
    """
    found = lines(message)
    sentences = [each for line in found for each in line.sentences]
    if any(line.speaker for line in found):
        sentences = sentences[-1:]
    return next((each for each in reversed(sentences) if _QUESTION.search(each)), "")


def answer(question: str, texts: Sequence[str]) -> str:
    """The answer to `question` from `texts`, as the embedded answerer gives it; abstains where nothing bears on it."""
    items = tuple(ShownItem(rank=place, memory_id=str(place), text=text) for place, text in enumerate(texts, 1))
    return ExtractiveAnswerer().answer(AskedQuestion(question_id="", text=question), Shown(items=items)).text
