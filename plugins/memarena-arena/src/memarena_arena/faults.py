"""What is odd in one file of a data set, gathered while it is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from memarena.errors import DataError
from memarena.protocols import LoadReport
from memarena.records import Finding

PLAIN_NAME = re.compile(r"(?!\.+\Z)[A-Za-z0-9._+=@-]{1,128}")
"""What an id may look like (`fullmatch`): it becomes the name of a folder, and `.` and `..` never do."""

_STEP = re.compile(r"\.[A-Za-z_]\w*|\[[^\]]*\]")


class Faults:
    """The findings of one file, in the order in which they were met.

    A fault inside a part that is already refused is not told again. Of each code the first `keep` are told apart; the
    others only count.
    """

    def __init__(self, file: str, keep: int = 1000) -> None:
        self.file = printable(file)
        self.findings: list[Finding] = []
        self.refused = False
        self.quiet = False
        """Tell refusals only."""
        self._refused_parts: set[str] = set()
        self._keep = keep
        self._counts: Counter[str] = Counter()
        self._last: dict[str, Finding] = {}

    def note(self, code: str, message: str, path: str = "") -> None:
        """Something to know that changes nothing."""
        self._add(code, "note", message, path)

    def warn(self, code: str, message: str, path: str = "") -> None:
        """Something that was mended or left out without guessing."""
        self._add(code, "warning", message, path)

    def refuse(self, code: str, message: str, path: str = "$") -> None:
        """Something that would make a score ambiguous or unsafe: the sample is left out, a run does not start."""
        self._add(code, "refused", message, path)

    def refuse_error(self, error: DataError, code: str) -> None:
        """Take over a DataError as a refusal."""
        self.refuse(code, error.problem, error.path or "$")

    def drain_into(self, report: LoadReport) -> None:
        """Hand all findings over to `report`."""
        for finding in self.findings:
            report.add(finding)

    def _add(self, code: str, level: Literal["note", "warning", "refused"], message: str, path: str) -> None:
        if self.quiet and level != "refused":
            return
        if self.refused and not self._refused_parts.isdisjoint(_parts(path)):
            return
        self._counts[code] += 1
        if self._counts[code] <= self._keep:
            self._last[code] = Finding(code=code, level=level, message=message, file=self.file, path=path)
            if level == "refused":
                self._refused_parts.add(path)
        self.refused = self.refused or level == "refused"
        self.findings.append(self._last[code])


def _parts(path: str) -> Iterator[str]:
    """The path itself and every part of the file that holds it, except the whole file."""
    for step in _STEP.finditer(path):
        yield path[: step.end()]


def no_plain_name(name: str) -> str:
    """The message for a name that `PLAIN_NAME` does not match."""
    return f"{quoted(name)} is no plain name (1 to 128 of A-Z a-z 0-9 . _ + = @ -, not only dots)"


def quoted(value: object, limit: int = 60) -> str:
    """`value` on one line of at most `limit` characters, for a message."""
    text = value[: limit + 1] if isinstance(value, str) else repr(value)
    text = printable(text)
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return f"'{text}'" if isinstance(value, str) else text


def printable(text: str) -> str:
    """`text` with its escape for each character that would move the cursor or that UTF-8 cannot hold."""
    if text.isprintable():
        return text
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape", "surrogatepass").decode() for mark in text
    )


def kind_of(value: object) -> str:
    """What JSON calls `value`, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
