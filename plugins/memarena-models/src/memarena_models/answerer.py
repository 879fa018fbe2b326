"""The answerer `llm`: a language model answers from what is shown, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from memarena.records import Answer, AskedQuestion, Shown
from memarena_models import client
from memarena_models.asking import Chat, ModelOptions, Parts, as_raw, ask
from memarena_models.client import CallFailed
from memarena_models.pictures import as_part
from memarena_models.prompts import Prompt, load, with_prompts
from memarena_models.replies import BadReply

Plain = str | int | float | bool


class LlmAnswererOptions(ModelOptions, frozen=True, kw_only=True):
    """Settings of the answerer `llm`."""

    max_words: int | None = 15
    """Words that the answer is asked to keep below (the paper's prompt); null: as long as the question needs."""


class _Answered(msgspec.Struct):
    answer: Plain | list[Plain]


@with_prompts("answer")
class LlmAnswerer:
    """Asks the model of the role `answer`; pictures that are shown go with the request.

    A call that fails, or a reply that twice does not fit, gives an empty answer with the reason: never the reference,
    never another model. A key that is refused ends the run.
    """

    name = "llm"
    revision = 1
    needs_model = True
    Options = LlmAnswererOptions

    def __init__(self, options: LlmAnswererOptions | None = None, *, chat: Chat = client.chat) -> None:
        self._options = options or LlmAnswererOptions()
        self._chat = chat
        self._prompt = _with_length(load("answer"), self._options.max_words)

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        """Answer from `shown` alone. Raises ModelError where no model can be used at all."""
        pictures, numbers, left_out = _attached(asked, shown)
        metadata: dict[str, Any] = {"prompt": self._prompt.hash}
        if left_out:
            metadata["pictures_left_out"] = left_out
        try:
            told = ask(
                self._chat,
                "answer",
                self._options,
                self._prompt,
                _parts(asked, shown, numbers),
                _Answered,
                check=_blank,
                pictures=pictures,
            )
        except (BadReply, CallFailed) as error:
            raw = as_raw(error)
            return Answer(
                question_id=asked.question_id,
                text="",
                error=f"{type(error).__name__}: {error}",
                metadata={**metadata, "reply": raw} if raw else metadata,
            )
        if told.again:
            metadata["asked_again"] = True
        return Answer(question_id=asked.question_id, text=_said(told.value), metadata=metadata)


def _with_length(prompt: Prompt, words: int | None) -> Prompt:
    rule = (
        f"Keep the answer a short phrase of fewer than {words} words, with no filler."
        if words is not None
        else "Give the answer in full, every part that is asked for, with no filler."
    )
    return msgspec.structs.replace(prompt, text=f"{prompt.text}\n\n{rule}")


def _parts(asked: AskedQuestion, shown: Shown, numbers: dict[str, int]) -> Parts:
    memories = [
        _filled(rank=item.rank, text=item.text, image_id=item.image_id, picture=numbers.get(item.image_path))
        for item in shown.items
    ]
    own = [numbers[each.path] for each in asked.attachments if each.path in numbers]
    return {"memories": memories, "question": [_filled(text=asked.text, time=asked.time, pictures=own)]}


def _filled(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value not in ("", None, [])}


def _attached(asked: AskedQuestion, shown: Shown) -> tuple[list[dict[str, Any]], dict[str, int], list[str]]:
    """The pictures of the question and of the items as message parts, the number of each, and what is left out."""
    parts: list[dict[str, Any]] = []
    numbers: dict[str, int] = {}
    left_out: list[str] = []
    for name, path in _pictures(asked, shown):
        if path in numbers:
            continue
        try:
            parts.append(as_part(path))
        except (OSError, ValueError) as error:
            left_out.append(f"{name or 'picture'}: {error.strerror if isinstance(error, OSError) else error}")
        else:
            numbers[path] = len(parts)
    return parts, numbers, left_out


def _pictures(asked: AskedQuestion, shown: Shown) -> Iterator[tuple[str, str]]:
    """Id and path of each picture that goes with the question."""
    yield from ((each.image_id, each.path) for each in asked.attachments if each.path)
    yield from ((item.image_id, item.image_path) for item in shown.items if item.image_path)


def _blank(answered: _Answered) -> str:
    return "" if _said(answered) else "its answer is empty"


def _said(answered: _Answered) -> str:
    """The answer as a text; a list is joined by commas."""
    given: Sequence[Plain] = answered.answer if isinstance(answered.answer, list) else [answered.answer]
    return ", ".join(each if isinstance(each, str) else msgspec.json.encode(each).decode() for each in given).strip()
