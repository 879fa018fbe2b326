"""Rules for the prompts of this package: answers by extraction, labels by comparison, from what the fences hold."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from memarena.judgements import NO_POINT
from memarena.records import AskedQuestion, JudgementRequest, Shown, ShownItem
from memarena_arena.extractive import ExtractiveAnswerer
from memarena_arena.lexical import LexicalJudge
from memarena_models.judge_tasks import PROMPTS
from memarena_models.offline_requests import Request
from memarena_models.prompts import load
from memarena_models.prompts.fence import unfenced

_MARK = re.compile(r"^The mark of this request is (\w+)\.$", re.MULTILINE)

Part = list[dict[str, Any]]


class AnswerPrompt:
    """Answers the prompt `answer` as the answerer `extractive` does."""

    def matches(self, request: Request) -> bool:
        return _is(request, "answer")

    def reply(self, request: Request) -> str:
        parts = _parts(request)
        items = tuple(
            ShownItem(rank=each["rank"], memory_id="", text=each["text"], image_id=each.get("image_id", ""))
            for each in parts["memories"]
        )
        question = parts["question"][0]
        asked = AskedQuestion(question_id="", text=question.get("text", ""), time=question.get("time"))
        text = ExtractiveAnswerer().answer(asked, Shown(items=items)).text
        return json.dumps({"reasoning": "by extraction", "answer": text}, ensure_ascii=False)


class JudgePrompts:
    """Labels the prompts of the judge `llm` as the judge `lexical` does."""

    def matches(self, request: Request) -> bool:
        return any(_is(request, prompt) for prompt in PROMPTS.values())

    def reply(self, request: Request) -> str:
        task = next(task for task, prompt in PROMPTS.items() if _is(request, prompt))
        parts = _parts(request)
        (label,) = LexicalJudge().label([_judgement(task, parts)])
        verdicts = label.verdicts if label is not None else ()
        reason = label.reason if label is not None and label.reason else "by comparison"
        if task == "answer":
            return json.dumps({"reason": reason, "verdict": verdicts[0]}, ensure_ascii=False)
        numbered = parts["items" if task in ("correctness", "support") else "points"]
        points = [entry["number"] for entry in parts.get("points", [])]
        entries = [
            {"number": entry["number"], "reason": reason, "verdict": _said(task, verdict, points)}
            for entry, verdict in zip(numbered, verdicts, strict=True)
        ]
        return json.dumps({"verdicts": entries}, ensure_ascii=False)


def _said(task: str, verdict: str | None, points: Sequence[int]) -> Any:
    """A verdict as the prompt of its task wants it."""
    if task != "support":
        return verdict
    return [points[int(place)] for place in (verdict or NO_POINT).split() if place != NO_POINT]


def _is(request: Request, prompt: str) -> bool:
    return request.system.startswith(load(prompt).title)


def _parts(request: Request) -> dict[str, Part]:
    """The fenced data of the first message of the user (a later one only reminds of the shape)."""
    mark = _MARK.findall(request.system)[-1]
    text = next(said.text for said in request.messages if said.role == "user")
    return unfenced(text, mark)


def _judgement(task: Any, parts: dict[str, Part]) -> JudgementRequest:
    points, items = parts.get("points", []), parts.get("items", [])
    right = _texts(parts.get("reference", []))
    return JudgementRequest(
        task=task,
        question=_only(parts, "question"),
        reference=right[0] if right else "",
        aliases=right[1:],
        answer=_only(parts, "answer"),
        points=_texts(points),
        replaces=tuple(tuple(each.get("replaces", ())) for each in points),
        items=_texts(items),
        item_images=tuple(each.get("image", "") for each in items),
        point_images=tuple(each.get("image", "") for each in points),
        point_captions=tuple(each.get("caption", "") for each in points),
        dialogue=_texts(parts.get("dialogue", [])),
    )


def _texts(part: Part) -> tuple[str, ...]:
    return tuple(each["text"] for each in part)


def _only(parts: dict[str, Part], name: str) -> str:
    return "".join(_texts(parts.get(name, [])))
