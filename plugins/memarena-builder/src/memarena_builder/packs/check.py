"""What no shape can say of a domain: templates, blanks, values and names that do not go together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from memarena.catalog import did_you_mean
from memarena_builder.packs.blanks import all_fit, blanks, fits
from memarena_builder.packs.facts import IDENTIFIER, KINDS, check_values
from memarena_builder.packs.files import Domain
from memarena_builder.packs.legible import LONGEST_NAME, LONGEST_VALUE, check_line
from memarena_builder.packs.places import Place
from memarena_builder.packs.schema import Attribute, Form, Pack, Script
from memarena_builder.packs.slots import FEWEST, FORMS
from memarena_builder.packs.words import Writing
from memarena_builder.validators.problem import says

PEOPLE: Mapping[str, int] = {"first": 13, "last": 16, "strangers": 12}
"""Pools of names, and how many a sample takes at most."""
NAMED: Mapping[str, int] = {"project_names": 3, "device_names": 4, "thing_names": 4}
"""Lists of names, and how many the smallest sample takes."""
NEEDED_FORMS: tuple[Form, ...] = ("schedule", "rule", "lesson")
"""Forms that every domain needs one attribute of, for questions of every type."""
_TAUGHT: tuple[tuple[Form, Form], ...] = (
    ("exception", "rule"), ("rule", "exception"), ("example", "rule"), ("example", "slip"), ("slip", "example"),
)  # fmt: skip
"""Forms that are taught, each with one that it needs beside it."""
SHORTEST_NAME = 2
"""Signs of the name of an entity."""
CHANGING = frozenset({"plain", "date", "relation", "schedule"})
"""Forms whose attributes can be in a script."""


def _no_stop(pack: Pack, attribute: Attribute, place: Place) -> None:
    """Statements stand within sentences: what ends one is put behind them."""
    for number, text in enumerate((*attribute.stated, attribute.gone)):
        if text.endswith(pack.writing.stop):
            here = place.at("stated", number) if number < len(attribute.stated) else place.at("gone")
            raise here.wrong(f"{text!r} ends with {pack.writing.stop!r}: leave that out, words may follow")


def _no_twice(texts: Sequence[str], place: Place) -> None:
    for number, text in enumerate(texts):
        if text in texts[:number]:
            raise place.at(number).wrong(f"{text!r} is there twice: take one out")


def check_pack(pack: Pack, place: Place, pairs: Sequence[tuple[Attribute, Place]]) -> None:
    """Raise DataError for what does not go together in a pack. `pairs`: its attributes with where they stand."""
    for attribute, here in pairs:
        _check_detail(pack, attribute, here)
        check_values(pack, attribute, here)
        _check_taught(pack, attribute, here)
        _no_twice(attribute.stated, here.at("stated"))
        _no_twice(attribute.asked, here.at("asked"))
        _no_stop(pack, attribute, here)
    _check_same(pairs)
    for form in NEEDED_FORMS:
        if not any(each.form == form for each in pack.attributes):
            raise place.wrong(f"no attribute has the form {form!r}: keep the shared one, or add one")
    _check_rules(pack, place)


def check_domain(own: Domain, place: Place) -> None:
    """Raise DataError for what is wrong with the names and words of a domain by themselves."""
    if own.thing in KINDS or not IDENTIFIER.fullmatch(own.thing):
        raise place.at("thing").wrong(f"{own.thing!r} is no name for a kind of entity of its own, e.g. 'patient'")
    for name in ("settings", "roles"):
        if not getattr(own, name):
            raise place.at(name).wrong("is empty: say one at least")
    for name in ("settings", "roles", "reasons", "topics"):
        all_fit(getattr(own, name), place.at(name))
    if own.article:
        fits(own.article, place.at("article"), ("name",))
    check_chat(own.chat, place.at("chat"))
    seen: dict[str, str] = {}
    for name, least in NAMED.items():
        texts: Sequence[str] = getattr(own, name)
        if len(set(texts)) < least:
            raise place.at(name).wrong(f"needs {least} different names, but has {len(set(texts))}")
        for number, text in enumerate(texts):
            here = place.at(name, number)
            fits(text, here)
            check_line(text, LONGEST_NAME, here)
            if len(text) < SHORTEST_NAME or not any(map(str.isalpha, text)):
                raise here.wrong(f"{text!r} is no name: it needs {SHORTEST_NAME} signs at least, and a letter")
            for other, where in seen.items():
                if says(text.lower(), other.lower()) or says(other.lower(), text.lower()):
                    raise here.wrong(f"{text!r} cannot be told from {other!r} in {where}: rename one of them")
            seen[text] = name


def check_chat(lines: Sequence[Sequence[str]], place: Place, *, single: bool = False) -> None:
    """Raise DataError for exchanges that do not go to and fro; `single`: one of a single round is needed."""
    for number, exchange in enumerate(lines):
        if not exchange or len(exchange) % 2:
            raise place.at(number).wrong("the user begins and the assistant ends: an even number of texts is needed")
        for at, text in enumerate(exchange):
            fits(text, place.at(number, at), (), ("person", "project", "device", "thing"))
    if single and not any(len(exchange) == 2 for exchange in lines):
        raise place.wrong("needs an exchange of two texts, to fill up a session with")


def _check_detail(pack: Pack, attribute: Attribute, place: Place) -> None:
    if not attribute.detail_of:
        return
    here, others = place.at("detail_of"), {each.name: each for each in pack.attributes}
    event = others.get(attribute.detail_of)
    if event is None:
        raise here.wrong(f"there is no attribute {attribute.detail_of!r}{did_you_mean(attribute.detail_of, others)}")
    if event.detail_of:
        raise here.wrong(f"{event.name!r} is a detail itself: a detail is of an event, in no circle")
    if event.about != attribute.about:
        raise here.wrong(f"{event.name!r} is about {event.about!r}, not about {attribute.about!r}")
    if attribute.form != "plain":
        raise here.wrong(f"only an attribute of the form 'plain' is a detail, not one of {attribute.form!r}")


def _check_taught(pack: Pack, attribute: Attribute, place: Place) -> None:
    """What a rule needs besides its own words: where what it does not name belongs, what names are made for."""
    for field, form in (("rest", "case"), ("topics", "pattern")):
        if bool(getattr(attribute, field)) is not (attribute.form == form):
            said = "needs it" if attribute.form == form else "has no use for it: leave it out"
            raise place.at(field).wrong(f"the form {attribute.form!r} {said}")
    if attribute.topics and attribute.topics not in pack.pools:
        raise place.at("topics").wrong(
            f"there is no pool {attribute.topics!r}{did_you_mean(attribute.topics, pack.pools)}"
        )


def _check_same(pairs: Sequence[tuple[Attribute, Place]]) -> None:
    """No two attributes may be told or asked for in the same words, but for what is taught together, or be called alike
    in a picture or in a question."""
    seen: dict[tuple[str, str, str], str] = {}
    for attribute, place in pairs:
        for field in () if FORMS[attribute.form].single else ("what", "who", "one", "role"):
            text = getattr(attribute, field)
            mine = attribute.rest or attribute.name
            other = seen.setdefault((field, attribute.about, text), mine)
            if text and other != mine:
                raise place.at(field).wrong(f"{text!r} is that of {other!r} too: nobody could tell which is meant")
        for field in ("stated",) if FORMS[attribute.form].single else ("stated", "asked"):
            for number, text in enumerate(getattr(attribute, field)):
                mine = attribute.rest or attribute.name if field == "asked" else attribute.name
                other = seen.setdefault((field, attribute.about, _bare(attribute, text)), mine)
                if other != mine:
                    here = place.at(field, number)
                    raise here.wrong(f"{text!r} is a text of {other!r} too: nobody could tell which is meant")
        other = seen.setdefault(("label", attribute.about, attribute.label), attribute.name)
        if other != attribute.name:
            raise place.at("label").wrong(f"{other!r} has the label {attribute.label!r} too: rename one of them")


def _bare(attribute: Attribute, text: str) -> str:
    """A template in which blanks of one kind of values look alike."""
    marks = {name: slot.pool or slot.pattern or slot.unit or slot.kind for name, slot in attribute.slots.items()}
    return re.sub(r"\{(\w+)\}", lambda blank: "{" + marks.get(blank[1], blank[1]) + "}", text.lower())


def _check_rules(pack: Pack, place: Place) -> None:
    """What is taught together has to be there together, about the same kind of entity."""
    by_form: dict[str, Attribute] = {}
    for attribute in pack.attributes:
        other = by_form.setdefault(attribute.form, attribute)
        single = FORMS[attribute.form].single
        if single and other is not attribute:
            raise place.wrong(f"{other.name!r} and {attribute.name!r} have both the form {attribute.form!r}: keep one")
    for one, needs in _TAUGHT:
        if one in by_form and needs not in by_form:
            name = by_form[one].name
            raise place.wrong(f"{name!r} has the form {one!r}, which needs an attribute of the form {needs!r}")
        if one in by_form and by_form[one].about != by_form[needs].about:
            raise place.wrong(f"{by_form[one].name!r} and {by_form[needs].name!r} have to be about the same kind")
    _check_kinds(pack, place)


def _check_kinds(pack: Pack, place: Place) -> None:
    """What tells kind by kind where things belong goes with what tells where all others do, two and two."""
    rests = {each.name: each for each in pack.attributes if each.form == "rest"}
    for attribute in (each for each in pack.attributes if each.form == "case"):
        rest = rests.pop(attribute.rest, None)
        if rest is None:
            known = did_you_mean(attribute.rest, rests)
            raise place.wrong(f"{attribute.name!r} needs an attribute {attribute.rest!r} of the form 'rest'{known}")
        if rest.about != attribute.about:
            raise place.wrong(f"{attribute.name!r} and {rest.name!r} have to be about the same kind")
    if rests:
        raise place.wrong(f"{min(rests)!r} has the form 'rest', which needs an attribute of the form 'case' with it")


def check_pools(
    pools: Mapping[str, Sequence[str]], places: Mapping[str, Place], writing: Writing, shared: Place
) -> None:
    """Raise DataError for pools that are too small, or whose values cannot be told apart. `shared`: where those of
    names have to be."""
    for name in PEOPLE:
        if name not in pools:
            raise shared.wrong(f"the pool {name!r} is missing: people are called by it")
    for name, values in pools.items():
        _check_pool(name, values, places[name])
    for name, pattern in (("first", writing.given), ("last", writing.family)):
        for number, value in enumerate(pools[name]):
            if pattern and not re.fullmatch(pattern, value):
                raise places[name].at(number).wrong(f"{value!r} does not look like a name, which is {pattern}")


def _check_pool(name: str, values: Sequence[str], place: Place) -> None:
    least = PEOPLE.get(name, FEWEST)
    words: dict[str, str] = {}
    for number, value in enumerate(values):
        here = place.at(number)
        if blanks(value, here) or not value.strip() or value != value.strip():
            raise here.wrong(f"{value!r} is no value: no braces, no blanks at its ends, and not empty")
        check_line(value, LONGEST_VALUE, here)
        for word in (value.lower(), *(_words(value) if name != "strangers" else ())):
            other = words.setdefault(word, value)
            if other is not value:
                raise here.wrong(f"{value!r} and {other!r} have {word!r} in common: no answer could tell them apart")
    if len(values) < least:
        raise place.wrong(f"needs {least} different values, but has {len(values)}")


def _words(value: str) -> Iterable[str]:
    """The content words of a value, but for one that is a code."""
    from memarena_builder.packs.overlap import content

    return () if value[-1:].isdigit() else sorted(content(value), key=lambda word: (-len(word), word))


def check_script(script: Script, attributes: Mapping[str, Attribute], place: Place) -> None:
    """Raise DataError for a script that cannot happen. `attributes`: those that it may name."""
    names = [name for scene in script.scenes for name in scene]
    if len(script.scenes) < 2 or not all(script.scenes):
        raise place.at("scenes").wrong("needs two scenes at least, each with an attribute")
    for number, scene in enumerate(script.scenes):
        for at, name in enumerate(scene):
            here, attribute = place.at("scenes", number, at), attributes.get(name)
            if attribute is None or attribute.about != script.about:
                known = [each.name for each in attributes.values() if each.about == script.about]
                raise here.wrong(f"nobody has {name!r} about {script.about!r}{did_you_mean(name, known)}")
            if name in scene[:at]:
                raise here.wrong(f"{name!r} is in the scene twice: name it in a later one, where it has changed")
            if attribute.form not in CHANGING:
                raise here.wrong(f"{name!r} has the form {attribute.form!r}, of which no script can tell")
            if names.count(name) > 1 and (attribute.volatility == 0 or attribute.form == "schedule"):
                raise here.wrong(f"{name!r} is there twice, as if it changed, but it never does")
