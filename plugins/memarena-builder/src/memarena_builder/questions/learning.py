"""TTL: what was taught, applied to a case that never occurred."""

from __future__ import annotations

import random
from collections.abc import Iterator

from memarena_builder.packs.schema import Attribute
from memarena_builder.questions.decided import OfDecider, SortedAll
from memarena_builder.questions.known import Draft, Known, asked, listed, sentence_case
from memarena_builder.questions.mix import MOST
from memarena_builder.questions.query import Query
from memarena_builder.questions.taught import Apply, Lesson, Named, Packed, Rules
from memarena_builder.world.facts import Key
from memarena_builder.world.values import number_of

NEAR = (3, 90)
"""How far from the limit a case is, in euros."""
MOST_PACKS = 24
BETWEEN = 4
"""Cases that are looked at for each rule that nobody stated."""


def test_time(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """TTL: `stated` rules with a limit, with their exceptions; those that only `cases` taught; `kinds` of things, also
    one that no rule names, and `several kinds` at once; `names` and `packs`; what helped when something failed
    (`lesson`); what is known of the `person` whom a rule names."""
    makers = {
        "stated": _stated, "cases": _by_cases, "kinds": _kinds, "names": _names, "packs": _packs, "lesson": _lessons,
        "person": _of_deciders, "several kinds": _several_kinds,
    }  # fmt: skip
    yield from makers[form](known, rng, Rules(known.pack.attributes))


def _lessons(known: Known, rng: random.Random, _: Rules) -> Iterator[Draft]:
    for fact in known.holding("lesson"):
        text, template = asked(known.attribute(fact.key), fact.key.subject, rng)
        yield Draft("TTL", text, Lesson(key=fact.key), template, (fact.key,), (), "medium")


def _draft(
    known: Known, rng: random.Random, attribute: Attribute, query: Query, keys: tuple[Key, ...], **blanks: object
) -> Draft:
    """A question on what was taught; answers that were right before a change are stale."""
    number = rng.randrange(len(attribute.asked))
    text = attribute.asked[number].format(S=keys[0].subject, **blanks)
    found = query.evaluate(known.facts)
    told = [known.facts[:end] for end, fact in enumerate(known.facts) if end and query.touches(fact)]
    before = (query.evaluate(facts) for facts in told)
    stale = dict.fromkeys(old.answer for old in before if old and found and old.answer != found.answer)
    hard = "medium" if len(keys) < 3 else "hard"
    return Draft("TTL", text, query, f"{attribute.name}/{number}", keys, tuple(stale), hard)


def _stated(known: Known, rng: random.Random, rules: Rules) -> Iterator[Draft]:
    for fact in (*known.holding("rule"), *known.holding("exception")):
        subject = fact.key.subject
        rule = known.held.get(Key(subject, rules.name("rule")))
        if rule is None:
            continue
        limit = number_of(rule.slots["L"])
        amount = limit + rng.choice((-1, 1)) * rng.randint(NEAR[0], min(limit // 2, NEAR[1]))
        yield _bill(known, rng, rules, fact.key, amount, fact.key.element)


def _by_cases(known: Known, rng: random.Random, rules: Rules) -> Iterator[Draft]:
    sizes: dict[str, list[int]] = {}
    for fact in (*known.holding("example"), *known.holding("slip")):
        sizes.setdefault(fact.key.subject, []).append(number_of(fact.slots["X"]))
    for subject, seen in sizes.items():
        for _ in range(BETWEEN):
            amount = rng.randint(min(seen) // 2, max(seen) + NEAR[1])
            if amount not in seen:
                yield _bill(known, rng, rules, Key(subject, rules.name("example")), amount, "")


def _bill(known: Known, rng: random.Random, rules: Rules, key: Key, amount: int, case: str) -> Draft:
    exception = rules.by_form["exception"]
    special = {each.element for each in known.by_key if each[:2] == (key.subject, exception.name)}
    cases = [each for each in known.pack.pools[exception.slots["C"].pool] if each not in special]
    case = case or rng.choice(cases)
    query = rules.apply(key.subject, amount, case)
    keys = (key, Key("case", str(amount), case))
    return _draft(known, rng, rules.by_form["rule"], query, keys, X=amount, C=case)


def _of_deciders(known: Known, rng: random.Random, _: Rules) -> Iterator[Draft]:
    yield from of_deciders(known, rng, "TTL", visual=False)


def of_deciders(known: Known, rng: random.Random, kind: str, *, visual: bool) -> Iterator[Draft]:
    """A value of whoever decides a case of a rule with a limit, where there are words for who that is; `visual`: the
    value is in a picture alone."""
    rules = Rules(known.pack.attributes)
    attribute = rules.by_form["rule"]
    for bill in (*_stated(known, rng, rules), *_by_cases(known, rng, rules)) if attribute.decider else ():
        rule = bill.query
        who = rule.evaluate(known.facts)
        if not isinstance(rule, Apply) or who is None:
            continue
        called = attribute.decider.format(S=rule.subject, X=rule.amount, C=rule.case)
        for fact in known.holding("plain", visual=visual):
            if fact.key.subject == who.answer:
                text, template = asked(known.attribute(fact.key), called, rng)
                query = OfDecider(rule=rule, attribute=fact.key.attribute)
                keys = (*bill.keys, fact.key)
                yield Draft(kind, text, query, f"{rule.rule}>{template}", keys, known.stale(fact.key), "hard")


def _kinds(known: Known, rng: random.Random, rules: Rules) -> Iterator[Draft]:
    """Of a kind that a rule names, and of one that none does."""
    for fact in (*known.holding("case"), *known.holding("rest")):
        subject, attribute = fact.key.subject, rules.by_kind[fact.key.attribute]
        named = {key.element for key in known.by_key if key[:2] == (subject, attribute.name)}
        others = [each for each in known.pack.pools[attribute.slots["C"].pool] if each not in named]
        case = fact.key.element or rng.choice(others)
        query = rules.sorted(attribute, subject, case)
        yield _draft(known, rng, attribute, query, (fact.key, Key("case", case)), C=case)


def _several_kinds(known: Known, rng: random.Random, rules: Rules) -> Iterator[Draft]:
    """Of several kinds that rules name, and where all others have a place, of one that none does."""
    told = dict.fromkeys((fact.key.subject, fact.key.attribute) for fact in known.holding("case"))
    for subject, attribute in ((subject, rules.by_kind[name]) for subject, name in told):
        named = [key for key in known.by_key if key[:2] == (subject, attribute.name)]
        others = [
            each for each in known.pack.pools[attribute.slots["C"].pool] if each not in {k.element for k in named}
        ]
        keys = [key for key in (*named, Key(subject, attribute.rest)) if key in known.held]
        if len(keys) < 2 or not attribute.asked_all:
            continue
        for number in range(2, min(len(keys), MOST) + 1):
            chosen = rng.sample(keys, number)
            cases = [key.element or rng.choice(others) for key in chosen]
            every = tuple(rules.sorted(attribute, subject, case) for case in cases)
            query = SortedAll(rules=every, joint=known.pack.asking.joint)
            place = rng.randrange(len(attribute.asked_all))
            text = sentence_case(attribute.asked_all[place].format(S=subject, L=listed(known.pack, cases)))
            yield Draft("TTL", text, query, f"{attribute.name} all/{place}", tuple(sorted(chosen)), (), "hard")


def _names(known: Known, rng: random.Random, _: Rules) -> Iterator[Draft]:
    for fact in known.holding("pattern"):
        attribute = known.attribute(fact.key)
        topic = rng.choice(known.pack.pools[attribute.topics])
        keys = (fact.key, Key("case", topic))
        yield _draft(known, rng, attribute, Named(key=fact.key, topic=topic), keys, C=topic)


def _packs(known: Known, rng: random.Random, _: Rules) -> Iterator[Draft]:
    for fact in known.holding("unit"):
        size = number_of(fact.slots["N"])
        amount = size * rng.randint(2, MOST_PACKS) - rng.randrange(size)
        keys = (fact.key, Key("case", str(amount)))
        yield _draft(known, rng, known.attribute(fact.key), Packed(key=fact.key, amount=amount), keys, X=amount)
