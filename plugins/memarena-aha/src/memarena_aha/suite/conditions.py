"""What one cell runs: the conditions of a pair in one arm."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, TypeVar

from msgspec.structs import replace

from memarena import codec, meter
from memarena.errors import first_line
from memarena.journal import Journal
from memarena.suites import Seat
from memarena_aha.agents.context import PlayContext
from memarena_aha.parts import Episode, Pair, Said, Unit
from memarena_aha.suite.carriers import Carrier, FixedText, Recalled, RigMemory
from memarena_aha.suite.lines import TALLIED, EpisodeLine, Recorder, StepLine
from memarena_aha.suite.players import AgentCrashed, AgentHung, Agents, Player
from memarena_aha.suite.playing import EnvironmentFault, Place, Played, play
from memarena_aha.suite.rules import REFLECTION_WORDS, refused, taken
from memarena_aha.suite.stages import stages_of

__all__ = ["COLD", "EVALUATION", "FOREIGN", "GOLD", "MISLED", "POISONED", "SUPPORTED", "Conditions"]

T = TypeVar("T")
EVALUATION = "evaluation"
COLD, SUPPORTED, GOLD, MISLED = "cold", "supported", "gold", "misled"
POISONED, FOREIGN = "poisoned", "foreign"
_HAS_IT: Mapping[str, Callable[[Pair], bool]] = {
    POISONED: lambda pair: bool(pair.poison),
    FOREIGN: lambda pair: bool(pair.foreign),
}


class Conditions:
    """Runs the conditions of one pair in one arm, each from an empty memory."""

    def __init__(self, seat: Seat, pair: Pair, agents: Agents, recorder: Recorder) -> None:
        self._seat = seat
        self._pair = pair
        self._agents = agents
        self._recorder = recorder

    def baseline(self) -> None:
        """Without a memory: cold (B), with support in sight (S_sup), with the gold lesson, with the false one."""
        pair = self._pair
        self._twice(COLD, lambda: self._without(COLD, FixedText()))
        if pair.supports:
            self._twice(SUPPORTED, lambda: self._without(SUPPORTED, FixedText(), "supported"))
        for condition, text in ((GOLD, pair.gold), (MISLED, pair.poison)):
            if text:
                self._twice(condition, lambda c=condition, t=text: self._without(c, FixedText(t, c)))  # type: ignore[misc]

    def with_memory(
        self, journal: Journal, *, top_k: int, budget: int | None, restart: bool, extras: tuple[str, ...]
    ) -> RigMemory:
        """Every plan of the pair, and (after the first) what a false lesson and foreign experience do to the arm."""
        memory = RigMemory(self._seat, journal, top_k=top_k, budget=budget, restart=restart)
        try:
            for number, condition in enumerate(self._pair.plans):
                more = tuple(name for name in extras if _HAS_IT[name](self._pair)) if number == 0 else ()
                if self._pair.listens:  # what it hears in the evaluation would hide what was heard before
                    more = ()
                self._twice(condition, lambda c=condition, m=more: self._planned(c, memory, POISONED in m))  # type: ignore[misc]
                if FOREIGN in more:
                    self._twice(FOREIGN, lambda: self._foreign(memory))
        finally:
            memory.close()
        return memory

    def _twice(self, condition: str, run: Callable[[], None]) -> None:
        """Run a condition; once more where the simulator failed in it. A second fault is written down as one."""
        for _ in range(2):
            try:
                run()
                return
            except EnvironmentFault as fault:
                self._recorder.episode(
                    EpisodeLine(
                        pair_id=self._pair.pair_id,
                        arm=self._seat.spec.label,
                        condition=condition,
                        session=EVALUATION,
                        score=0.0,
                        ended="env_error",
                        failure=str(fault),
                        excluded=True,
                    )
                )

    def _without(self, condition: str, memory: Carrier, support: str = "") -> None:
        played = self._evaluate(condition, memory, support)
        lessons = stages_of(
            self._pair.lessons,
            written=None,
            kept=None,
            recalled=played.recalled,
            whole=True,
            used=played.score.used,
        )
        self._recorder.episode(replace(played.line, lessons=lessons))

    def _planned(self, condition: str, memory: RigMemory, poisoned: bool) -> None:
        memory.reset(condition)
        for unit in self._pair.plans[condition]:
            self._unit(condition, unit, memory)
        self._scored(condition, memory)
        if poisoned:
            memory.begin_session(POISONED)
            memory.hear(Said(role="teacher", text=self._pair.poison))
            memory.end_session()
            self._scored(POISONED, memory)

    def _foreign(self, memory: RigMemory) -> None:
        memory.reset(FOREIGN)
        memory.begin_session(FOREIGN)
        for said in self._pair.foreign:
            memory.hear(said)
        memory.end_session()
        self._scored(FOREIGN, memory)

    def _scored(self, condition: str, memory: RigMemory) -> None:
        """The evaluation; the store is the same before and after, where it is not to hear it."""
        listens = self._pair.listens
        before = memory.snapshot()
        if listens:
            memory.begin_session(EVALUATION)
        played = self._evaluate(condition, memory)
        if listens:
            memory.end_session()
        after = memory.snapshot()
        self._recorder.episode(
            replace(
                played.line,
                **{f"memory_{name}": memory.tally[name] for name in TALLIED},
                memory_problem=memory.problem,
                leaked=not listens and before is not None and after != before,
                lessons=stages_of(
                    self._pair.lessons,
                    written=memory.written,
                    kept=after if listens else before,
                    recalled=played.recalled,
                    whole=not memory.capabilities.ranked,
                    used=played.score.used,
                ),
            )
        )

    def _evaluate(self, condition: str, memory: Carrier, support: str = "") -> Played:
        listens = self._pair.listens
        episode = self._made(lambda: self._pair.evaluate(support))
        with self._agent(episode, EVALUATION) as start:
            played, player = play(
                episode,
                start,
                memory,
                self._recorder,
                self._place(condition, EVALUATION),
                hears=listens,
                renewed=listens,
            )
            player.close()
        return played

    def _unit(self, condition: str, unit: Unit, memory: RigMemory) -> None:
        """One session of a plan: told, played, revealed, reflected on."""
        memory.begin_session(unit.unit_id)
        for said in unit.told:
            memory.hear(said)
        episode = self._made(unit.play) if unit.play is not None else None
        with self._agent(episode, f"{condition}/{unit.unit_id}") as start:
            player: Player | None = None
            try:
                if episode is not None:
                    place = self._place(condition, unit.unit_id)
                    played, player = play(episode, start, memory, self._recorder, place, hears=True)
                    supported = any(said.role == "teacher" for said in unit.told)
                    self._recorder.episode(replace(played.line, supported=supported))
                    if unit.after is not None:
                        for said in self._revealed(unit, episode):
                            memory.hear(said)
                if unit.reflect and (episode is None or episode.ended not in ("crash", "timeout", "refusal")):
                    player = player or start()
                    self._reflect(condition, unit, player, memory)
            finally:
                if player is not None:
                    player.close()
        memory.end_session()

    def _reflect(self, condition: str, unit: Unit, player: Player, memory: RigMemory) -> None:
        """What the agent makes of a session, in at most 120 words; one that fails at it has nothing to say."""
        recalled: Recalled = memory.recall(unit.reflect)
        asked = {"text": unit.reflect, "data": {"reflect": True}, "memory": recalled.text}
        action, failure = None, ""
        try:
            action = taken(player.act(asked, ()))
        except (AgentCrashed, AgentHung) as error:
            failure = "timeout" if isinstance(error, AgentHung) else "crash"
        text = action.get("text") if isinstance(action, Mapping) and refused(action) is None else None
        self._recorder.step(
            StepLine(
                pair_id=self._pair.pair_id,
                arm=self._seat.spec.label,
                condition=condition,
                session=unit.unit_id,
                step=0,
                args=action,
                flags=("reflection", *((failure,) if failure else ())),
            )
        )
        if isinstance(text, str) and text.strip():
            memory.hear(Said(role="agent", text=" ".join(text.split()[:REFLECTION_WORDS])))

    def _revealed(self, unit: Unit, episode: Episode) -> tuple[Said, ...]:
        assert unit.after is not None
        after = unit.after
        return self._made(lambda: after(episode))

    @staticmethod
    def _made(make: Callable[[], T]) -> T:
        """What a part makes; where it cannot, that is a fault of the simulator."""
        try:
            return make()
        except Exception as error:
            raise EnvironmentFault(first_line(error)) from error

    def _place(self, condition: str, session: str) -> Place:
        return Place(
            pair_id=self._pair.pair_id,
            part=self._pair.part,
            arm=self._seat.spec.label,
            condition=condition,
            session=session,
        )

    @contextmanager
    def _agent(self, episode: Episode | None, session: str) -> Iterator[Callable[[], Player]]:
        """What starts a fresh agent, with a private folder that is gone afterwards."""
        spec, seed = self._seat.spec, self._seat.store.header["settings"]["seed"]
        key = f"{seed + spec.repeat}|{self._pair.pair_id}|{session}"
        name = sha256(f"{spec.cell_id}|{session}".encode()).hexdigest()[:12]  # says neither arm nor instance
        folder = self._seat.store.path / "work" / name

        def start() -> Player:
            shutil.rmtree(folder, ignore_errors=True)
            with codec.storing(folder):
                folder.mkdir(parents=True)
            with meter.stage(spec.cell_id, "answer"):
                model = meter.optional_endpoint("answer")
            context = PlayContext(
                part=self._pair.part,
                seed=int.from_bytes(sha256(key.encode()).digest()[:6], "big"),
                folder=str(folder.resolve()),
                model=model,
            )
            return _Booked(self._agents.start(context, episode), spec.cell_id)

        try:
            yield start
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _Booked:
    """A player whose model calls are booked to the stage `answer` of its cell."""

    def __init__(self, player: Player, cell_id: str) -> None:
        self._player = player
        self._cell_id = cell_id

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        with meter.stage(self._cell_id, "answer"):
            return self._player.act(observation, tools)

    def close(self) -> None:
        self._player.close()
