"""The presets: which samples a data set has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from memarena.catalog import did_you_mean
from memarena.errors import UsageError
from memarena_builder.agentic.recipes import KINDS, HouseRecipe, Kind, ValleyRecipe, published
from memarena_builder.order import DeskOrder, HouseOrder, LifelongOrder, Order, TwinOrder, ValleyOrder
from memarena_builder.packs.places import VARIABLE, domains_of, languages
from memarena_builder.plan.quota import Quota

PROJECTS = ("academic", "education", "finance", "health", "software", "startup")
PERSONAL = "personal"
DEV_EVERY = 5
"""One sample of so many is of the split `dev`, in each sub-category."""
FIRST_DEV = 3
"""Which sample of a sub-category is the first of `dev`."""


class Variant(NamedTuple):
    """How a data set differs from what its preset says."""

    language: str = "en"
    """Of the schema packs."""
    twins: int = 0
    """Samples of dialogue, from the first on, that get a twin: the same world but for one fact."""
    domains: tuple[str, ...] = ()
    """Of the dialogues, one's own among them, and no work of agents; (): all that come with this package."""

    def __str__(self) -> str:
        """As it stands behind the name of a preset: `+zh+bakery+twins3`; "" for none."""
        words = [self.language] if self.language != "en" else []
        words += [*self.domains, *([f"twins{self.twins}"] if self.twins else [])]
        return "".join(f"+{word}" for word in words)

    @classmethod
    def read(cls, words: Iterable[str]) -> Variant:
        """The variant of `zh`, `bakery`, `twins3`; raises UsageError for a word that is none."""
        made = cls()
        domains = {domain for language in languages() for domain in domains_of(language)}
        for word in words:
            count = word.removeprefix("twins")
            if word != count and count.isdecimal():
                made = made._replace(twins=int(count))
            elif word in languages():
                made = made._replace(language=word)
            elif word in domains:
                made = made._replace(domains=(*made.domains, word))
            else:
                known = did_you_mean(word, (*languages(), *domains))
                raise UsageError(f"+{word}: is neither twinsN nor a language or a domain{known}")
        return made


class Preset(NamedTuple):
    """How many samples, and how large each is."""

    per_project: int
    """Samples of each professional domain."""
    personal: int
    """Samples of whole lives."""
    quota: Quota
    about: str
    agentic: int | None = 0
    """Samples of each agentic sub-category; None: as many as the published set has."""


PRESETS: Mapping[str, Preset] = {
    "tiny": Preset(
        1, 0, Quota(sessions=8, points=8, updates=3, rounds=10, checkpoints=3), "6 samples of 8 sessions, for tests"
    ),
    "small": Preset(1, 2, Quota(sessions=18), "8 samples of 18 sessions, one of each agentic sub-category", 1),
    "paper": Preset(3, 20, Quota(sessions=30), "samples, sessions and questions as in the paper", None),
    "stress": Preset(1, 1, Quota(sessions=100, points=5, updates=3, checkpoints=10), "7 samples of 100 sessions"),
}
"""By name."""


PARTS = ("all", "lifelong", "agentic")
"""Which samples of a preset are made."""


def orders(name: str, seed: int, part: str = "all", variant: Variant = Variant()) -> tuple[Order, ...]:  # noqa: B008
    """The orders of a preset, in the order of the data set; twins come last. Raises UsageError for an unknown name,
    part or language, and for more twins than there are samples of dialogue."""
    preset = PRESETS.get(name)
    if preset is None:
        raise UsageError(f"--preset {name}: there is no such preset{did_you_mean(name, PRESETS)}")
    if part not in PARTS:
        raise UsageError(f"--part {part}: there is no such part{did_you_mean(part, PARTS)}")
    made = [
        *(_lifelong(preset, seed, variant) if part != "agentic" else ()),
        *(_agentic(preset, seed) if part != "lifelong" and variant.language == "en" and not variant.domains else ()),
    ]
    if not made:
        raise UsageError(f"--part {part}: the preset {name}{variant} has no such samples")
    split = _split(made)
    return (*split, *_twins(split, variant.twins))


def _split(made: Sequence[Order]) -> tuple[Order, ...]:
    """The samples with those of `dev` marked: the third, eighth and so on of each sub-category; of sub-categories that
    are smaller than that, every fifth of all."""
    sizes = Counter(order.place for order in made)
    seen: Counter[str] = Counter()
    out = []
    for number, order in enumerate(made, 1):
        seen[order.place] += 1
        large = sizes[order.place] >= FIRST_DEV
        dev = seen[order.place] % DEV_EVERY == FIRST_DEV if large else number % DEV_EVERY == 0
        out.append(_as_dev(order) if dev else order)
    return tuple(out)


def _twins(made: Iterable[Order], count: int) -> list[Order]:
    """The twins of the first `count` samples of dialogue, each of the split of its base."""
    bases = [order for order in made if isinstance(order, LifelongOrder)]
    if count > len(bases):
        raise UsageError(f"--twins {count}: there are {len(bases)} samples of dialogue")
    return [
        TwinOrder(
            sample_id=f"{base.sample_id}_twin", place=base.place, seed=base.seed, split=base.split, base=base
        )
        for base in bases[:count]
    ]  # fmt: skip


def _lifelong(preset: Preset, seed: int, variant: Variant) -> Iterator[Order]:
    """Projects of each domain, as many together as all of this package have in English, then whole lives."""
    language = variant.language
    if language not in languages():
        raise UsageError(f"--language {language}: there is no such language{did_you_mean(language, languages())}")
    there = domains_of(language)
    for domain in variant.domains:
        if domain not in there:
            raise UsageError(
                f"--domain {domain}: there is no such domain in {language!r}{did_you_mean(domain, there)}; "
                f"yours are looked for in the folders of {VARIABLE}"
            )
    quota = replace(preset.quota, language=language)
    chosen = dict.fromkeys(variant.domains or (domain for domain in (*PROJECTS, PERSONAL) if domain in there))
    projects = [domain for domain in chosen if domain != PERSONAL]
    for domain in projects:
        for number in range(1, preset.per_project * len(PROJECTS) // len(projects) + 1):
            yield _order(f"lifelong/project/{domain}", domain, number, seed, quota)
    for number in range(1, preset.personal + 1 if PERSONAL in chosen else 1):
        yield _order("lifelong/personal", PERSONAL, number, seed, quota)


def _agentic(preset: Preset, seed: int) -> Iterator[Order]:
    sizes = published()
    for kind in KINDS:
        name = kind.place.rpartition("/")[2]
        for number, (sessions, questions) in enumerate(sizes[kind.place][: preset.agentic], 1):
            yield _played(f"{name}_{number:02}", kind, seed, sessions, questions)


def _played(sample_id: str, kind: Kind, seed: int, sessions: int, questions: int) -> Order:
    place, recipe = kind.place, kind.recipe
    if isinstance(recipe, HouseRecipe):
        return HouseOrder(
            sample_id=sample_id, place=place, seed=seed, recipe=recipe, sessions=sessions, questions=questions
        )
    if isinstance(recipe, ValleyRecipe):
        return ValleyOrder(
            sample_id=sample_id, place=place, seed=seed, recipe=recipe, sessions=sessions, questions=questions
        )
    return DeskOrder(
        sample_id=sample_id, place=place, seed=seed, recipe=recipe, sessions=sessions, questions=questions
    )  # fmt: skip


def _order(place: str, domain: str, number: int, seed: int, quota: Quota) -> LifelongOrder:
    return LifelongOrder(sample_id=f"{domain}_{number:02}", place=place, domain=domain, seed=seed, quota=quota)


def _as_dev(order: Order) -> Order:
    return replace(order, split="dev")
