"""Times of a data set -> the moments that graphiti needs, and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

STEP = timedelta(seconds=1)
"""What lies between turns of one time: a fact closes another only where it is later."""
START = datetime(1970, 1, 1, tzinfo=UTC)
"""The first moment of a data set that gives no times."""

_FORMATS = ("%b %d, %Y, %H:%M:%S", "%I:%M %p on %d %B, %Y")


class Moments:
    """Gives each turn a moment: its time, one step after the turn before where both have the same time or it has none.

    Turns that a data set puts before others stay before them.
    """

    def __init__(self) -> None:
        self._said: dict[datetime, str] = {}
        self._last: datetime | None = None
        self._known: datetime | None = None

    def give(self, time: str | None) -> datetime:
        """The moment of the next turn."""
        known = parse(time) if time else None
        after = START if self._last is None else self._last + STEP
        if known is None:
            return self.note(after, time)
        back = self._known is not None and known < self._known
        self._known = known
        return self.note(known if back else max(known, after), time)

    def note(self, moment: datetime, time: str | None) -> datetime:
        """A turn has this moment, of which the data set says `time`."""
        self._said[moment] = time or ""
        self._last = moment
        return moment

    def words(self, moment: datetime | None) -> str:
        """What the data set says of a moment, or ISO 8601 where only the model does; "" where there is no time."""
        if moment is None:
            return ""
        return self._said.get(moment, f"{moment:%Y-%m-%d %H:%M}")


def parse(text: str) -> datetime | None:
    """ISO 8601, `Jan 02, 2025, 09:00:00` or `1:56 pm on 8 May, 2023`, in UTC; None where it is none of these."""
    for read in (datetime.fromisoformat, *(lambda text, form=form: datetime.strptime(text, form) for form in _FORMATS)):
        try:
            found = read(text)
        except ValueError:
            continue
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    return None
