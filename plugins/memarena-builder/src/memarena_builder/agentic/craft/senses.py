"""What the agent observes in the valley, and what it knows from that: the words leave out what only pictures show."""

from __future__ import annotations

import io
from collections.abc import Iterator

from memarena_builder.agentic.craft.valley import HEADINGS, Valley
from memarena_builder.agentic.craft.words import ENTERED, GROUND, LEVELS, NUMBERS, STOCKS
from memarena_builder.agentic.trajectory import Learnt

TASK, BYSTANDER = 0.6, 0.4
"""Importance of what is seen of the thing of a task, and of anything else."""


class Senses:
    """The eyes of the agent in a valley."""

    def __init__(self, valley: Valley) -> None:
        self._valley = valley
        self._district = self.where()
        self.entered = ""
        """The district that the last step led into; "" where it stayed in one."""

    def where(self) -> str:
        """The district of the agent."""
        return self._valley.district(self._valley.stand())

    def arrive(self) -> None:
        """Notice whether another district was entered."""
        here = self.where()
        self.entered = here if here != self._district else ""
        self._district = here

    def look(self) -> str:
        """The observation in words."""
        valley = self._valley
        column, row = valley.stand()
        heading = next(name for name, each in HEADINGS.items() if each == valley.facing())
        before = valley.named(valley.face())
        front = f"{before} in {valley.district(valley.face())}" if before else "nothing that was built"
        return f"You are in {self.where()} (column {column}, row {row}), facing {heading}. Right before you: {front}."

    def seen(self, about: str, *, opening: bool) -> tuple[Learnt, ...]:
        """What is known from a look; `about`: the thing of the task. At the opening of a task the agent looks into its
        pack too."""
        pack = self._pack() if opening else ()
        return (*pack, *self._before(about), *self._count())

    def _pack(self) -> Iterator[Learnt]:
        for item in STOCKS:
            yield _number(item, "stock", self._valley.holds[item])
        for level in LEVELS:
            yield _number(level, "level", self._valley.holds[level])

    def _before(self, about: str) -> Iterator[Learnt]:
        valley, cell = self._valley, self._valley.face()
        name = valley.named(cell)
        if not name:
            return
        weight = TASK if name == about else BYSTANDER
        yield Learnt(subject=name, attribute="place", value=f"in {valley.district(cell)}", importance=weight)
        for heading, (across, along) in HEADINGS.items():
            beside = (cell[0] + across, cell[1] + along)
            ground = GROUND.get(valley.material(beside), "")
            if ground:
                yield Learnt(subject=name, attribute=heading, value=ground, visual=True, importance=weight)

    def _count(self) -> Iterator[Learnt]:
        if self.entered:
            trees = sum(self._valley.material(cell) == "tree" for cell in self._valley.view())
            yield _number(self.entered, ENTERED, trees)

    def picture(self, *, pack: bool) -> bytes:
        """The agent's surroundings, and its pack where it looks into it, as PNG."""
        from PIL import Image

        out = io.BytesIO()
        Image.fromarray(self._valley.picture(pack=pack)).save(out, "PNG", optimize=False)
        return out.getvalue()


def _number(subject: str, attribute: str, number: int) -> Learnt:
    value = NUMBERS[number] if number < len(NUMBERS) else f"more than {NUMBERS[-1]}"
    return Learnt(subject=subject, attribute=attribute, value=value, visual=True, importance=BYSTANDER)
