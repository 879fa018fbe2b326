"""The judge `llm`: a language model decides labels, and is read strictly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memarena import meter
from memarena.answering import shorten
from memarena.judgements import NO_POINT
from memarena.records import JudgementRequest, Label
from memarena_models import client
from memarena_models.asking import Chat, ModelOptions, Parts, Told, ask
from memarena_models.client import CallFailed
from memarena_models.judge_cut import batches, cut, tokens_of
from memarena_models.judge_failures import FailureLog
from memarena_models.judge_tasks import (
    NOTHING_KEPT,
    PROMPTS,
    Entry,
    Reading,
    as_verdict,
    reading,
    verdict_of,
    verdicts_of,
)
from memarena_models.prompts import load, with_prompts
from memarena_models.replies import BadReply

LONGEST_ANSWER = 2_000
"""Tokens of an answer that are read."""
LONGEST_REASON = 300
"""Characters of a reason that are kept."""


class LlmJudgeOptions(ModelOptions, frozen=True, kw_only=True):
    """Settings of the judge `llm`."""

    batch: int = 20
    """Points (for correctness: items) that one request asks about at most."""
    budget_tokens: int = 120_000
    """Tokens of a request at most; longer lists are cut to what is most like the points, and the label says so."""


@with_prompts("recall", "correctness", "update", "interference", "verdict", "coverage", "support")
class LlmJudge:
    """Asks the model of the role `judge`: one request a question, and one a batch of points.

    A reply counts only as a whole: one known verdict for each number. What does not fit is asked for once more; then,
    and where the call fails, the judgement is None, and the raw reply is kept in `judge_failures.jsonl`. An empty
    answer, and points for which there is nothing to read, are decided without a model.
    """

    name = "llm"
    revision = 1
    needs_model = True
    requests_at_once = 1
    Options = LlmJudgeOptions

    def __init__(self, options: LlmJudgeOptions | None = None, *, chat: Chat = client.chat) -> None:
        self._options = options or LlmJudgeOptions()
        self._chat = chat
        self._failures = FailureLog()

    def keep_failures(self, folder: Path) -> None:
        """From now on, write what could not be judged to `judge_failures.jsonl` in `folder`."""
        self._failures.open(folder)

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        """One label a request, in order; None: it failed. Raises ModelError where no model can be used at all."""
        return [self._label(request) for request in requests]

    def _label(self, request: JudgementRequest) -> Label | None:
        known = _without_model(request)
        if known is not None:
            return known
        judge = self._answer if request.task == "answer" else self._list
        try:
            with meter.stage("judge", "judge"):
                return judge(request)
        except (BadReply, CallFailed) as error:
            self._failures.add(self.name, request, error)
            return None

    def _answer(self, request: JudgementRequest) -> Label:
        answer = shorten(request.answer, LONGEST_ANSWER)
        told = self._ask(
            request.task,
            {
                "question": [{"text": request.question}],
                "reference": [{"text": right} for right in (request.reference, *request.aliases)],
                "points": [{"text": point} for point in request.points],
                "answer": [{"text": answer}],
            },
            verdict_of(request.task),
        )
        notes = [_short(told.value.reason)]
        if len(answer) < len(request.answer):
            notes.append(f"read the first {LONGEST_ANSWER} tokens of the answer")
        return Label(verdicts=(told.value.verdict,), reason=_joined(notes))

    def _list(self, request: JudgementRequest) -> Label:
        whole = reading(request)
        fixed = tokens_of([entry for part in whole.fixed.values() for entry in part])
        room = self._options.budget_tokens - meter.estimate_tokens(load(PROMPTS[request.task]).text) - fixed
        verdicts: list[str] = []
        notes: list[str] = []
        for batch in batches(whole.entries, self._options.batch, max(room // 2, 1)):
            found, said = self._batch(request.task, whole, batch, room)
            verdicts += found
            notes += said
        return Label(verdicts=tuple(verdicts), reason=_joined(notes))

    def _batch(self, task: str, whole: Reading, batch: list[Entry], room: int) -> tuple[list[str], list[str]]:
        like = [*batch, *whole.fixed.get("question", ())]
        left = cut(whole.context, like, max(room - tokens_of(batch), 0), whole.beside)
        numbers = [entry["number"] for entry in batch]
        told = self._ask(
            task,
            {whole.beside: left.entries, **whole.fixed, whole.numbered: batch},
            verdicts_of(task),
            check=lambda reply: _one_each(reply, numbers) or _known_points(task, reply, left.entries),
        )
        entries = sorted(told.value.verdicts, key=lambda entry: entry.number)
        notes = [f"{entry.number}: {_short(entry.reason)}" for entry in entries if entry.reason.strip()]
        return [as_verdict(entry.verdict) for entry in entries], [left.note, *notes]

    def _ask(self, task: str, parts: Parts, kind: type[Any], check: Callable[[Any], str] = lambda reply: "") -> Told:
        return ask(self._chat, "judge", self._options, load(PROMPTS[task]), parts, kind, check=check)


def _without_model(request: JudgementRequest) -> Label | None:
    """The label where there is nothing to ask a model about."""
    if request.task == "answer":
        return None if request.answer.strip() else Label(verdicts=("Omission",), reason="no answer")
    if request.task == "correctness":
        return None if request.items else Label(verdicts=())
    if request.task == "support":
        return None if request.items and request.points else Label(verdicts=(NO_POINT,) * len(request.items))
    if any(text.strip() for text in (*request.items, *request.item_images)) and request.points:
        return None
    return Label(verdicts=(NOTHING_KEPT[request.task],) * len(request.points), reason="nothing to read")


def _one_each(reply: Any, numbers: Sequence[int]) -> str:
    given = sorted(entry.number for entry in reply.verdicts)
    return "" if given == list(numbers) else f"it has verdicts for {given} in place of {list(numbers)}"


def _known_points(task: str, reply: Any, points: Sequence[Entry]) -> str:
    """What is wrong with the numbers of points that a reply to `support` names."""
    if task != "support":
        return ""
    known = {entry["number"] for entry in points}
    strange = sorted({number for entry in reply.verdicts for number in entry.verdict} - known)
    return f"it names points {strange} that there are not" if strange else ""


def _short(reason: str) -> str:
    text = " ".join(reason.split())
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}…"


def _joined(notes: Sequence[str]) -> str:
    return "; ".join(note for note in notes if note)
