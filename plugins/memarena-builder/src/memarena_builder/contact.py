"""`python -m memarena_builder.contact SHEET.png`: pictures of every kind, as samples have them, on one sheet."""

from __future__ import annotations

from pathlib import Path

import click

from memarena.errors import UsageError
from memarena_builder.packs.load import DOMAINS
from memarena_builder.pictures.contact import contact_sheet
from memarena_builder.pictures.drawers import DRAWERS
from memarena_builder.pictures.spec import PictureSpec

SAMPLES = 6
"""Samples of each domain that are planned, at most, to find pictures of every kind."""


def examples(each: int, seed: int = 0) -> dict[str, list[PictureSpec]]:
    """Up to `each` pictures of every kind, from different samples and with different facts as far as there are such."""
    from memarena_builder.lifelong import build_sample
    from memarena_builder.order import LifelongOrder
    from memarena_builder.plan.quota import Quota

    found: dict[str, list[PictureSpec]] = {kind: [] for kind in DRAWERS}
    for number in range(SAMPLES):
        for domain in DOMAINS:
            order = LifelongOrder(
                sample_id=f"{domain}_{number:02}", place=domain, domain=domain, seed=seed, quota=Quota(sessions=12)
            )
            taken: set[tuple[str, str]] = set()
            for spec in build_sample(order).plan.pictures.values():
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
def contact(sheet: Path, each: int, seed: int) -> None:
    """Draw pictures of every kind on one sheet and write it as SHEET."""
    from PIL import Image

    if sheet.suffix.lower() not in Image.registered_extensions():
        raise UsageError(f"SHEET {sheet}: a picture needs an ending of one, e.g. {sheet.stem}.png or {sheet.stem}.webp")
    contact_sheet(examples(each, seed), each).save(sheet, optimize=True)
    click.echo(f"{sheet}: {sheet.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    contact()
