"""`python -m memarena_builder.contact SHEET.png`: pictures of every kind, as samples have them, on one sheet."""

from __future__ import annotations

from pathlib import Path

import click

from memarena.errors import UsageError
from memarena_builder.packs.load import languages
from memarena_builder.pictures.contact import contact_sheet
from memarena_builder.pictures.drawers import DRAWERS
from memarena_builder.pictures.spec import PictureSpec

SAMPLES = 140
"""Samples that are planned, at most, to find pictures of every kind."""


def examples(each: int, seed: int = 0, language: str = "en") -> dict[str, list[PictureSpec]]:
    """Up to `each` pictures of every kind, from different samples and with different facts as far as there are such."""
    from memarena_builder.packs.load import domains_of, load
    from memarena_builder.plan import Quota, make_plan
    from memarena_builder.streams import Streams

    found: dict[str, list[PictureSpec]] = {kind: [] for kind in DRAWERS}
    quota = Quota(sessions=12, language=language)
    domains = domains_of(language)
    for number in range(SAMPLES // len(domains)):
        for domain in domains:
            streams = Streams(seed, (f"{domain}_{number:02}",))
            taken: set[tuple[str, str]] = set()
            for spec in make_plan(load(domain, language), quota, streams.at("plan")).pictures.values():
                own = next(field for field in spec.fields if field.fact_id)
                if len(found[spec.kind]) < each and (spec.kind, own.label) not in taken:
                    taken.add((spec.kind, own.label))
                    found[spec.kind].append(spec)
        if all(len(specs) == each for specs in found.values()):
            break
    return found


@click.command()
@click.argument("sheet", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--each", default=5, show_default=True, type=click.IntRange(1, 20), help="pictures of a kind")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="another seed, other pictures")
@click.option(
    "--language", default="en", show_default=True, type=click.Choice(languages()), help="of the words in the pictures"
)
def contact(sheet: Path, each: int, seed: int, language: str) -> None:
    """Draw pictures of every kind on one sheet and write it as SHEET."""
    from PIL import Image

    if sheet.suffix.lower() not in Image.registered_extensions():
        raise UsageError(f"SHEET {sheet}: a picture needs an ending of one, e.g. {sheet.stem}.png or {sheet.stem}.webp")
    contact_sheet(examples(each, seed, language), each).save(sheet, optimize=True)
    click.echo(f"{sheet}: {sheet.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    contact()
