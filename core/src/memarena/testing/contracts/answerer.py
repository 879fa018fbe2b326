"""What an answerer makes of a question and of what it is shown."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec

from memarena.records import Answer, AskedQuestion, Attachment, Shown, ShownItem
from memarena.testing.checks import CheckFailed, Stage, expect
from memarena.testing.contracts.naming import expect_named
from memarena.testing.output import captured
from memarena.testing.tiny import DOG, PHONE, PICTURE

_ASKED = AskedQuestion(question_id="Q7", text="What is Ana's dog called?")
_SHOWN = Shown(
    items=(
        ShownItem(rank=1, memory_id="m1", text=DOG),
        ShownItem(rank=2, memory_id="m2", text=PHONE, image_id="S01_img_1", image_path=str(PICTURE)),
    ),
    tokens=20,
)
_ODD = (
    AskedQuestion(question_id="Q8", text=""),
    AskedQuestion(question_id="Q9", text="{0} %s 👩‍🚀 今天 \x00", attachments=(Attachment(image_id="x", path=None),)),
)


def named(stage: Stage) -> None:
    """It has a name and a revision.

    If this fails: set `name = "..."` and `revision = 1`.
    """
    expect_named(stage)


def answer_typed(stage: Stage) -> None:
    """It gives an Answer with the id of the question; an empty text comes with the reason in `error`.

    If this fails: return `Answer(question_id=asked.question_id, text=...)`.
    """
    answerer = stage.plugin()
    for asked in (_ASKED, *_ODD):
        _expect_answer(asked, answerer.answer(asked, _SHOWN))


def nothing_shown_accepted(stage: Stage) -> None:
    """Where nothing is shown it still answers: it abstains.

    If this fails: return `NOT_MENTIONED` where `shown.items` is empty.
    """
    _expect_answer(_ASKED, stage.plugin().answer(_ASKED, Shown()))


def cites_what_was_shown(stage: Stage) -> None:
    """The ids that an answer cites are among those shown.

    If this fails: cite `memory_id`s of `shown.items`, or none.
    """
    answer = stage.plugin().answer(_ASKED, _SHOWN)
    strange = set(answer.cited) - {item.memory_id for item in _SHOWN.items}
    expect(not strange, f"it cites {', '.join(sorted(strange))}, which was not shown")


def threads_accepted(stage: Stage) -> None:
    """Several threads may ask at the same time, and each gets the answer to its own question.

    If this fails: keep nothing of a question on the instance; guard shared clients with a lock.
    """
    answerer = stage.plugin()
    asked = [AskedQuestion(question_id=f"Q{number}", text=_ASKED.text) for number in range(16)]
    with ThreadPoolExecutor(4) as pool:
        for question, answer in zip(asked, pool.map(lambda one: answerer.answer(one, _SHOWN), asked), strict=True):
            expect(answer.question_id == question.question_id, "a thread got the answer of another one")


def no_stray_output(stage: Stage) -> None:
    """Nothing is written to stdout or stderr.

    If this fails: remove prints and use `logging`.
    """
    with captured(stage.folder) as output:
        stage.plugin().answer(_ASKED, _SHOWN)
    expect(not output.text, f"{len(output.text)} characters were written, beginning with {output.text[:60]!r}")


def _expect_answer(asked: AskedQuestion, answer: object) -> None:
    expect(isinstance(answer, Answer), f"it gave a {type(answer).__name__}, no Answer")
    try:
        whole = msgspec.json.decode(msgspec.json.encode(answer), type=Answer)
    except (TypeError, ValueError) as error:
        raise CheckFailed(f"Answer: {error}") from None
    expect(whole.question_id == asked.question_id, f"asked {asked.question_id}, answered {whole.question_id!r}")
    expect(whole.text or whole.error, f"{asked.question_id}: an empty answer without a reason in `error`")
