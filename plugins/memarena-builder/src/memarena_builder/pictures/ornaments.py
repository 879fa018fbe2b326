"""What makes a page look used, and says nothing: signatures, stamps, bars, faces, stains."""

from __future__ import annotations

import math

from memarena_builder.pictures import fonts
from memarena_builder.pictures.sheet import Sheet

INK = "#22357e"


def signature(sheet: Sheet, x: int, y: int, width: int) -> None:
    """A scribble that nobody can read."""
    rng = sheet.rng
    phase, first, second, fall = rng.uniform(0, 6), rng.uniform(12, 24), rng.uniform(4, 9), rng.uniform(0.7, 1.2)
    points = []
    for step in range(90):
        t = step / 89
        swing = math.sin(t * first + phase) * (1.1 - t * fall) * 13 + math.sin(t * second) * 5
        points.append((x + t * width + math.cos(t * first * 1.2) * 9, y + swing))
    sheet.pen.line(points, fill=INK, width=2, joint="curve")


def stamp(sheet: Sheet, x: int, y: int, word: str, ink: str = "#a8323c") -> None:
    """A frame with a word, pressed on a little aslant, centred at a point."""
    from PIL import Image, ImageDraw

    face = "sans-bold" if fonts.covers("sans-bold", word) else fonts.instead("sans-bold", word)
    font = fonts.font(face, 20)
    width = round(font.getlength(word)) + 28
    mask = Image.new("L", (width, 44), 0)
    pen = ImageDraw.Draw(mask)
    pen.rounded_rectangle((2, 2, width - 3, 41), 6, outline=190, width=3)
    pen.text((width // 2, 11), word, font=font, fill=190, anchor="ma")
    mask = mask.rotate(sheet.rng.uniform(-14, 14), Image.Resampling.BICUBIC, expand=True)
    sheet.image.paste(ink, (x - mask.width // 2, y - mask.height // 2), mask)


def barcode(sheet: Sheet, x: int, y: int, width: int, height: int) -> None:
    """Bars; no number."""
    at = x
    while at < x + width:
        bar = sheet.rng.randint(1, 4)
        sheet.pen.rectangle((at, y, min(at + bar - 1, x + width), y + height), fill="#1a1a1a")
        at += bar + sheet.rng.randint(1, 4)


def squares(sheet: Sheet, x: int, y: int, side: int) -> None:
    """Black and white squares as machines read them, with three eyes; nothing can be read from them."""
    from PIL import Image, ImageDraw

    count = 21
    grid = Image.new("L", (count, count), 255)
    grid.putdata([sheet.rng.choice((0, 255)) for _ in range(count * count)])
    pen = ImageDraw.Draw(grid)
    for left, top in ((0, 0), (count - 7, 0), (0, count - 7)):
        for inset, level in ((-1, 255), (0, 0), (1, 255), (2, 0)):
            pen.rectangle((left + inset, top + inset, left + 6 - inset, top + 6 - inset), fill=level)
    unit = max(2, side // count)
    sheet.image.paste(grid.resize((count * unit, count * unit), Image.Resampling.NEAREST).convert("RGB"), (x, y))


def portrait(sheet: Sheet, x: int, y: int, width: int, height: int, tone: str) -> None:
    """The outline of a head and shoulders."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), "#e3e3e3")
    pen = ImageDraw.Draw(image)
    middle, head = width // 2, width * sheet.rng.randint(21, 26) // 100
    top = height // 6
    pen.ellipse((middle - head, top, middle + head, top + round(2.4 * head)), fill=tone)
    pen.ellipse((width // 9, top + round(2.6 * head), width * 8 // 9, height * 2), fill=tone)
    pen.rectangle((0, 0, width - 1, height - 1), outline="#999999")
    sheet.image.paste(image, (x, y))


def ring(sheet: Sheet, x: int, y: int, radius: int) -> None:
    """The mark of a cup."""
    for shift in (0, 2):
        sheet.pen.arc((x - radius, y - radius, x + radius + shift, y + radius), 20, 320, fill="#d9c7a8", width=2)
