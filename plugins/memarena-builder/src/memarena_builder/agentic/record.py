"""Any Gymnasium environment, played by any policy, as a trajectory.

One world a sample: each episode begins with the same seed, so that what the agent came to know in one helps in the
next. What is played is played again from the recorded actions; an environment that then does something else is refused.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, cast

from msgspec.structs import replace

from memarena.errors import DataError, MemarenaError, UsageError, first_line
from memarena.records import Record
from memarena_builder.agentic.ordinals import MOST_ORDINAL, ordinal
from memarena_builder.agentic.trajectory import Attribute, Learnt, Step, Trajectory

Policy = Callable[[Any, Any, random.Random], Any]
"""Observation, environment, a stream of random numbers -> an action, or a `Move`."""
Knows = Callable[[Any, Any, Mapping[str, Any]], Iterable[Learnt]]
"""Observation, environment, info -> what the agent knows by then."""
Says = Callable[[Any, Any], str]
"""Observation, environment -> the observation in words; what is learnt with `visual` should not be in it."""
OUTCOME = Attribute(
    name="outcome",
    point="{S} ended with {V}.",
    what="the outcome of {S}",
    asked=("With what did {S} end?", "What came out of {S}?"),
    many=("How many episodes ended with {V}?", "In how many cases did an episode end with {V}?"),
    numbered=True,
    point_type="Action Memory",
)
SEEDS = 2**31
"""Seeds that an environment takes."""
LONGEST = 200
"""Characters of an observation that is shown as it is."""
OBSERVATION = "the observation"
"""The subject of what is known of it without functions of a person's own."""


class Move(NamedTuple):
    """An action with what the agent thinks."""

    action: Any
    reasoning: str = ""


class Recording(Record, frozen=True, kw_only=True):
    """What is recorded."""

    env: str
    """An id that `gymnasium.make` takes: `FrozenLake-v1`, or `module:Name-v0` for one that a module registers."""
    options: Mapping[str, Any] = {}
    """Passed to `gymnasium.make`."""
    policy: str
    """`module:function`."""
    knows: str = ""
    says: str = ""
    """"" for both: an observation that is a number, a text, or some of them by name, is told and known as it is."""
    episodes: int = 5
    steps: int = 60
    """Of an episode, at most."""


def load(flag: str, target: str) -> Any:
    """The object `module:name`; raises UsageError where there is none."""
    module, _, name = target.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"--{flag} {target}: {error}: say module:function, importable from here") from error


class Recorder:
    """Records samples of one environment."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._policy = cast(Policy, load("policy", recording.policy))
        self._knows = cast(Knows, load("knows", recording.knows)) if recording.knows else _known_as_it_is
        self._says = cast(Says, load("says", recording.says)) if recording.says else _as_it_is

    def trajectory(self, seed: int) -> Trajectory:
        """One sample: its world and the policy's stream depend on `seed` alone. Raises DataError where the recorded
        actions do not lead to the same again."""
        env = self._make()
        try:
            steps = tuple(self._episodes(env, seed))
        finally:
            env.close()
        self._check(steps, seed)
        learnt = [each for step in steps for each in (*step.seen, *step.learnt)]
        names = [name for name in dict.fromkeys(each.attribute for each in learnt) if name != OUTCOME.name]
        numbered = min(self._recording.episodes, MOST_ORDINAL)
        return Trajectory(
            environment=self._recording.env,
            world={"options": self._recording.options, "seed": seed % SEEDS},
            attributes=(OUTCOME, *map(named_attribute, names)),
            steps=steps,
            called={f"episode {number}": f"the {ordinal(number)} episode" for number in range(1, numbered + 1)},
            subjects=tuple(_unlearnt(learnt)),
        )

    def _make(self) -> Any:
        import gymnasium

        try:
            env = gymnasium.make(self._recording.env, render_mode="rgb_array", **self._recording.options)
        except Exception as error:  # whatever the code of an environment raises
            raise UsageError(f"--env {self._recording.env}: {first_line(error)}") from error
        return env

    def _episodes(self, env: Any, seed: int) -> Iterator[Step]:
        rng = random.Random(seed)
        values: dict[tuple[str, str], str] = {}
        for number in range(1, self._recording.episodes + 1):
            with self._blamed("env"):
                observation, info = env.reset(seed=seed % SEEDS)
            total, moves = 0.0, ["reset"]
            for place in range(self._recording.steps):
                step, observation, info, reward, done = self._step(env, observation, info, rng, values)
                total += reward
                last = done or place + 1 == self._recording.steps
                step = replace(step, day=number - 1, moves=(*moves, *step.moves))
                moves = []
                if last:
                    yield _ended(step, number, total, done=done)
                    break
                yield step

    def _step(
        self,
        env: Any,
        observation: Any,
        info: Mapping[str, Any],
        rng: random.Random,
        values: dict[tuple[str, str], str],
    ) -> tuple[Step, Any, Mapping[str, Any], float, bool]:
        with self._blamed("knows"):
            looked = tuple(self._knows(observation, env, info))
        shows = tuple(each for each in looked if each.visual)
        news = [each for each in shows if values.get((each.subject, each.attribute)) != each.value]
        seen = tuple(each for each in looked if not each.visual or each in news)
        values.update({(each.subject, each.attribute): each.value for each in seen})
        with self._blamed("policy"):
            chosen = self._policy(observation, env, rng)
        move = chosen if isinstance(chosen, Move) else Move(chosen)
        with self._blamed("says"):
            text = self._says(observation, env)
        with self._blamed("env"):
            if not env.action_space.contains(move.action):
                raise ValueError(f"the action {move.action!r} of the policy is not in {env.action_space}")
            picture = _picture(env) if news else b""
            after, reward, ended, cut, following = env.step(move.action)
        idle = not reward and not ended and state_of(after, 0) == state_of(observation, 0)
        shown = "; ".join(f"{each.subject}, {each.attribute}: {each.value}" for each in news)
        caption = f"view of the environment {self._recording.env.rpartition(':')[2]} at this step" if news else ""
        step = Step(
            observation=text,
            picture=picture,
            caption=caption,
            caption_full=f"{caption} ({shown})" if news else "",
            seen=seen,
            shows=shows if news else (),
            reasoning=move.reasoning,
            action=str(plain_action(move.action)),
            feedback="Action failed: nothing changed." if idle else f"Reward {reward:g}." if reward else "",
            failed=idle,
            moves=(plain_action(move.action),),
            state=state_of(after, float(reward)),
        )
        return step, after, following, float(reward), bool(ended or cut)

    @contextmanager
    def _blamed(self, flag: Literal["env", "policy", "knows", "says"]) -> Iterator[None]:
        """Says of what a person's own code raises which flag brought it; ours goes on as it is."""
        try:
            yield
        except MemarenaError:
            raise
        except Exception as error:
            raise UsageError(f"--{flag} {getattr(self._recording, flag)}: {first_line(error)}") from error

    def _check(self, steps: Sequence[Step], seed: int) -> None:
        env = self._make()
        try:
            for number, (step, state) in enumerate(zip(steps, replay(env, steps, seed), strict=True), 1):
                if step.state != state:
                    problem = f"the recorded actions lead to another state at step {number}: it is not deterministic"
                    raise DataError(problem, file=self._recording.env)
        finally:
            env.close()


def replay(env: Any, steps: Iterable[Step], seed: int) -> Iterator[str]:
    """The state after each step when its recorded moves are made again in `env`."""
    for step in steps:
        after: Any = None
        reward = 0.0
        for move in step.moves:
            if move == "reset":
                env.reset(seed=seed % SEEDS)
            else:
                after, reward, *_ = env.step(move)
        yield state_of(after, float(reward))


def plain_action(action: Any) -> Any:
    """An action as JSON has it."""
    return action.tolist() if hasattr(action, "tolist") else action


def state_of(observation: Any, reward: float) -> str:
    """A hash of what the environment gave back."""
    return hashlib.sha256(f"{_plain(observation)!r} {reward!r}".encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in sorted(value.items(), key=lambda item: str(item[0]))}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _picture(env: Any) -> bytes:
    from PIL import Image

    frame = env.render()
    if frame is None:
        raise UsageError(f"--env {env.spec.id}: it draws nothing, so nothing that is known can be visual")
    out = io.BytesIO()
    Image.fromarray(frame).save(out, "PNG", optimize=False)
    return out.getvalue()


def _as_it_is(observation: Any, env: Any) -> str:
    plain = _plain(observation)
    if isinstance(plain, Mapping) and "mission" in plain:
        return f"mission: {plain['mission']}"
    named = _named(plain)
    if named:
        return f"In {OBSERVATION}, {', '.join(f'{name} is {value}' for name, value in named.items())}."
    text = str(plain)
    if len(text) > LONGEST:
        return "see the environment"
    return f"{OBSERVATION} is {text}" if isinstance(plain, (int, str)) else text


def _known_as_it_is(observation: Any, env: Any, info: Mapping[str, Any]) -> Iterator[Learnt]:
    plain = _plain(observation)
    if isinstance(plain, (int, str)) and len(str(plain)) <= LONGEST:
        yield Learnt(subject=OBSERVATION, attribute="value", value=str(plain))
    for name, value in _named(plain).items():
        yield Learnt(subject=OBSERVATION, attribute=name, value=value)


def _named(plain: Any) -> Mapping[str, str]:
    """Numbers and texts by name, where an observation has nothing else and is short enough."""
    if not isinstance(plain, Mapping) or not all(isinstance(each, (int, str)) for each in plain.values()):
        return {}
    named = {name: str(value) for name, value in plain.items()}
    return named if sum(map(len, (*named, *named.values()))) <= LONGEST else {}


def named_attribute(name: str) -> Attribute:
    """The words for an attribute of which nothing but the name is known."""
    return Attribute(
        name=name,
        point=f"The {name} of {{S}} is {{V}}.",
        what=f"the {name} of {{S}}",
        asked=(f"What is the {name} of {{S}}, as far as is known?", f"Which {name} did {{S}} have last?"),
    )


def _unlearnt(learnt: Sequence[Learnt]) -> Iterator[tuple[str, str]]:
    """Pairs of a subject and an attribute that others have and it never had."""
    told = {(each.subject, each.attribute) for each in learnt}
    own = [each for each in learnt if each.attribute != OUTCOME.name]
    subjects = dict.fromkeys(each.subject for each in own)
    for attribute in dict.fromkeys(each.attribute for each in own):
        yield from ((subject, attribute) for subject in subjects if (subject, attribute) not in told)


def _ended(step: Step, number: int, total: float, *, done: bool) -> Step:
    """The last step of an episode, with its outcome."""
    value = f"a reward of {total:g}" if done else "no end in time"
    learnt = Learnt(subject=f"episode {number}", attribute=OUTCOME.name, value=value, importance=1.0)
    feedback = f"{step.feedback} Episode {number} ended with {value}.".strip()
    return replace(step, feedback=feedback, learnt=(learnt,), ends=True)
