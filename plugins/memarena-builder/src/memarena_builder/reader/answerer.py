"""The answerer `sim-reader`: reads what is shown by the grammar that built `memarena-sim`, and computes the answer.

It makes no mistake in reading, so what a system loses with it was lost by its memory. It answers nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from memarena.records import NOT_MENTIONED, Answer, AskedQuestion, Record, Shown
from memarena_arena.language.lines import lines
from memarena_builder.packs.load import languages
from memarena_builder.questions.query import Query, ShownIn, pictured
from memarena_builder.reader.asked import read
from memarena_builder.reader.notebook import Notebook, question_grammar
from memarena_builder.reader.worked import Diary
from memarena_builder.world.facts import Key


class SimReaderOptions(Record, frozen=True, kw_only=True):
    """Settings of `sim-reader`."""

    language: str = ""
    """Of the schema packs; "": the one whose grammar reads the question."""
    reads: Literal["words", "captions"] = "words"
    """`captions`: nothing but the captions of pictures is read, which should answer nothing."""


class _Heard(Record, frozen=True, kw_only=True):
    day: date | None
    place: tuple[str, int]
    text: str
    image_id: str


class SimReader:
    """Answers questions of `memarena-sim` from texts that still have its wording; abstains on everything else."""

    name = "sim-reader"
    revision = 3
    Options = SimReaderOptions

    def __init__(self, options: SimReaderOptions | None = None) -> None:
        self._options = options or SimReaderOptions()

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        """Answer from `shown` alone."""
        heard = _in_order(shown, captions=self._options.reads == "captions")
        language, query = self._read(asked.text)
        text = self._of_dialogue(asked.text, language, query, heard) if query else _of_work(asked.text, heard)
        cited = tuple(item.memory_id for item in shown.items) if text != NOT_MENTIONED else ()
        return Answer(question_id=asked.question_id, text=text, cited=cited)

    def _of_dialogue(self, question: str, language: str, query: Query, heard: Sequence[_Heard]) -> str:
        notebook = Notebook(language)
        notebook.meet(keys_of(query))
        for each in heard:
            notebook.hear(each.text, each.day)
        shown = pictured(query, notebook.facts)
        if shown and notebook.knows(shown):
            return _only_image(heard) or notebook.answer(question)
        return notebook.answer(question)

    def _read(self, question: str) -> tuple[str, Query | None]:
        """What a question asks for, and in which language."""
        given = self._options.language
        for language in (given,) if given else languages():
            query = question_grammar(language).read(question)
            if query is not None:
                return language, query
        return given, None


def _of_work(question: str, heard: Sequence[_Heard]) -> str:
    diary = Diary()
    for each in heard:
        diary.hear(each.text, each.day)
    shown = any(isinstance(query, ShownIn) and diary.knows(query.key) for query in read(question))
    return (_only_image(heard) if shown else diary.answer(question)) or NOT_MENTIONED


def _only_image(heard: Sequence[_Heard]) -> str:
    """The picture that is shown, where it is one alone."""
    images = dict.fromkeys(each.image_id for each in heard if each.image_id)
    return next(iter(images)) if len(images) == 1 else ""


def keys_of(query: Query) -> tuple[Key, ...]:
    """The keys that a query names."""
    found = (getattr(query, name) for name in query.__struct_fields__)
    flat = [each for value in found for each in (value if type(value) is tuple else (value,))]
    return tuple(each for each in flat if isinstance(each, Key))


def _in_order(shown: Shown, *, captions: bool) -> Sequence[_Heard]:
    """The lines of all items in the order of their days; those without one by the ids of their items, then last.
    `captions`: those alone."""
    heard = []
    for item in shown.items:
        for number, line in enumerate(lines(item.text)):
            if captions and not line.is_caption:
                continue
            image_id = line.image_id or item.image_id
            heard.append(_Heard(day=line.day, place=(item.memory_id, number), text=line.body, image_id=image_id))
        if item.text.startswith("image_id: "):
            image_id = item.text.removeprefix("image_id: ").split()[0]
            heard.append(_Heard(day=None, place=(item.memory_id, 0), text="", image_id=image_id))
    return sorted(heard, key=lambda each: (each.day is not None, each.day or date.min, each.place))
