"""VS and CMR: which picture shows it; a key in words leads to a value in a picture."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from memarena_builder.questions.knowledge import hops, led_to, sums
from memarena_builder.questions.known import Draft, Known, asked, framed
from memarena_builder.questions.learning import of_deciders
from memarena_builder.questions.query import PictureOf, ShownIn, Through


def visual_search(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """VS: the picture that shows the value that holds (`plain`), of somebody to whom a relation leads (`hop`), or two
    (`path`)."""
    if form in ("hop", "path"):
        yield from _of_somebody(known, rng, far=form == "path")
        return
    for fact in known.holding("plain", visual=True):
        text, template = framed(known.pack.asking.which_picture, "which_picture", rng, what=known.what(fact.key))
        older = known.older_pictures(fact)
        yield Draft("VS", text, ShownIn(key=fact.key), template, (fact.key,), older, "medium")


def _of_somebody(known: Known, rng: random.Random, *, far: bool) -> Iterator[Draft]:
    shown = [fact for fact in known.holding("plain", visual=True) if known.attribute(fact.key).about == "person"]
    for each, fact in product(led_to(known, far=far), shown):
        if fact.key.subject == each.last.value:
            what = known.attribute(fact.key).what.format(S=each.called)
            text, template = framed(known.pack.asking.which_picture, "which_picture", rng, what=what)
            query = PictureOf(relation=each.first, further=each.further, attribute=fact.key.attribute)
            keys = (*each.keys, fact.key)
            yield Draft("VS", text, query, each.named(template), keys, known.older_pictures(fact), "hard")


def cross_modal(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """CMR: from words to a picture, over a relation (`hop`), two (`path`), a value (`through`), or who decides by a
    `rule`; a `sum` of what words tell and what pictures show."""
    if form in ("hop", "path"):
        yield from hops(known, rng, "CMR", visual=True, far=form == "path")
        return
    if form == "rule":
        yield from of_deciders(known, rng, "CMR", visual=True)
        return
    if form == "sum":
        yield from sums(known, rng, "CMR")
        return
    seen = list(known.holding("plain", visual=True))
    for fact in seen:
        for clue in known.holding("plain", visual=False):
            attribute = known.attribute(clue.key)
            if clue.key.subject != fact.key.subject or not attribute.who:
                continue
            subject = attribute.who.format(V=clue.value)
            text, template = asked(known.attribute(fact.key), subject, rng)
            query = Through(known=attribute.name, value=clue.value or "", attribute=fact.key.attribute)
            name = f"{attribute.name}>{template}"
            yield Draft("CMR", text, query, name, (clue.key, fact.key), known.stale(fact.key), "hard")
