"""`memarena judge calibrate`: how far a judge can be trusted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from memarena_models.calibration import Calibration


@click.group()
def judge() -> None:
    """Examine the judges that decide labels."""


@judge.command()
@click.option("--judge", "name", default="lexical", show_default=True, help="judge to examine: NAME[@DIST]")
@click.option("-o", "--option", "options", multiple=True, help="options of the judge: NAME.key=value")
@click.option("--model", "models", multiple=True, help="model to judge with: [ROLE=]NAME, e.g. offline")
@click.option("--gateway", type=click.Path(path_type=Path, dir_okay=False), help="TOML file with the upstreams")
@click.option("--jobs", type=click.IntRange(1), default=5, show_default=True, help="requests at a time")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def calibrate(
    *, name: str, options: tuple[str, ...], models: tuple[str, ...], gateway: Path | None, jobs: int, as_json: bool
) -> None:
    """Let a judge label answers whose labels are known, and count where it is wrong."""
    from memarena import catalog, codec
    from memarena.selectors import parse_options
    from memarena_models.calibration import calibrate as examine

    row = catalog.find("judges", name)
    judge = catalog.make(row.load(), parse_options(options, [row.name]).get(row.name, {}), who=str(row))
    with _models(models, gateway):
        found = examine(judge, jobs=jobs)
    if as_json:
        click.echo(codec.encode(found))
    else:
        _print(found)


@contextlib.contextmanager
def _models(models: tuple[str, ...], settings: Path | None) -> Iterator[None]:
    """A gateway that is open meanwhile, where a model is named; nothing of it is kept."""
    from memarena import meter
    from memarena.errors import UsageError
    from memarena.selectors import parse_models

    if not models:
        if settings is not None:
            raise UsageError("--gateway says where models are; name one with --model")
        yield
        return
    from memarena_models.gateway import LocalGateway
    from memarena_models.settings import Options, load

    gateway = LocalGateway(Options() if settings is None else load(settings))
    gateway.start(None, parse_models(models))
    undo = meter.register(gateway.usage, gateway.stage, gateway.endpoint)
    try:
        yield
    finally:
        undo()
        gateway.stop()


def _print(found: Calibration) -> None:
    kappa = "none" if found.kappa is None else f"{found.kappa:.3f}"
    rows = [
        ("judge", found.judge),
        ("answers", str(found.n)),
        ("invalid", str(found.invalid)),
        ("right label", _share(found.right, found.n - found.invalid)),
        ("false accepts", _share(found.accepted_wrongly, found.not_correct)),
        ("false rejects", _share(found.rejected_wrongly, found.correct)),
        ("Cohen's kappa", kappa),
        *((f"  {row.kind}", _share(row.right, row.n)) for row in found.kinds),
    ]
    for title, value in rows:
        click.echo(f"{title:15}{value}")


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "none"
