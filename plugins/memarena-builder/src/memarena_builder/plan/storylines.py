"""The storylines of a sample: scripts of its pack, each cast with one entity, their scenes on the calendar."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from memarena_builder.packs.schema import Pack, Script
from memarena_builder.plan.events import Arc
from memarena_builder.world.cast import Cast
from memarena_builder.world.facts import Key

EVERY = 2
"""Sessions for each of which one storyline begins, on average."""
LATE = 3
"""Sessions for which a scene may be late before it is left out: what it changes may be too new to change."""
GAPS, SHARES = (1, 2, 3, 4, 5, 6), (0.3, 0.14, 0.13, 0.13, 0.15, 0.15)
"""Sessions between two scenes, and the share of each."""


class Scene(NamedTuple):
    """What one storyline tells or changes in one session."""

    session: int
    story: str
    """The script and its entity, e.g. `admission: Mrs. Quill`."""
    arc: Arc
    key: Key


class Storylines:
    """The scenes of one sample that are still to come."""

    def __init__(self, pack: Pack, cast: Cast, sessions: int, away: Collection[Key], rng: random.Random) -> None:
        """`away`: what no storyline may tell."""
        self._ahead: list[Scene] = []
        taken = set(away)
        left = max(sessions // EVERY, 1)
        for script, subject in _parts(pack, cast, rng):
            keys = {Key(subject, name) for scene in script.scenes for name in scene}
            begins = _begins(script, sessions, rng) if left and not keys & taken else None
            if begins is not None:
                taken |= keys
                left -= 1
                self._ahead += _scenes(script, subject, begins)

    def due(self, index: int) -> dict[Key, Scene]:
        """What the session at `index` is to tell or to change, and what earlier ones could not, by key."""
        self._ahead = [scene for scene in self._ahead if scene.session + LATE >= index]
        due = sorted(scene for scene in self._ahead if scene.session <= index)
        return {scene.key: scene for scene in reversed(due)}

    def later(self, index: int) -> set[Key]:
        """What no session up to that at `index` is to tell."""
        due = {scene.key for scene in self._ahead if scene.session <= index}
        return {scene.key for scene in self._ahead} - due

    def told(self, scenes: Iterable[Scene]) -> None:
        """Take away what was told."""
        away = set(scenes)
        self._ahead = [scene for scene in self._ahead if scene not in away]


def _parts(pack: Pack, cast: Cast, rng: random.Random) -> list[tuple[Script, str]]:
    """Each script with each entity of its kind, in the order in which they are taken: of the two arcs in turn."""
    parts = [(script, entity.name) for script in pack.scripts for entity in cast.of(script.about)]
    rng.shuffle(parts)
    turns: Counter[str] = Counter()
    ranked = []
    for script, subject in parts:
        ranked.append((turns[script.arc], script.arc, (script, subject)))
        turns[script.arc] += 1
    return [part for _, _, part in sorted(ranked, key=lambda row: row[:2])]


def _begins(script: Script, sessions: int, rng: random.Random) -> list[int] | None:
    """The session of each scene; None where they do not fit in."""
    gaps = rng.choices(GAPS, SHARES, k=len(script.scenes) - 1)
    if sum(gaps) >= sessions:
        return None
    at = [rng.randrange(sessions - sum(gaps))]
    for gap in gaps:
        at.append(at[-1] + gap)
    return at


def _scenes(script: Script, subject: str, sessions: Iterable[int]) -> Iterator[Scene]:
    for session, names in zip(sessions, script.scenes, strict=True):
        for name in names:
            yield Scene(session, f"{script.name}: {subject}", script.arc, Key(subject, name))
