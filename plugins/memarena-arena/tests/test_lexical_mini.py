"""The embedded judge on `mini`, its turns kept word for word: what a plain log is found to recall."""

from __future__ import annotations

import re
from functools import cache

from memarena.floors import turn_line
from memarena.records import JudgementRequest, Sample
from memarena_arena.lexical import LexicalJudge
from memarena_arena.mini import Mini

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@cache
def samples() -> tuple[Sample, ...]:
    return tuple(Mini().open())


def logs(sample: Sample) -> tuple[tuple[str, ...], ...]:
    """The turns of each session as a log keeps them."""
    return tuple(tuple(turn_line(turn) for turn in session.turns) for session in sample.sessions)


def points(sample: Sample, place: int) -> tuple[str, ...]:
    return tuple(point.content for point in sample.sessions[place].gold("new", "update"))


def recalled(contents: tuple[str, ...], items: tuple[str, ...]) -> list[bool]:
    if not contents:
        return []
    [found] = LexicalJudge().label([JudgementRequest(task="recall", points=contents, items=items)])
    assert found is not None
    return [verdict == "yes" for verdict in found.verdicts]


def share(found: list[bool]) -> float:
    return sum(found) / len(found)


def test_a_log_recalls_three_in_five_points_of_its_own_session_those_of_pictures_included() -> None:
    found = [
        each
        for sample in samples()
        for place, items in enumerate(logs(sample))
        for each in recalled(points(sample, place), items)
    ]
    assert share(found) > 0.6


def test_at_most_one_point_in_ten_is_recalled_before_it_was_said() -> None:
    found = []
    for sample in samples():
        for place in range(1, len(sample.sessions)):
            contents = points(sample, place)
            earlier = [recalled(contents, items) for items in logs(sample)[:place]]
            found += [any(each) for each in zip(*earlier, strict=True)]
    assert share(found) <= 0.1


def test_points_of_one_sample_are_not_recalled_from_another() -> None:
    found = [
        each
        for sample in samples()
        for place in range(len(sample.sessions))
        for other in samples()
        if other is not sample
        for items in logs(other)
        for each in recalled(points(sample, place), items)
    ]
    assert share(found) <= 0.01


def altered(content: str) -> str | None:
    """The point with its last number three higher, or its day of the week another; None where it has neither."""
    numbers = [found for found in re.finditer(r"(?<![\w.])\d+(?!\w)", content) if not found[0].startswith("20")]
    if numbers:
        last = numbers[-1]
        return f"{content[: last.start()]}{int(last[0]) + 3}{content[last.end() :]}"
    day = next((place for place, name in enumerate(WEEKDAYS) if name in content), None)
    return None if day is None else content.replace(WEEKDAYS[day], WEEKDAYS[(day + 2) % 7])


def test_at_most_one_point_in_ten_is_recalled_with_another_value() -> None:
    found = []
    for sample in samples():
        for place, items in enumerate(logs(sample)):
            changed = tuple(filter(None, map(altered, points(sample, place))))
            found += recalled(changed, items)
    assert len(found) > 50
    assert share(found) <= 0.1
