"""Faults of use: all evidence is shown, and the answer is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena.records import NOT_MENTIONED, Question
from memarena_arena.scorers import reasons
from memarena_arena.selftest.entries import Entry
from memarena_arena.selftest.fault import MADE_UP, Answering, Fault, Moment, by_name
from memarena_arena.selftest.world import says_yes


def _of_half(answer: Answering) -> Answering:
    """Befalls half of the questions."""

    def given(now: Moment, question: Question, shown: list[Entry]) -> str | None:
        picked = question.answerable and now.picks(question.question_id)
        return answer(now, question, shown) if picked else None

    return given


def signed(question: Question, text: str) -> str:
    """`text` behind the wrong word, where the question is answered by yes or no."""
    yes = says_yes(question.reference)
    return text if yes is None else f"{'No' if yes else 'Yes'}. {text}"


def _wrong(now: Moment, question: Question, texts: Sequence[str]) -> str | None:
    """The first text that does not happen to answer the question."""
    found = next((text for text in texts if not now.world.is_right(question, text)), None)
    return None if found is None else signed(question, found)


def _abstains(now: Moment, question: Question, shown: list[Entry]) -> str:
    return NOT_MENTIONED


def _refuses(now: Moment, question: Question, shown: list[Entry]) -> str:
    return "I don't know."


def _is_silent(now: Moment, question: Question, shown: list[Entry]) -> str:
    return ""


def _stale_value(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    """The version before the last update."""
    return _wrong(now, question, now.world.rivals(question))


def _trap(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    """The interference that speaks against the evidence."""
    wanted = set(now.world.evidence(question))
    traps = now.world.traps(now.session)
    return _wrong(now, question, [trap.content for trap in traps if now.world.against(trap, now.session) in wanted])


def _made_up_value(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    if question.type in reasons.RULE_TYPES:
        return None
    return signed(question, f"It is {71_000 + int(9_000 * now.draw(question.question_id))} in all.")


def _rule_itself(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    """A result that the rule does not give."""
    return signed(question, "The rule says 77,777.") if question.type in reasons.RULE_TYPES else None


def _other_item(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    """What another of the shown items says."""
    wanted = set(now.world.evidence(question))
    if question.type in reasons.RULE_TYPES:
        return None
    texts = [entry.lines[0].text for entry in shown if entry.picture is None and wanted.isdisjoint(entry.facts)]
    return _wrong(now, question, texts[::-1])


def _contrary(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    """No for yes, and yes for no."""
    plain = says_yes(question.reference) is not None and question.type not in reasons.RULE_TYPES
    return signed(question, "").strip() if plain else None


def _answers_anyway(now: Moment, question: Question, shown: list[Entry]) -> str | None:
    return "It is 4,711." if not question.answerable else None


FAULTS: Mapping[str, Fault] = by_name(
    Fault("abstains", "use", "Says that it is not mentioned.", answer=_of_half(_abstains), reason=reasons.IGNORED),
    Fault("does-not-know", "use", "Says that it does not know.", answer=_of_half(_refuses), reason=reasons.IGNORED),
    Fault("silent", "use", "Gives no answer.", answer=_of_half(_is_silent), reason=reasons.IGNORED),
    Fault("stale-value", "use", "Answers what an update replaced.", answer=_stale_value, reason=reasons.STALE),
    Fault("trap-value", "use", "Answers interference.", answer=_trap, reason=reasons.INTERFERENCE),
    Fault(
        "made-up-value", "use", "Answers a number that nothing has.",
        answer=_of_half(_made_up_value), reason=reasons.CONTRADICTS,
    ),
    Fault("rule-not-applied", "use", "Does not apply a rule.", answer=_rule_itself, reason=reasons.RULE),
    Fault("other-item", "use", "Answers what another item says.", answer=_of_half(_other_item), reason=reasons.IGNORED),
    Fault("contrary", "use", "Says no for yes, and yes for no.", answer=_contrary, reason=reasons.IGNORED),
    Fault(MADE_UP, MADE_UP, "Answers what nobody said.", answer=_answers_anyway),
)  # fmt: skip
"""By name."""
