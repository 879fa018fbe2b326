"""One episode: an agent decides, a memory is asked before each decision and may listen, everything is written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from memarena.errors import first_line
from memarena.meter import estimate_tokens
from memarena.records import Record
from memarena_aha.parts import Ending, Episode, EpisodeScore, Step
from memarena_aha.suite.carriers import Carrier, Recalled
from memarena_aha.suite.lines import EpisodeLine, Recorder, Shown, StepLine, Trace, canonical, hash_of
from memarena_aha.suite.players import AgentCrashed, AgentHung, Player
from memarena_aha.suite.rules import BAD_IN_A_ROW, MOST_STEPS, refused, taken

__all__ = ["EnvironmentFault", "Place", "Played", "action_of", "play", "replay"]

T = TypeVar("T")
IDS = 50
"""Of a block that are written down."""


class EnvironmentFault(Exception):
    """An episode raised: a fault of the simulator, which no agent is to answer for."""


class Place(Record, frozen=True, kw_only=True):
    """Where in a run an episode is played."""

    pair_id: str
    part: str
    arm: str
    condition: str
    session: str


class Played(Record, frozen=True, kw_only=True):
    """What came of an episode."""

    line: EpisodeLine
    recalled: tuple[Recalled, ...] = ()
    """What the memory gave, each block once."""
    score: EpisodeScore


def play(
    episode: Episode,
    start: Callable[[], Player],
    memory: Carrier,
    recorder: Recorder,
    place: Place,
    *,
    hears: bool,
    renewed: bool = False,
) -> tuple[Played, Player]:
    """Play `episode` to its end.

    `hears`: the memory listens, and its session ends where the episode says so. `renewed`: a fresh agent goes on after
    such an end. The player that acted last is given back, still open. Raises EnvironmentFault, Cancelled, and
    ModelError where the agent's model cannot be used at all.
    """
    return _Play(episode, start, memory, recorder, place, hears=hears, renewed=renewed).run()


class _Play:
    def __init__(
        self,
        episode: Episode,
        start: Callable[[], Player],
        memory: Carrier,
        recorder: Recorder,
        place: Place,
        *,
        hears: bool,
        renewed: bool,
    ) -> None:
        self.episode = episode
        self.start = start
        self.memory = memory
        self.recorder = recorder
        self.place = place
        self.hears = hears
        self.renewed = renewed
        self.player = start()
        self.trace = Trace()
        self.asked: str | None = None
        self.recalled = Recalled()
        self.asks = False
        self.all_recalled: list[Recalled] = []
        self.steps = self.bad = self.bad_in_a_row = self.stretch = self.shown_tokens = self.cut = 0
        self.failure = ""

    def run(self) -> tuple[Played, Player]:
        try:
            while not _ask(lambda: self.episode.ended):
                self._decide()
        except BaseException:
            self.player.close()
            raise
        score = _ask(self.episode.score)
        self.trace.add([score.ended, score.score])
        line = EpisodeLine(
            pair_id=self.place.pair_id,
            arm=self.place.arm,
            condition=self.place.condition,
            session=self.place.session,
            score=score.score,
            ended=score.ended,
            raw=score.raw,
            steps=self.steps,
            bad=self.bad,
            failure=self.failure,
            trace=self.trace.hexdigest(),
            shown_tokens=self.shown_tokens,
            cut=self.cut,
        )
        return Played(line=line, recalled=tuple(self.all_recalled), score=score), self.player

    def _decide(self) -> None:
        seen = _ask(self.episode.observe)
        data = self.trace.add(seen)
        self._recall()
        tools = _ask(self.episode.tools)
        try:
            raw = self.player.act({**seen, "memory": self.recalled.text}, tools)
        except (AgentCrashed, AgentHung) as error:
            self._close("timeout" if isinstance(error, AgentHung) else "crash", str(error))
            self._write(seen, data, None, Step())
            return
        action = taken(raw)
        declined = refused(action)
        if declined is not None:
            self._close("refusal", declined)
            step = Step()
        else:
            self.trace.add(action)
            step = _ask(lambda: self.episode.act(action))
            self.trace.add(step)
        self.steps += 1
        self.cut += self.recalled.cut
        self._listen(step)
        self._count(step)
        self._write(seen, data, action, step)

    def _recall(self) -> None:
        """Ask the memory, anew where the question changed."""
        query = _ask(self.episode.query)
        self.asks = query != self.asked
        if self.asks:
            self.asked, self.recalled = query, self.memory.recall(query)
            if self.recalled.text and self.recalled not in self.all_recalled[-1:]:
                self.all_recalled.append(self.recalled)
        self.shown_tokens += self.recalled.tokens

    def _listen(self, step: Step) -> None:
        if self.hears:
            for said in step.said:
                self.memory.hear(said)
        if step.session_over and not _ask(lambda: self.episode.ended):
            self.stretch += 1
            if self.hears:
                self.memory.end_session()
                self.memory.begin_session(f"{self.place.session}.{self.stretch + 1}")
                self.asked = None
            if self.renewed:
                self.player.close()
                self.player = self.start()

    def _count(self, step: Step) -> None:
        self.bad += step.bad
        self.bad_in_a_row = self.bad_in_a_row + 1 if step.bad else 0
        if _ask(lambda: self.episode.ended):
            return
        if self.bad_in_a_row >= BAD_IN_A_ROW.get(self.place.part, 5):
            self._close("malformed", f"{self.bad_in_a_row} actions in a row could not be read")
        elif self.steps >= MOST_STEPS.get(self.place.part, 1_000):
            self._close("timeout", f"{self.steps} actions and no end")

    def _close(self, why: Ending, failure: str) -> None:
        self.failure = failure
        _ask(lambda: self.episode.finish(why, failure))

    def _write(self, seen: Mapping[str, Any], data: bytes, action: Any, step: Step) -> None:
        told = seen.get("data")
        fields = told if isinstance(told, Mapping) else {}
        ended = _ask(lambda: self.episode.ended)
        flags = [name for name, holds in (("bad", step.bad), ("session_over", step.session_over)) if holds]
        tool, args = _named(action)
        self.recorder.step(
            StepLine(
                pair_id=self.place.pair_id,
                arm=self.place.arm,
                condition=self.place.condition,
                session=self.place.session,
                step=self.steps,
                clock=f"{fields['day']}:{fields.get('minute', 0)}" if "day" in fields else "",
                action=tool,
                args=args,
                obs_hash=hash_of(data),
                memory=self._shown() if self.asks else None,
                cost={"in": estimate_tokens(str(seen.get("text", ""))) + self.recalled.tokens, "out": _tokens(action)},
                flags=(*flags, *((ended,) if ended else ())),
            )
        )

    def _shown(self) -> Shown:
        recalled = self.recalled
        return Shown(
            query=self.recorder.text(recalled.query),
            ids=recalled.ids[:IDS],
            items=len(recalled.ids),
            tokens=recalled.tokens,
            text=self.recorder.text(recalled.text),
        )


def replay(episode: Episode, actions: Sequence[Any], ended: Ending, failure: str = "") -> str:
    """The trace of `episode` with these actions, closed from outside where they do not end it.

    `actions` are what a StepLine keeps of them: see `action_of`.
    """
    trace = Trace()
    for action in actions:
        trace.add(episode.observe())
        if action is None or refused(action) is not None:
            episode.finish(ended, failure)
            break
        trace.add(action)
        trace.add(episode.act(action))
    if not episode.ended:
        episode.finish(ended, failure)
    score = episode.score()
    trace.add([score.ended, score.score])
    return trace.hexdigest()


def action_of(line: StepLine) -> Any:
    """The action of a step as the episode was given it; None: there was none (a crash, a hang)."""
    if line.action is not None:
        return {"tool": line.action, "args": line.args}
    return line.args


def _named(action: Any) -> tuple[str | None, Any]:
    if isinstance(action, Mapping) and set(action) == {"tool", "args"} and isinstance(action["tool"], str):
        return action["tool"], action["args"]
    return None, action


def _tokens(action: Any) -> int:
    return estimate_tokens(canonical(action).decode("utf-8")) if action is not None else 0


def _ask(work: Callable[[], T]) -> T:
    try:
        return work()
    except Exception as error:
        raise EnvironmentFault(first_line(error)) from error
