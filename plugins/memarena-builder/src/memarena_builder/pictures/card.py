"""The plainest picture: a card with the name of its subject and a line a field. Draws every kind that has no drawer."""

from __future__ import annotations

import io
import random

from memarena_builder.pictures.spec import Box, Drawing, PictureSpec

WIDTH, LINE, MARGIN, SIZE = 560, 52, 28, 24
COLOURS = {
    "crimson": "#dc143c", "turquoise": "#40e0d0", "mustard": "#d8a917", "lavender": "#b9a3e3", "olive": "#6b7a1f",
    "coral": "#ff7f50", "indigo": "#4b0082", "maroon": "#800000", "amber": "#ffbf00", "teal": "#008080",
    "magenta": "#d0219a", "beige": "#e8dcc0", "scarlet": "#ff2400", "violet": "#8f00ff", "khaki": "#bdb76b",
    "bronze": "#b0793a", "emerald": "#2ea86b", "ivory": "#fffff0", "charcoal": "#36454f", "salmon": "#fa8072",
}  # fmt: skip
"""The colours of the pool `colours`."""


def draw(spec: PictureSpec) -> Drawing:
    """Draw a card. A colour is shown as a patch; everything else as text."""
    from PIL import Image, ImageDraw, ImageFont

    rng = random.Random(spec.seed)
    height = MARGIN * 2 + LINE * (len(spec.fields) + 1)
    paper = rng.choice(("#ffffff", "#fdfaf0", "#f4f8fb", "#f8f4f8"))
    image = Image.new("RGB", (WIDTH, height), paper)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(SIZE)
    pen.rectangle((8, 8, WIDTH - 9, height - 9), outline="#888888", width=2)
    pen.text((MARGIN, MARGIN), spec.subject, font=font, fill="#111111")
    boxes = []
    for place, field in enumerate(spec.fields, 1):
        top = MARGIN + LINE * place
        pen.text((MARGIN, top), field.label, font=font, fill="#555555")
        left = WIDTH // 2
        if field.shown == "colour":
            box = Box(left, top, left + 120, top + 34)
            pen.rectangle(box, fill=COLOURS[field.value], outline="#222222")
        else:
            corners = pen.textbbox((left, top), field.value, font=font)
            box = Box(*(round(corner) for corner in corners))
            pen.text((left, top), field.value, font=font, fill="#111111")
        boxes.append(box)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=False)
    return Drawing(png=out.getvalue(), width=WIDTH, height=height, boxes=tuple(boxes))
