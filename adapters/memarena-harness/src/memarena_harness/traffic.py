"""What went through the door of a jail: how many requests, with how many pictures, and how they were answered."""

from __future__ import annotations

import re

from memarena_harness.failures import Kind, of_status

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")
_QUOTA = b"insufficient_quota"


class Traffic:
    """Counts."""

    def __init__(self) -> None:
        self.requests = 0
        self.pictures = 0
        """In the request that had most of them: an agent sends them again with each request of a turn."""
        self.refused = 0
        """Connections that could not be carried on."""
        self.last_status = 0
        self.over_budget = False
        self.failed_in_row = 0
        """Answers one after the other, up to the last one, that were errors, and connections that were refused."""

    def began(self) -> None:
        """The agent began a request."""
        self.requests += 1

    def showed(self, pictures: int) -> None:
        """A request has so many pictures up to now."""
        self.pictures = max(self.pictures, pictures)

    def answered(self, data: bytes) -> None:
        """The agent was answered with `data`."""
        status = _STATUS.match(data)
        if status:
            self.last_status = int(status[1])
            self.over_budget = False
            self.failed_in_row = self.failed_in_row + 1 if self.last_status >= 400 else 0
            self.refused = 0
        if self.last_status == 429 and _QUOTA in data:
            self.over_budget = True

    def refuse(self) -> None:
        """A connection could not be carried on."""
        self.refused += 1
        self.failed_in_row += 1

    def failure(self) -> Kind | None:
        """The kind of failure that the last answer stands for; None where it was a good one, or there was none."""
        if self.refused:
            return "refused connection"
        if self.over_budget:
            return "over budget"
        return of_status(self.last_status) if self.last_status >= 400 else None
