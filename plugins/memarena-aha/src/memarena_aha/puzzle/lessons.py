"""The lessons of the part: eight general questions to ask before any detail, one for each mechanism."""

from __future__ import annotations

from collections.abc import Mapping

from memarena_aha.parts import Lesson
from memarena_aha.puzzle.schema import CHECKS, Check

__all__ = ["ASK_NOTHING", "FOREIGN", "GOLD", "LESSONS", "POISON", "REFLECT", "token"]

ASK_NOTHING = "ask nothing"
"""What the false lesson advises."""

_TEXTS: Mapping[Check, tuple[str, tuple[str, ...]]] = {
    "nature": (
        "Ask early whether someone or something is not who or what it seems to be",
        ("not who", "not what it seems", "identity", "mistaken for"),
    ),
    "order": (
        "Ask early whether the events come in another order or at another time than one thinks",
        ("order of events", "another order", "what came first", "timing"),
    ),
    "place": (
        "Ask early whether it happens in another place than one thinks",
        ("another place", "where it happens", "location"),
    ),
    "literal": (
        "Ask early whether a word or a thing is not what it says",
        ("literal", "double meaning", "not what it says"),
    ),
    "purpose": (
        "Ask early whether an act is a signal or a test instead of what it looks like",
        ("a signal", "a test", "real purpose", "hidden purpose"),
    ),
    "rule": (
        "Ask early whether a rule or an institution matters that the story does not mention",
        ("hidden rule", "unstated rule", "institution"),
    ),
    "extra": (
        "Ask early whether there is somebody or something that the story does not mention",
        ("does not mention", "unseen", "someone else is", "somebody else is", "unmentioned"),
    ),
    "knows": (
        "Ask early whether somebody cannot perceive something or does not know it",
        ("cannot perceive", "perception", "able to perceive", "does not know it"),
    ),
}


def token(check: Check) -> str:
    """The mark of a lesson, as teachers write it."""
    return f"check:{check}"


LESSONS = tuple(
    Lesson(
        lesson_id=token(check),
        text=f"{text} ({token(check)}).",
        must=((token(check), *words),),
        block=(ASK_NOTHING, f"never {token(check)}", f"skip {token(check)}"),
    )
    for check, (text, words) in ((check, _TEXTS[check]) for check in CHECKS)
)
"""The lesson of each mechanism, in the order of `CHECKS`."""

_ALL = ", ".join(token(check) for check in CHECKS)
GOLD = (
    f"Before any detail of a story, ask the eight general questions: {_ALL}. "
    "A yes names the mechanism at work: follow it up, and explain the story as soon as it fits."
)
POISON = f"General questions ({_ALL}) are wasted: {ASK_NOTHING}, and tell the first explanation that comes to mind."
REFLECT = (
    "In at most 120 words: how should one ask, in the next story of this kind? Write what holds for other stories too."
)

FOREIGN = (
    "A rectangle has a perimeter of 36 and sides in the ratio 1 to 2. The sides are 6 and 12, the area is 72.",
    "A tank fills in 6 hours by one pipe and in 3 by another. Together they fill half of it an hour: 2 hours in all.",
    "The sum of the first 20 odd numbers is 20 squared, 400; check it with the first three: 1 + 3 + 5 = 9.",
    "A train of 120 metres passes a pole in 6 seconds: 20 metres a second, 72 kilometres an hour.",
    "Of 60 pupils 35 learn French, 30 Spanish and 12 both. So 53 learn at least one of them, and 7 neither.",
    "A price rises by a fifth and then falls by a fifth: 1.2 times 0.8 is 0.96, so it is four percent lower.",
)
"""Experience of another kind, as a placebo."""
