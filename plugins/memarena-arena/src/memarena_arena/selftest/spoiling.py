"""Texts that no longer tell what they told: each function gives a text, or None where it cannot spoil this one."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r"\b[\w-]*\d[\w:.,-]*\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_SUBJECT = re.compile(r"^(?:[A-Z][\w-]+)(?: [A-Z][\w-]+)*(?='s\b| )")
_BEING = re.compile(r"^(.*?)\b(is|are|was|were|has|have|had)\b")
_OTHER_DIGIT = str.maketrans("0123456789", "1032547698")
_ARTICLES = ("The", "In", "From", "On", "At", "One", "According", "Their", "A", "An", "When")


def other_numbers(text: str) -> str | None:
    """Every digit is another one: `Thursday at 17:30` becomes `Thursday at 06:21`."""
    return _changed(text, _NUMBER.sub(lambda found: found[0].translate(_OTHER_DIGIT), text))


def no_values(text: str) -> str | None:
    """Numbers, ids, times and names behind the subject are gone: `Ana lives in something`."""
    found = _SUBJECT.match(text)
    end = found.end() if found else 0
    return _changed(text, text[:end] + _NAME.sub("something", _VALUE.sub("some", text[end:])))


def of_another(text: str) -> str | None:
    """It is told of somebody else."""
    found = _SUBJECT.match(text)
    if found is None or found[0].split()[0] in _ARTICLES:
        return None
    return f"Gwendolyn Abernathy{text[found.end() :]}"


def denied(text: str) -> str | None:
    """It is told not to be so: `Ana is not in Leeds`."""
    found = _BEING.match(text)
    return None if found is None else f"{found[0]} not{text[found.end() :]}"


def begun(text: str) -> str:
    """It breaks off after a third of its words."""
    words = text.split()
    return " ".join(words[: max(1, len(words) // 3)])


def topic(text: str) -> str:
    """Only what it is about is left."""
    found = _SUBJECT.match(text)
    return f"Something was said about {found[0] if found else 'the matter'}."


def _changed(old: str, new: str) -> str | None:
    return None if new == old else new
