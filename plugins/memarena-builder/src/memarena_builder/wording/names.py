"""How the two who talk call those whom they talk about."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from memarena_builder.packs.schema import Attribute, Pack
from memarena_builder.wording.clauses import fill, in_own_words, stem
from memarena_builder.world.cast import Cast, short_name

USER, ASSISTANT = "user", "assistant"


class Names:
    """Fills names into what one of the two says: the user is `me` to themselves and `you` to the other."""

    def __init__(self, pack: Pack, cast: Cast, met: Iterable[str] = ()) -> None:
        """`met`: the people who were spoken of in earlier sessions; all others are first called by their full name."""
        self._pack = pack
        self._own = cast.protagonist
        self._persons = frozenset(cast.persons)
        self._met = set(met)
        articles = pack.writing.articles
        self._called = {each.name: articles.get(each.kind, "{name}").format(name=each.name) for each in cast.entities}

    def mention(self, subject: str, rng: random.Random) -> str:
        """The full name, or of a person the first name alone."""
        if subject not in self._persons:
            return subject
        by_given = rng.random() < self._pack.writing.by_given and subject in self._met
        self._met.add(subject)
        return short_name(self._pack, subject) if by_given else subject

    def fill(self, template: str, subject: str, rng: random.Random, role: str = USER, **blanks: str) -> str:
        """`template` with a mention of the subject for `{S}`."""
        if subject != self._own:
            return template.format(S=self._within(template, subject, rng), **blanks)
        style = self._pack.writing
        name = style.me if role == USER else style.you or subject
        return in_own_words(self._pack, template, by_user=role == USER).format(S=name, **blanks)

    def _within(self, template: str, subject: str, rng: random.Random) -> str:
        """A mention within a sentence, with an article where such have one and the template has none."""
        name = self._called.get(subject, subject)
        if name == subject or name.replace(subject, "{S}") in template.lower().replace("{s}", "{S}"):
            return self.mention(subject, rng)
        return name

    def clause(
        self, attribute: Attribute, subject: str, slots: Mapping[str, str], rng: random.Random, role: str = USER
    ) -> str:
        """The gold sentence without its full stop, to stand inside another; outsiders have their full names there."""
        plain = stem(self._pack, attribute)
        own = in_own_words(self._pack, plain, by_user=role == USER) if subject == self._own else plain
        return fill(plain if "{S}" in own else own, self._within(plain, subject, rng), slots)

    def framed(self, frame: str, kind: str, subject: str, rng: random.Random, role: str = USER) -> str:
        """`frame` with what is said for a picture of that kind; a name that is not said is not called either."""
        picture = self.picture(kind, subject, rng, role) if "{picture}" in frame else ""
        return self.fill(frame, subject, rng, role, kind=self._pack.wording.kinds[kind], picture=picture)

    def picture(self, kind: str, subject: str, rng: random.Random, role: str = USER) -> str:
        """A noun phrase for a picture of the subject."""
        wording = self._pack.wording
        said = rng.choice(wording.pictured.get(kind, (wording.kinds[kind],)))
        return self.fill(said, subject, rng, role)

    def to_user(self, text: str, subject: str) -> str:
        """A sentence with the full name of its subject, as the assistant says it to the user within another."""
        if subject == self._own and self._pack.writing.mine is not None:
            owner, _, yours = self._pack.writing.mine
            text = text.replace(owner.format(S=subject), yours)
        called = self._called.get(subject, subject)
        if called.lower() not in text.lower():
            text = text.replace(subject, called, 1)
        return text if text.startswith(tuple(self._called)) else text[:1].lower() + text[1:]
