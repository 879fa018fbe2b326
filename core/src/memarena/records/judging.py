"""What a judge is asked, and its verdicts."""

from __future__ import annotations

from typing import Literal

from memarena.records.base import Record

Task = Literal["recall", "correctness", "update", "interference", "answer", "coverage", "support"]


class JudgementRequest(Record, frozen=True, kw_only=True):
    """One thing to be judged; two requests with equal content are judged once.

    ==============  ==============================================  =========================================
    task            reads                                           verdicts of the label
    ==============  ==============================================  =========================================
    recall          items (texts of the delta), points              one a point: `yes`, `no`
    correctness     items (texts of the delta), points, dialogue    one an item: `correct`, `hallucination`,
                                                                    `irrelevant`
    update          items (active texts kept), points, replaces     one a point: `updated`, `both`,
                                                                    `outdated`, `missed`
    interference    items (active texts kept), points               one a point: `rejected`, `memorized`
    answer          question, reference, aliases, answer, points    one: `Correct`, `Hallucination`, `Omission`
    coverage        question, items (retrieved texts), points       one a point: `yes`, `no`
    support         items (texts kept), points                      one an item: the places of the points that it
                                                                    supports, from 0 (`0 4 17`), or `-`
    ==============  ==============================================  =========================================
    """

    task: Task
    question: str = ""
    reference: str = ""
    aliases: tuple[str, ...] = ()
    """Further answers, any of which is as right as `reference`."""
    answer: str = ""
    points: tuple[str, ...] = ()
    replaces: tuple[tuple[str, ...], ...] = ()
    """Parallel to `points`: the texts that each update supersedes."""
    items: tuple[str, ...] = ()
    item_images: tuple[str, ...] = ()
    """Parallel to `items` where given: picture id, or ""."""
    point_images: tuple[str, ...] = ()
    """Parallel to `points` where given: picture id, or ""."""
    point_captions: tuple[str, ...] = ()
    """Parallel to `points` where given: caption of the picture, or ""."""
    dialogue: tuple[str, ...] = ()
    """The texts of the session's turns."""


class Label(Record, frozen=True, kw_only=True):
    """A judge's verdicts on one request, in the order of its points or items; None: that one failed."""

    verdicts: tuple[str | None, ...]
    reason: str = ""
