"""`memarena data record`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click


@click.command("record")
@click.option("--env", "env_id", required=True, help="what gymnasium.make takes: FrozenLake-v1, or module:Name-v0")
@click.option("--policy", required=True, help="module:function (observation, env, rng) -> action")
@click.option("--knows", default="", help="module:function (observation, env, info) -> what the agent knows by then")
@click.option("--says", default="", help="module:function (observation, env) -> the observation in words")
@click.option("--env-option", "options", multiple=True, metavar="KEY=JSON", help="passed to gymnasium.make")
@click.option("--samples", default=1, show_default=True, type=click.IntRange(min=1), help="samples, each a world")
@click.option("--episodes", default=5, show_default=True, type=click.IntRange(min=1), help="episodes of a sample")
@click.option("--steps", default=60, show_default=True, type=click.IntRange(min=1), help="steps of an episode, at most")
@click.option("--questions", default=30, show_default=True, type=click.IntRange(min=1), help="of a sample, at most")
@click.option("--checkpoints", default=3, show_default=True, type=click.IntRange(min=1), help="of a sample")
@click.option("--place", default="agent/recorded", show_default=True, help="folder in the data set; its category")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="another seed, other worlds")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="new folder to write to")
def record(
    env_id: str,
    policy: str,
    knows: str,
    says: str,
    options: tuple[str, ...],
    samples: int,
    episodes: int,
    steps: int,
    questions: int,
    checkpoints: int,
    place: str,
    seed: int,
    out: Path,
) -> None:
    """Record a Gymnasium environment, played by a policy, as samples: sessions, gold, pictures, questions. Modules are
    looked for in the present folder too."""
    from memarena_builder.agentic.record import Recorder, Recording

    _check(out, place)
    sys.path.insert(0, str(Path.cwd()))
    recording = Recording(
        env=env_id,
        options=dict(map(_option, options)),
        policy=policy,
        knows=knows,
        says=says,
        episodes=episodes,
        steps=steps,
    )
    made = _made(Recorder(recording), out, place, seed, samples, questions, checkpoints)
    _tell(made, env_id, out, seed)


def _check(out: Path, place: str) -> None:
    from importlib.util import find_spec

    from memarena.errors import UsageError

    if find_spec("gymnasium") is None:
        raise UsageError("recording needs gymnasium: pip install 'memarena-builder[record]'")
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"--out {out}: is not empty: choose another folder")
    if not place.startswith("agent/") or ".." in place:
        raise UsageError(f"--place {place}: begin with agent/, e.g. agent/recorded")


def _option(text: str) -> tuple[str, Any]:
    from memarena.errors import UsageError

    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except ValueError:
        raise UsageError(f"--env-option {text}: say KEY=JSON, e.g. is_slippery=false") from None


def _made(recorder: Any, out: Path, place: str, seed: int, samples: int, questions: int, checkpoints: int) -> list[Any]:
    from memarena_builder.agentic.sample import build_trajectory, write_trajectory
    from memarena_builder.order import Order
    from memarena_builder.streams import Streams

    made = []
    for number in range(1, samples + 1):
        order = Order(sample_id=f"{place.rpartition('/')[2]}_{number:02}", place=place, seed=seed)
        trajectory = recorder.trajectory(Streams(seed, (order.sample_id, "play")).number)
        built = build_trajectory(order, trajectory, questions=questions, checkpoints=checkpoints)
        made.append(write_trajectory(built, out))
    return made


def _tell(made: list[Any], env_id: str, out: Path, seed: int) -> None:
    from memarena_builder import manifest, report

    report.write(out, made, {"test": [each.sample_id for each in made]})
    manifest.write(out, manifest.generator(), f"record {env_id}", seed)
    click.echo(report.told(made, "sample", "session", "step", "point", "picture", "question"))
    for line in report.lines(made):
        click.echo(line)
    click.echo(f"{out}: use it with -d {out}")
