"""One fact of a plan with another value: wherever the value is told, shown or claimed, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from memarena_builder.pictures.spec import Field, PictureSpec
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.world.facts import Fact, Key


class Swap:
    """The value `old` of `key` becomes `new`, in every version that has it."""

    def __init__(self, key: Key, old: str, new: str) -> None:
        self.key, self.old, self.new = key, old, new

    def plan(self, plan: Plan) -> Plan:
        """`plan` with the other value."""
        changed = {fact.fact_id for fact in plan.facts() if self._has(fact.key, fact.slots)}
        stale = {event.image_id for event in plan.events() if event.claim and self._has(event.claim, event.slots)} - {
            ""
        }
        return replace(
            plan,
            sessions=tuple(self._session(session) for session in plan.sessions),
            pictures={name: self._picture(spec, changed, anyway=name in stale) for name, spec in plan.pictures.items()},
        )

    def fact(self, fact: Fact) -> Fact:
        """`fact` with the other value, where it has the one that changes."""
        if not self._has(fact.key, fact.slots):
            return fact
        return replace(fact, value=self.new, slots=self._slots(fact.slots))

    def stale(self, values: tuple[str, ...], key: Key) -> tuple[str, ...]:
        """Answers to a question on `key` that were right once, in the other world."""
        return tuple(self.new if key == self.key and value == self.old else value for value in values)

    def _has(self, key: Key, slots: Mapping[str, str]) -> bool:
        return key == self.key and slots.get("V") == self.old

    def _slots(self, slots: Mapping[str, str]) -> dict[str, str]:
        return {**slots, "V": self.new}

    def _session(self, session: SessionPlan) -> SessionPlan:
        return replace(session, events=tuple(self._event(event) for event in session.events))

    def _event(self, event: Event) -> Event:
        if event.fact is not None:
            return replace(event, fact=self.fact(event.fact))
        if event.claim is not None and self._has(event.claim, event.slots):
            return replace(event, slots=self._slots(event.slots))
        return event

    def _picture(self, spec: PictureSpec, changed: set[str], *, anyway: bool) -> PictureSpec:
        if not anyway and all(field.fact_id not in changed for field in spec.fields):
            return spec
        fields = tuple(self._field(field) if field.fact_id else field for field in spec.fields)
        told = spec.caption_full.removeprefix(spec.caption)
        return replace(spec, fields=fields, caption_full=spec.caption + told.replace(self.old, self.new))

    def _field(self, field: Field) -> Field:
        options = field.options
        if self.new not in options:
            options = tuple(self.new if each == self.old else each for each in options)
        return replace(field, value=self.new, options=options) if field.value == self.old else field
