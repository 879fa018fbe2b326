"""The vocabulary of structured questions, shared by all puzzles (`data/classes.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "CHECK",
    "CHECK_QUESTIONS",
    "MORE_CHECK_QUESTIONS",
    "GROUPS",
    "IMPLIED",
    "ONE_OF",
    "STORY",
    "TEMPLATES",
    "WORDS",
    "Form",
    "parse_form",
    "values_of",
    "words_of",
]

_CLASSES = tomllib.loads((Path(__file__).parent / "data" / "classes.toml").read_text(encoding="utf-8"))

STORY = "story"
"""The subject that every puzzle has."""
CHECK = "check"
"""The value with which a template asks of the story whether its mechanism is at work."""
TEMPLATES: Mapping[str, tuple[str, ...]] = {name: tuple(groups) for name, groups in _CLASSES["templates"].items()}
"""Template -> the groups of its values, in the order T1 to T14."""
GROUPS: Mapping[str, Mapping[str, str]] = {
    name: terms for name, terms in _CLASSES["groups"].items() if isinstance(terms, dict)
}
"""Group -> term -> the words that name it."""
ONE_OF = frozenset(_CLASSES["groups"]["one_of"])
"""Groups of which all values that are not listed are false once one is listed as true."""
WORDS: Mapping[str, str] = {term: words for terms in GROUPS.values() for term, words in terms.items()}
CHECK_QUESTIONS: Mapping[str, str] = _CLASSES["checks"]
"""Mechanism -> the general question for it, in words."""
MORE_CHECK_QUESTIONS: Mapping[str, Sequence[str]] = _CLASSES["more_checks"]
"""Mechanism -> other words in which people ask it."""


class Form(NamedTuple):
    """A structured question."""

    template: str
    subject: str
    value: str = ""


def values_of(template: str) -> tuple[str, ...]:
    """The terms that a template takes; none for `order` (an entity) and `literal` (nothing)."""
    return tuple(term for group in TEMPLATES[template] for term in GROUPS[group])


def words_of(template: str, value: str) -> str:
    """The words by which a free question names a value of a template; "" where there are none."""
    return next((GROUPS[group][value] for group in TEMPLATES[template] if value in GROUPS[group]), "")


def parse_form(text: str, entities: Mapping[str, str]) -> Form:
    """`template subject value` as a form. Raises ValueError with what is wrong."""
    words = text.split()
    template = words[0] if words else ""
    if template not in TEMPLATES:
        raise ValueError(f"{text!r}: no template {template!r}; there are {', '.join(TEMPLATES)}")
    wanted = 2 if template == "literal" else 3
    if len(words) != wanted:
        raise ValueError(f"{text!r}: {template} takes {'a subject' if wanted == 2 else 'a subject and a value'}")
    form = Form(*words)
    if form.subject not in entities and form.subject != STORY:
        raise ValueError(f"{text!r}: no entity {form.subject!r}; there are {', '.join(entities)} and {STORY}")
    problem = _wrong_value(form, entities)
    if problem:
        raise ValueError(f"{text!r}: {problem}")
    return form


def _wrong_value(form: Form, entities: Mapping[str, str]) -> str:
    if form.template == "literal" or (form.template == "order" and form.value in entities):
        return ""
    if form.template == "order":
        return f"no entity {form.value!r}"
    if form.value in values_of(form.template):
        return ""
    return f"no value {form.value!r} in {', '.join(TEMPLATES[form.template])} of classes.toml"


def _implied() -> dict[tuple[str, str], list[tuple[str, str, bool]]]:
    found: dict[tuple[str, str], list[tuple[str, str, bool]]] = {}
    for cause, effects in _CLASSES["implied"].items():
        template, value = cause.split()
        for effect in effects:
            *negated, effect_template, effect_value = effect.split()
            found.setdefault((template, value), []).append((effect_template, effect_value, not negated))
    return found


IMPLIED: Mapping[tuple[str, str], list[tuple[str, str, bool]]] = _implied()
"""(template, value) -> what follows for the same subject: template, value, and whether it is true."""
