"""`memarena data build`, `verify`, `probe`, `packs` and `schema`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from memarena_builder.probes.finished import Finished
    from memarena_builder.probes.floors import Floor
    from memarena_builder.probes.shortcuts import Reading

FAULTY = 1
"""Exit code where a data set is not as it was built."""


@click.command("build")
@click.option("--preset", default="tiny", show_default=True, help="how much: tiny, small, paper or stress")
@click.option("--part", default="all", show_default=True, help="all, lifelong or agentic")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="another seed, another world")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="folder to build into")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(min=1), help="processes")
@click.option("--language", default="en", show_default=True, help="of the schema packs: en or zh")
@click.option("--domain", "domains", multiple=True, help="dialogues of this domain alone, as of a pack of yours")
@click.option("--twins", default=0, type=click.IntRange(min=0), help="samples that get a twin: one fact differs")
def build(
    preset: str, part: str, seed: int, out: Path, jobs: int, language: str, domains: tuple[str, ...], twins: int
) -> None:
    """Build a data set of hidden worlds: sessions, gold, pictures, questions. Goes on where it was stopped."""
    from memarena_builder import report
    from memarena_builder.build import build as build_set
    from memarena_builder.presets import Variant
    from memarena_builder.progress import tell_all

    begun = time.monotonic()
    made = build_set(out, preset, seed, jobs, tell_all, part, Variant(language, twins, domains))
    told = report.told(made, "sample", "session", "turn", "point", "picture", "question")
    click.echo(f"{told} in {time.monotonic() - begun:.1f} s")
    for line in report.lines(made):
        click.echo(line)
    click.echo(f"{out}: use it with -d {out}")


@click.command("verify")
@click.argument("folder", type=click.Path(path_type=Path))
def verify(folder: Path) -> None:
    """Tell whether a data set that was built is still as it was; exit code 1 where it is not. Then in which libraries
    and fonts this machine differs from the one that built it: a build here would draw other pixels."""
    from memarena.errors import DataError
    from memarena_builder import manifest

    found = manifest.read(folder)
    if found is None:
        raise DataError("there is no data set that was built", file=str(folder / manifest.NAME))
    faults = list(manifest.faults(folder, found))
    for name, fault in faults:
        click.echo(f"{name}: {fault}")
    for difference in manifest.elsewhere(found):
        click.echo(f"note: {difference}")
    if faults:
        sys.exit(FAULTY)
    click.echo(f"{folder}: all {len(found.files):,} files are as {found.generator} built them")


@click.command("probe")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--judge/--no-judge", default=True, help="measure the lexical judge too")
@click.option("--floors/--no-floors", default=True, help="measure the reference systems too")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def probe(folder: Path, judge: bool, floors: bool, as_json: bool) -> None:
    """Measure shortcuts that would answer without memory, the reference systems, and the judge where labels are known;
    exit code 1 where a shortcut is outside its range or a reference system out of order. A row with too few cases says
    so and tells nothing."""
    from memarena_builder.probes.finished import finished
    from memarena_builder.probes.shortcuts import measure

    samples = finished(folder)
    readings = measure(samples)
    tables = _judged(samples) if judge else {}
    scale, holds = _floors(samples) if floors else ([], True)
    if as_json:
        from memarena.cli.output import print_json

        rows = [reading._asdict() | {"holds": reading.holds, "verdict": reading.verdict} for reading in readings]
        bounds = [row._asdict() | {"share": row.share, "enough": row.enough} for row in scale]
        print_json({"probes": rows, "floors": bounds, "judge": tables})
    else:
        _print_probes(readings, scale, tables)
    if not (holds and all(reading.holds for reading in readings)):
        sys.exit(FAULTY)


def _print_probes(readings: Sequence[Reading], scale: Sequence[Floor], tables: Mapping[str, Any]) -> None:
    from memarena_builder.probes.floors import ENOUGH
    from memarena_builder.probes.shortcuts import FEW, MANY

    marks = {"holds": "", "outside": "  outside", "too few": "  too few"}
    for each in readings:
        found = f"{each.probe:36} {each.of:4} {each.value:6.3f}  n {each.n:<5} {each.low}-{each.high}"
        target = f", best {each.target}" if each.target is not None else ""
        click.echo(found + target + marks[each.verdict])
    for row in scale:
        click.echo(
            f"{'floor: ' + row.name:36} {'all':4} {row.share:6.3f}  n {row.n}{'' if row.enough else '  too few'}"
        )
    for task, table in tables.items():
        click.echo(f"{'judge lexical: ' + task:36} {'all':4} {table['agreement']:6.3f}  n {table['n']}")
        click.echo("".join(f"    {verdicts}: {number}\n" for verdicts, number in table["table"].items()), nl=False)
    few = sum(each.verdict == "too few" for each in readings) + sum(not row.enough for row in scale)
    if few:
        click.echo(
            f"{few} rows have too few cases to tell anything (fewer than {FEW}; pieces of evidence {MANY}, floors "
            f"{ENOUGH}): probe a larger set"
        )


def _floors(samples: Sequence[Finished]) -> tuple[list[Floor], bool]:
    """The reference systems over all samples, and whether they are as they have to be."""
    from memarena_arena.lexical import LexicalJudge
    from memarena_builder.probes.floors import REJECTED, floors, in_order, rejected

    judge = LexicalJudge()
    found, kept = floors(samples, judge), rejected(samples, judge)
    return [*found, kept], in_order(found) and not (kept.enough and kept.share >= REJECTED)


@click.command("packs")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def packs(folder: Path | None) -> None:
    """Look at schema packs: those of FOLDER (LANGUAGE/DOMAIN.toml), or all that are found, yours in the folders that
    MEMARENA_PACKS names. What cannot be built from is refused with its place; a weakness is a line, and exit code 1."""
    from memarena_builder.packs.places import DOMAINS, domains_of, languages, only

    with only(folder):
        found = [(domain, language) for language in languages() for domain in domains_of(language)]
        looked_at = found if folder is None else [pair for pair in found if pair[0] not in DOMAINS]
        weak = sum(_weaknesses(*pair) for pair in looked_at)
    if weak:
        sys.exit(FAULTY)


def _weaknesses(domain: str, language: str) -> int:
    """Say what a pack has and what is weak in it; how much that is."""
    from memarena_builder.advice import advice
    from memarena_builder.packs.load import check_all, owners
    from memarena_builder.packs.places import DOMAINS, called

    pack, file = check_all(domain, language), called(domain, language)
    own = [name for (_, name), files in owners(language).items() if domain in files]
    click.echo(
        f"{file}: {len(pack.attributes)} kinds of facts, {len(own)} of them its own; {len(pack.scripts)} scripts, "
        f"{len(pack.pools)} pools"
    )
    lines = list(advice(pack, ["", *(each.name for each in pack.attributes)] if domain in DOMAINS else own))
    for line in lines:
        click.echo(f"{file}: {line}")
    return len(lines)


@click.command("schema")
def schema() -> None:
    """Print the JSON Schema of a sample's file."""
    from memarena_builder.schema import schema_text

    click.echo(schema_text(), nl=False)


def _judged(samples: Sequence[Finished]) -> dict[str, Any]:
    """The confusion tables of the lexical judge over all samples."""
    from memarena_arena.lexical import LexicalJudge
    from memarena_builder.probes.judging import measured

    return measured(LexicalJudge(), samples)
