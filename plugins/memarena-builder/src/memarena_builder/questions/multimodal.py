"""VS and CMR: which picture shows it; a key in words leads to a value in a picture."""

from __future__ import annotations

import random
from collections.abc import Iterator

from memarena_builder.questions.knowledge import hops
from memarena_builder.questions.known import Draft, Known, asked, framed
from memarena_builder.questions.query import ShownIn, Through


def visual_search(known: Known, rng: random.Random) -> Iterator[Draft]:
    """VS: the picture that shows the value that holds."""
    for fact in known.holding("plain", visual=True):
        text, template = framed(known.pack.asking.which_picture, "which_picture", rng, what=known.what(fact.key))
        older = tuple(each.image_id for each in known.by_key[fact.key] if each.image_id and each is not fact)
        yield Draft("VS", text, ShownIn(key=fact.key), template, (fact.key,), older, "medium")


def cross_modal(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """CMR: from words to a picture, over a relation (`hop`), two (`path`), or over a value (`through`)."""
    if form in ("hop", "path"):
        yield from hops(known, rng, "CMR", visual=True, far=form == "path")
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
