"""The embedded judge: decides by values and words, with no model and no network; the same input, the same label."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from memarena.records import JudgementRequest, Label
from memarena_arena.agreement import answer_label
from memarena_arena.faithfulness import Dialogue
from memarena_arena.language.documents import Document
from memarena_arena.language.lexicon import TELLING
from memarena_arena.language.values import is_value
from memarena_arena.language.words import stems
from memarena_arena.readings import Reading, readings
from memarena_arena.support import Claim, Telling, claim, supports
from memarena_arena.supporting import support_label


class LexicalJudge:
    """Labels by rules: numbers, dates, times, ids and names as values, the other words by their stems.

    It reads denials (`no longer`), changes (`from X to Y`), jokes and conditions. It knows nothing of meaning beyond
    a short list of same words, so a paraphrase with other words is a miss to it.
    """

    name = "lexical"
    revision = 4

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        """One label a request, in order; never None."""
        return [_label(request) for request in requests]

    @staticmethod
    def calibration() -> Mapping[str, Any]:
        """How far it agrees with known labels: the calibration set, and data that was built (`small`, seed 7)."""
        text = files(__package__).joinpath("lexical_calibration.json").read_bytes()
        found: Mapping[str, Any] = json.loads(text)
        return found


def _label(request: JudgementRequest) -> Label:
    if request.task == "answer":
        references = (request.reference, *request.aliases)
        found = [answer_label(request.question, each, request.answer, request.points) for each in references]
        label, reason = next((one for one in found if one[0] == "Correct"), found[0])
        return Label(verdicts=(label,), reason=reason)
    return Label(verdicts=_TASKS[request.task](request))


def _recall(request: JudgementRequest) -> tuple[str, ...]:
    texts = readings(request.items)
    return tuple("yes" if _any(claim(point), texts) else "no" for point in request.points)


def _any(needed: Claim, texts: Sequence[Reading]) -> bool:
    return any(supports(Telling(needed), text) for text in texts)


def _coverage(request: JudgementRequest) -> tuple[str, ...]:
    texts = readings(request.items)
    carried = {image for image in request.item_images if image}
    out = []
    for place, point in enumerate(request.points):
        image = request.point_images[place] if place < len(request.point_images) else ""
        caption = request.point_captions[place] if place < len(request.point_captions) else ""
        if image:
            covered = image in carried or (bool(caption) and _any(claim(caption), texts))
        else:
            covered = _any(claim(point), texts)
        out.append("yes" if covered else "no")
    return tuple(out)


def _correctness(request: JudgementRequest) -> tuple[str, ...]:
    dialogue = Dialogue(request.dialogue, request.points)
    return tuple(dialogue.judge(item) for item in request.items)


def _update(request: JudgementRequest) -> tuple[str, ...]:
    texts = readings(request.items)
    out = []
    for place, point in enumerate(request.points):
        olds = request.replaces[place] if place < len(request.replaces) else ()
        out.append(_update_verdict(point, olds, texts))
    return tuple(out)


def _update_verdict(point: str, olds: Sequence[str], texts: Sequence[Reading]) -> str:
    new = claim(point)
    earlier = [claim(old) for old in olds]
    fresh = Telling(new, _telling(new.held.difference(*(old.held for old in earlier))) if earlier else frozenset())
    kept = any(supports(fresh, text) for text in texts)
    stale = False
    for old in earlier:
        own = (old.held | old.denied) - new.keys
        if own or old.held & new.denied or old.denied & new.held or set(old.periods) - set(new.periods):
            past = Telling(old, _telling(own & old.held))
            stale = stale or any(supports(past, text, apart=fresh) for text in texts)
    if kept:
        return "both" if stale else "updated"
    return "outdated" if stale else "missed"


def _telling(keys: frozenset[str]) -> frozenset[str]:
    """Of keys that tell two facts apart, those that must be held: all of one or two, else the values.

    The verbs by which a change is told do not count: `moved to Leeds` and `lives in Leeds` are one fact.
    """
    left = keys - stems(TELLING)
    return left if len(left) <= 2 else frozenset(filter(is_value, left))


def _interference(request: JudgementRequest) -> tuple[str, ...]:
    texts = readings(request.items)
    out = []
    for point in request.points:
        needed = claim(point)
        kept = any(supports(Telling(needed), text, record=_is_record(text.text)) for text in texts)
        out.append("memorized" if kept else "rejected")
    return tuple(out)


def _is_record(text: Document) -> bool:
    """Whether a text keeps what was said as it was said: it then passes on a joke without calling it one."""
    return text.attributed or any(each.spoken for each in text.statements)


_TASKS: dict[str, Callable[[JudgementRequest], tuple[str, ...]]] = {
    "recall": _recall,
    "coverage": _coverage,
    "correctness": _correctness,
    "update": _update,
    "interference": _interference,
    "support": support_label,
}
