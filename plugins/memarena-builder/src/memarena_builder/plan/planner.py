"""Plans a sample: which fact is told, changed, mentioned or twisted in which session, by quotas and named streams."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from datetime import date, timedelta

from msgspec.structs import replace

from memarena_builder.packs.schema import Attribute, Pack, SelfKind
from memarena_builder.plan.distract import Distractors
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.plan.picturing import MOST_FACTS, Pictures
from memarena_builder.plan.quota import Quota
from memarena_builder.plan.state import State
from memarena_builder.plan.storylines import Scene, Storylines
from memarena_builder.plan.teaching import Teaching
from memarena_builder.plan.threads import threaded
from memarena_builder.plan.updates import Updates
from memarena_builder.streams import Streams
from memarena_builder.world.cast import Cast, make_cast, names_of
from memarena_builder.world.facts import EventKind, Fact, Key
from memarena_builder.world.values import NoValueLeftError, Values, working_day

FIRST_DAY = date(2026, 1, 5)
GAP_DAYS = (3, 13)
"""Days between two sessions."""
EARLY = 12
"""Place among the facts by which the first of each kind is told."""
SOON, VERY_SOON = 0.65, 0.4
"""Times as long as others what is asked for long after waits until it becomes known, and what is of the one who speaks;
and what questions rest on that need several facts."""
FOR_LATER = frozenset({"set", "case", "rest", "pattern", "unit"})
"""Forms of attributes that teach what is asked for long after, or that grow."""
TOGETHER_WITH = frozenset({"date", "relation"})
"""Forms whose facts are held against each other, or lead to others; numbers that can be added are such too."""
RESERVED = 0.12
"""Share of all keys that is never told."""
ALONE = 2
"""Sessions in the beginning whose pictures reveal one fact each, but for scenes of storylines: much has to be told
first."""
TOGETHER = 0.5
"""Share of what a picture could show besides that it does show."""
MORE, AGAIN = 0.7, (5, 40)
"""Share of the rules for one kind of things, and of exceptions, after which another follows; and after how many facts
that, or what has to wait, is next."""
MAY_BE_RESERVED = frozenset({"plain", "date", "relation", "schedule"})

RULED, BY_CASES = frozenset({"rule", "exception"}), frozenset({"example", "slip"})
"""Forms of a rule that is stated, and of one that cases teach."""

_INTRODUCED: Mapping[str, EventKind] = {
    "date": "E8", "lesson": "E9", "rule": "E10", "exception": "E10", "case": "E10", "rest": "E10", "pattern": "E10",
    "unit": "E10", "schedule": "E14", "set": "E18",
}  # fmt: skip


def make_plan(pack: Pack, quota: Quota, streams: Streams) -> Plan:
    """The plan of the sample at `streams`."""
    cast = make_cast(pack, streams.rng("cast"), quota.sessions)
    days = list(_days(quota.sessions, streams.rng("days"), working=pack.working))
    values = Values(pack.pools, days[0], pack.language)
    values.reserve(*names_of(pack, cast))
    state = State(pack=pack, cast=cast, values=values)
    teaching = Teaching(state, quota.sessions, streams.rng("teaching"))
    fresh, reserved = _keys(pack, cast, teaching.subjects, streams.rng("keys"))
    kinds = {entity.name: entity.kind for entity in cast.entities}
    pictures = Pictures(pack, streams.at("pictures"))
    updates = Updates(state, quota.sessions)
    away = {*reserved, *(key for key, _ in fresh[: 2 * EARLY])}
    stories = Storylines(pack, cast, quota.sessions, away, streams.rng("storylines"))
    distractors = Distractors(state, pictures)
    sessions: list[SessionPlan] = []
    announced: list[Key] = []
    for index, day in enumerate(days):
        here = streams.at("session", index)
        session_id = f"S{index:02}"
        state.begin(index, day)
        cases = teaching.events(index)
        scenes, ahead = stories.due(index), stories.later(index)
        waiting = [pair for pair in fresh if pair[0] in ahead]
        ready = sorted((pair for pair in fresh if pair[0] not in ahead), key=lambda pair: pair[0] not in scenes)
        changed = updates.plan(min(_changes(quota, index), quota.points - len(cases)), here.rng("updates"), scenes)
        told = _new(state, ready, quota.points - len(changed) - len(cases), here.rng("new"))
        fresh = [*ready, *waiting]
        kept = [*cases, *(_in_story(event, scenes) for event in (*told, *changed))]
        touched = {event.fact.key for event in kept if event.fact}
        again = list(updates.confirmed(here.rng("confirmed")))
        again += _again(state, touched, {event.mentions for event in again}, here.rng("again"))
        shown = pictures.attach(session_id, kept, quota.pictures, here.rng("pictures"))
        mentioned = {event.mentions for event in again}
        spoken_of = touched | {fact.key for fact in state.holding() if fact.fact_id in mentioned}
        twisted = distractors.plan(
            session_id, quota.distractors if index else 0, here.rng("distractors"), spoken_of
        )  # fmt: skip
        key = _announce(pack, reserved, announced, index, here.rng("announced"))
        later = [Event(event_id="", kind="announced", claim=key)] if key else []
        later += [Event(event_id="", kind="E7", mentions=fact.fact_id) for fact in _led(pack, changed)]
        announced += [key] if key else []
        known = {fact.fact_id: fact for fact in (*state.holding(), *(each.fact for each in changed if each.fact))}
        subjects = {name: fact.key.subject for name, fact in known.items()}
        ordered = threaded(_units([*shown, *again], [*twisted, *later]), subjects, kinds, here.rng("order"))
        events = tuple(_named(each, session_id, place) for place, each in enumerate(ordered))
        sessions.append(SessionPlan(session_id=session_id, index=index, day=day, events=events))
        state.end([event.fact for event in events if event.fact])
        stories.told(scenes[event.fact.key] for event in events if event.story and event.fact)
    return Plan(
        cast=cast,
        sessions=tuple(sessions),
        pictures=pictures.made,
        reserved=tuple(reserved),
        announced=tuple(announced),
    )


def _in_story(event: Event, scenes: Mapping[Key, Scene]) -> Event:
    """The event, with the storyline that it is a scene of."""
    scene = scenes.get(event.fact.key) if event.fact else None
    return replace(event, story=scene.story, arc=scene.arc) if scene else event


def _changes(quota: Quota, index: int) -> int:
    """How many updates a session has: one more in the first half, one less in the second, so that what holds in the end
    was not always told late."""
    if index == 0 or quota.updates < 2:
        return quota.updates if index else 0
    return quota.updates + (1 if 2 * index < quota.sessions else -1)


def _days(count: int, rng: random.Random, *, working: bool) -> Iterator[date]:
    """The days of the sessions; `working`: none on a weekend."""
    day = FIRST_DAY + timedelta(days=rng.randint(0, 60))
    for _ in range(count):
        yield working_day(day) if working else day
        day += timedelta(days=rng.randint(*GAP_DAYS))


def _keys(
    pack: Pack, cast: Cast, by_cases: Collection[str], rng: random.Random
) -> tuple[list[tuple[Key, Attribute]], list[Key]]:
    """All keys in the order in which they become known, and those that never do; the rule of those in `by_cases` is
    neither.

    Of each attribute at most every second key is kept back, so that a question on it has a twin that is answerable; of
    each that is a detail of an event one is.
    """
    every = [
        (Key(entity.name, each.name), each)
        for each in pack.attributes
        for entity in cast.of(each.about)
        if not (each.form in BY_CASES or (each.form in RULED and entity.name in by_cases))
    ]
    rng.shuffle(every)
    details = {attribute.name: key for key, attribute in every if attribute.detail_of}
    events = {Key(key.subject, pack.attribute(name).detail_of) for name, key in details.items()}
    reserved = list(details.values())
    most = round(RESERVED * len(every))
    for key, attribute in (pair for pair in every if pair[0] not in events):
        rivals = [other for other, same in every if same.name == attribute.name]
        kept = sum(other.attribute == key.attribute for other in reserved)
        if len(reserved) < most and attribute.form in MAY_BE_RESERVED and 2 * (kept + 1) < len(rivals):
            reserved.append(key)
    away = frozenset(reserved)
    fresh = [pair for pair in every if pair[0] not in away]
    fresh.sort(key=lambda pair: rng.random() * _waiting(pair[1]))
    return _with_early(fresh, events, set(details), rng), reserved


def _waiting(attribute: Attribute) -> float:
    """Times as long as others what is of an attribute waits until it becomes known."""
    if attribute.form in TOGETHER_WITH or attribute.sums:
        return VERY_SOON
    return SOON if attribute.form in FOR_LATER or attribute.about == SelfKind else 1


def _with_early(
    fresh: list[tuple[Key, Attribute]], events: Set[Key], details: Set[str], rng: random.Random
) -> list[tuple[Key, Attribute]]:
    """`fresh`, with what questions of every type can rest on among the first.

    A schedule, a rule, a lesson, an event of which a detail is never told with that detail of another, and somebody
    with one thing in words by which they are found and another that only a picture tells. `events`: those of
    which a detail is never told; `details`: the attributes that are such.
    """
    early = [next(pair for pair in fresh if pair[1].form == form) for form in ("schedule", "rule", "lesson")]
    early += [next(pair for pair in fresh if pair[1].name == name) for name in sorted(details)]
    early += [pair for pair in fresh if pair[0] in events]
    found = [pair for pair in fresh if pair[1].who and pair[1].carriers == ("text",)]
    seen = {pair[0].subject: pair for pair in fresh if pair[1].carriers == ("picture",)}
    clue = next((pair for pair in found if pair[0].subject in seen), None)
    early += [clue, seen[clue[0].subject]] if clue else []
    early = [pair for place, pair in enumerate(early) if pair not in early[:place]]
    rest = [pair for pair in fresh if pair not in early]
    for pair in early:
        rest.insert(rng.randint(0, EARLY), pair)
    return rest


def _new(state: State, fresh: list[tuple[Key, Attribute]], count: int, rng: random.Random) -> list[Event]:
    """The next `count` facts that were never told. An exception waits for its rule."""
    made: list[Event] = []
    waiting = []
    while fresh and len(made) < count:
        key, attribute = fresh.pop(0)
        if attribute.form == "exception" and not state.is_ruled(key.subject):
            waiting.append((key, attribute))
            continue
        try:
            made.append(introduce(state, key, attribute, rng))
        except NoValueLeftError:
            continue
        if attribute.form == "rule":
            waiting += [pair for pair in fresh if pair[1].form == "exception" and pair[0].subject == key.subject]
            fresh[:] = [pair for pair in fresh if pair not in waiting]
        if attribute.form in ("case", "exception") and rng.random() < MORE:
            fresh.insert(rng.randint(*AGAIN), (key, attribute))
        made += _beside(state, fresh, made[-1], min(count - len(made), MOST_FACTS - 1), rng)
    for pair in waiting:
        fresh.insert(rng.randint(*AGAIN), pair)
    return made


def _beside(
    state: State, fresh: list[tuple[Key, Attribute]], event: Event, count: int, rng: random.Random
) -> Iterator[Event]:
    """Facts that the picture of `event` shows besides, at most `count`; taken out of `fresh`."""
    if event.fact is None or not event.fact.visual or state.index < ALONE:
        return
    kinds = set(state.pack.attribute(event.fact.key.attribute).pictures)
    for key, attribute in [pair for pair in fresh if pair[0].subject == event.fact.key.subject and pair[1].visual]:
        if count <= 0 or not kinds & set(attribute.pictures) or rng.random() >= TOGETHER:
            continue
        try:
            made = introduce(state, key, attribute, rng, shown=True)
        except NoValueLeftError:
            continue
        fresh.remove((key, attribute))
        kinds &= set(attribute.pictures)
        count -= 1
        yield made


def introduce(state: State, key: Key, attribute: Attribute, rng: random.Random, *, shown: bool = False) -> Event:
    """The event by which a fact becomes known; raises NoValueLeftError where there is no value for it. `shown`: by a
    picture alone."""
    slots = state.draw(key, attribute, rng)
    visual = shown or attribute.carriers == ("picture",) or (attribute.visual and rng.random() < 0.5)
    kind: EventKind = "E11" if visual else _INTRODUCED.get(attribute.form, "E1")
    dated = not visual and attribute.form == "plain" and attribute.volatility > 0 and rng.random() < 0.3
    since = state.day - timedelta(days=rng.randint(2, 40)) if dated else state.day
    fact = state.fact(key, attribute, slots, kind=kind, since=since, visual=visual)
    return Event(event_id="", kind=kind, fact=fact, dated=dated)


def _again(state: State, touched: Set[Key], told: Set[str], rng: random.Random) -> list[Event]:
    """A fact that holds and is not touched by this session, nor among those `told` again, said once more in other
    words; none where there is none."""
    free = [fact for fact in state.holding() if fact.key not in touched and fact.fact_id not in told]
    held = [fact for fact in free if not fact.visual and fact.told.session < state.index and fact.slots]
    return [Event(event_id="", kind="E15", mentions=rng.choice(held).fact_id)] if held else []


def _led(pack: Pack, changed: Sequence[Event]) -> Iterator[Fact]:
    """The relations that changed: what is known of the new person now holds for whatever they are related to, though
    nobody says so."""
    for event in changed:
        if event.fact and event.fact.value and pack.attribute(event.fact.key.attribute).one:
            yield event.fact


def _announce(pack: Pack, reserved: Sequence[Key], announced: list[Key], index: int, rng: random.Random) -> Key | None:
    """In every third session a key that a picture would tell which never comes."""
    if index % 3 != 1:
        return None
    left = [key for key in reserved if pack.attribute(key.attribute).visual and key not in announced]
    return rng.choice(left) if left else None


def _units(kept: Sequence[Event], others: Sequence[Event]) -> list[list[Event]]:
    """What stays together: of one key in the order given, and all of one picture."""
    units: dict[str, list[Event]] = {}
    for place, event in enumerate((*kept, *others)):
        subject = event.fact.key if event.fact else None
        name = event.image_id or (f"{subject}" if subject else f"{place}")
        units.setdefault(name, []).append(event)
    return list(units.values())


def _named(event: Event, session_id: str, place: int) -> Event:
    fact = event.fact
    if fact is not None:
        fact = replace(fact, told=fact.told._replace(order=place))
    return replace(event, event_id=f"{session_id}:E{place:02}", fact=fact)
