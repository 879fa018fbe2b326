"""The plainest picture: a card with the name of its subject and a line a field. Draws every kind that has no drawer."""

from __future__ import annotations

from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import PAPERS
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec

WIDTH, LINE, MARGIN, SIZE = 560, 44, 28, 22


def draw(spec: PictureSpec) -> Drawing:
    """Draw a card."""
    tall = [height(field, LINE) for field in spec.fields]
    sheet = Sheet(spec, WIDTH, MARGIN * 2 + LINE + sum(tall) + 12 * len(tall))
    style = Style("sans", SIZE)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=sheet.rng.choice(PAPERS))
    sheet.pen.rectangle((8, 8, WIDTH - 9, sheet.height - 9), outline="#888888", width=2)
    sheet.text(MARGIN, MARGIN, spec.subject, sheet.fitted(spec.subject, style.bold(), WIDTH - 2 * MARGIN))
    top = MARGIN + LINE + 6
    for number, field in enumerate(spec.fields):
        label = style._replace(ink="#555555")
        sheet.text(MARGIN, top, field.label, sheet.fitted(field.label, label, WIDTH // 2 - MARGIN - 12))
        place(sheet, number, Area(WIDTH // 2, top, WIDTH // 2 - MARGIN), style)
        top += tall[number] + 12
    return sheet.done()
