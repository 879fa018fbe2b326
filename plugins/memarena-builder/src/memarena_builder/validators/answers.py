"""V3 and V5 to V8: nothing that is to be refused is right, the evidence is enough and needed, the answer is one alone,
nothing is known too early, no text gives a picture away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from memarena_builder.plan.distract import OLD_VALUES
from memarena_builder.questions.ask import Asked
from memarena_builder.questions.known import Known
from memarena_builder.questions.query import proved
from memarena_builder.validators.problem import Problem, plain, says
from memarena_builder.wording import Spoken
from memarena_builder.world.facts import Fact

FROM_PICTURES = frozenset({"VFR", "VU", "CMR"})
FROM_WORDS = frozenset({"FR", "DU"})


class UpTo(Protocol):
    """What is known up to a session."""

    @property
    def facts(self) -> Sequence[Fact]:
        """All of it, in order."""

    @property
    def until(self) -> int:
        """The place of the session."""


def answer_is_no_distractor(question: Asked, known: Known) -> Iterator[Problem]:
    """V3: what is to be refused is the answer to nothing, but for old values, which were right once."""
    answer = plain(question.answer)
    for session in known.plan.sessions[: known.until + 1]:
        for event in session.events:
            wrong = event.kind == "distractor" and event.distraction not in OLD_VALUES
            if wrong and answer in map(plain, event.slots.values()):
                yield Problem(validator="V3", unit=question.text, message=f"{event.event_id} claims its answer")


def evidence_is_minimal(question: Asked, known: UpTo) -> Iterator[Problem]:
    """V5: each set of evidence alone yields the answer, and less of it does not."""
    for some in (question.evidence, *question.alternatives):
        wrong = proved(question.query, known.facts, some)
        if wrong:
            yield Problem(validator="V5", unit=question.text, message=wrong)
    if bool(question.evidence) is bool(question.reason):
        yield Problem(validator="V5", unit=question.text, message="evidence where none can be, or none")


def answer_is_one(question: Asked) -> Iterator[Problem]:
    """V6: no answer that was right once can be taken for it."""
    answer = plain(question.answer)
    if question.type not in ("MC", "KR") and any(plain(old) == answer for old in question.stale):
        yield Problem(validator="V6", unit=question.text, message="an old answer is the same")
    if question.type != "MC" and not question.query.offers and says(plain(question.text), answer):
        yield Problem(validator="V6", unit=question.text, message="the question has its answer in it")


def nothing_is_known_early(question: Asked, known: UpTo) -> Iterator[Problem]:
    """V7: all evidence was told by the last session of the checkpoint."""
    every = chain(question.evidence, *question.alternatives)
    late = [fact.fact_id for fact in every if fact.told.session > known.until]
    if late:
        yield Problem(validator="V7", unit=question.text, message=f"{late[0]} is told later")


def modality_is_true(question: Asked, known: Known, spoken: Mapping[str, Spoken]) -> Iterator[Problem]:
    """V8 for a sample of dialogue."""
    sessions = known.plan.sessions[: known.until + 1]
    yield from modality_is_true_of(
        question, (line.text for each in sessions for line in spoken[each.session_id].lines)
    )  # fmt: skip


def modality_is_true_of(question: Asked, texts: Iterable[str]) -> Iterator[Problem]:
    """V8: the answer to a visual question is nowhere in words up to now; that to a question on words is."""
    if question.type not in FROM_PICTURES | FROM_WORDS:
        return
    answer = plain(question.answer)
    said = any(says(plain(text), answer) for text in texts)
    if said is not (question.type in FROM_WORDS):
        where = "nowhere in words" if not said else "in words"
        yield Problem(validator="V8", unit=question.text, message=f"the answer is {where}")
