"""Rules that reply in words."""

from __future__ import annotations

import re

from memarena_models.offline_requests import Request
from memarena_models.offline_text import answer, question_of, subject, summary

SPOKEN_WORDS = 40
"""Words of a reply to somebody who asks nothing."""

_SUMMARISE = re.compile(r"\b(?:summar|condens|compress|shorten|abstract)", re.IGNORECASE)


class Summarise:
    """Sums a text up where the user says so, or where the system does and nothing is asked."""

    def matches(self, request: Request) -> bool:
        told = request.asked.replace(subject(request.asked), "")
        if _SUMMARISE.search(told):
            return True
        return _SUMMARISE.search(request.system) is not None and not question_of(request.asked)

    def reply(self, request: Request) -> str:
        return summary(subject(request.asked)) or "Nothing was said."


class Converse:
    """Answers a question from the rest of the conversation; otherwise repeats the gist of what was said."""

    def matches(self, request: Request) -> bool:
        return True

    def reply(self, request: Request) -> str:
        return spoken(request)


def spoken(request: Request) -> str:
    """A reply in words to the last message of the user, from the results of tools where there are some."""
    question = question_of(request.asked)
    if question:
        texts = request.results or _before(request)
        return answer(question, [text for text in texts if text.strip()])
    return summary(subject(request.asked), SPOKEN_WORDS) or "Noted."


def _before(request: Request) -> tuple[str, ...]:
    """All that was said, in order, the question itself left out."""
    question = question_of(request.asked)
    *earlier, last = [said.text for said in request.messages if said.role != "tool"]
    return (*earlier, last.replace(question, ""))
