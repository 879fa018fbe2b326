"""`memarena judge calibrate`: how far a judge can be trusted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

if TYPE_CHECKING:
    from memarena.protocols import Judge
    from memarena_models.calibration import Calibration


@click.group()
def judge() -> None:
    """Examine the judges that decide labels."""


@judge.command()
@click.option("--judge", "name", default="lexical", show_default=True, help="judge to examine: NAME[@DIST]")
@click.option("-o", "--option", "options", multiple=True, help="options of the judge: NAME.key=value")
@click.option("--model", "models", multiple=True, help="model to judge with: [ROLE=]NAME, e.g. offline")
@click.option("--gateway", type=click.Path(path_type=Path, dir_okay=False), help="TOML file with the upstreams")
@click.option("--data", "folder", type=click.Path(path_type=Path, file_okay=False), help="data that was built, too")
@click.option("--most", type=click.IntRange(0), default=0, help="cases of a task from --data, at most [default: all]")
@click.option("--jobs", type=click.IntRange(1), default=5, show_default=True, help="requests at a time")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def calibrate(
    *,
    name: str,
    options: tuple[str, ...],
    models: tuple[str, ...],
    gateway: Path | None,
    folder: Path | None,
    most: int,
    jobs: int,
    as_json: bool,
) -> None:
    """Let a judge label answers whose labels are known, and count where it is wrong. With --data it labels memories and
    answers of a data set that was built too, where all labels are known by construction."""
    from memarena import catalog, codec
    from memarena.selectors import parse_options
    from memarena_models.calibration import calibrate as examine

    row = catalog.find("judges", name)
    judge = catalog.make(row.load(), parse_options(options, [row.name]).get(row.name, {}), who=str(row))
    with _models(models, gateway):
        found = examine(judge, jobs=jobs)
        tables = {} if folder is None else _built(judge, folder, most)
    if as_json:
        click.echo(codec.encode({**msgspec.to_builtins(found), "built": tables} if tables else found))
    else:
        _print(found)
        _print_built(tables)


def _built(judge: Judge, folder: Path, most: int) -> dict[str, Any]:
    """The confusion tables of a judge on data that was built, by task."""
    from importlib.util import find_spec

    from memarena.errors import UsageError

    if find_spec("memarena_builder") is None:
        raise UsageError("--data needs the package that builds data: pip install memarena-builder")
    from memarena_builder.probes.finished import finished
    from memarena_builder.probes.judging import measured

    return measured(judge, finished(folder), most)


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


def _print_built(tables: dict[str, Any]) -> None:
    for task, table in tables.items():
        right = sum(number for verdicts, number in table["table"].items() if len(set(verdicts.split(" > "))) == 1)
        click.echo(f"{'built: ' + task:21}{_share(right, table['n'])}")
        for verdicts, number in table["table"].items():
            click.echo(f"  {verdicts:35}{number}")


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "none"
