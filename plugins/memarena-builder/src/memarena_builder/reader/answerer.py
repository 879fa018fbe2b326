"""The answerer `sim-reader`: reads what is shown by the grammar that built `memarena-sim`, and computes the answer.

It makes no mistake in reading, so what a system loses with it was lost by its memory. It answers nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from memarena.records import NOT_MENTIONED, Answer, AskedQuestion, Record, Shown
from memarena_arena.language.lines import lines
from memarena_builder.packs.load import languages
from memarena_builder.questions.query import Query, ShownIn
from memarena_builder.reader.notebook import Notebook, question_grammar
from memarena_builder.world.facts import Key


class SimReaderOptions(Record, frozen=True, kw_only=True):
    """Settings of `sim-reader`."""

    language: str = ""
    """Of the schema packs; "": the one whose grammar reads the question."""


class _Heard(Record, frozen=True, kw_only=True):
    day: date | None
    place: tuple[str, int]
    text: str
    image_id: str


class SimReader:
    """Answers questions of `memarena-sim` from texts that still have its wording; abstains on everything else."""

    name = "sim-reader"
    revision = 1
    Options = SimReaderOptions

    def __init__(self, options: SimReaderOptions | None = None) -> None:
        self._options = options or SimReaderOptions()

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        """Answer from `shown` alone."""
        language, query = self._read(asked.text)
        if query is None:
            return Answer(question_id=asked.question_id, text=NOT_MENTIONED)
        notebook = Notebook(language)
        notebook.meet(keys_of(query))
        heard = _in_order(shown)
        for each in heard:
            notebook.hear(each.text, each.day)
        text = notebook.answer(asked.text)
        images = dict.fromkeys(each.image_id for each in heard if each.image_id)
        if isinstance(query, ShownIn) and notebook.knows(query.key) and len(images) == 1:
            text = next(iter(images))
        cited = tuple(item.memory_id for item in shown.items) if text != NOT_MENTIONED else ()
        return Answer(question_id=asked.question_id, text=text, cited=cited)

    def _read(self, question: str) -> tuple[str, Query | None]:
        """What a question asks for, and in which language."""
        given = self._options.language
        for language in (given,) if given else languages():
            query = question_grammar(language).read(question)
            if query is not None:
                return language, query
        return given, None


def keys_of(query: Query) -> tuple[Key, ...]:
    """The keys that a query names."""
    found = (getattr(query, name) for name in query.__struct_fields__)
    flat = [each for value in found for each in (value if type(value) is tuple else (value,))]
    return tuple(each for each in flat if isinstance(each, Key))


def _in_order(shown: Shown) -> Sequence[_Heard]:
    """The lines of all items in the order of their days; those without one by the ids of their items, then last."""
    heard = []
    for item in shown.items:
        for number, line in enumerate(lines(item.text)):
            image_id = line.image_id or item.image_id
            heard.append(_Heard(day=line.day, place=(item.memory_id, number), text=line.body, image_id=image_id))
        if item.text.startswith("image_id: "):
            image_id = item.text.removeprefix("image_id: ").split()[0]
            heard.append(_Heard(day=None, place=(item.memory_id, 0), text="", image_id=image_id))
    return sorted(heard, key=lambda each: (each.day is not None, each.day or date.min, each.place))
