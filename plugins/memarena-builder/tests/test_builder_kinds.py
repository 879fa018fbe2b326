from __future__ import annotations

import io
import random
import subprocess
import sys
import zlib
from datetime import date
from importlib.util import find_spec

import pytest
from msgspec.structs import replace
from PIL import Image, PngImagePlugin

from memarena.errors import DataError, PluginError
from memarena_builder.contact import examples
from memarena_builder.packs.load import load
from memarena_builder.packs.places import DOMAINS, languages
from memarena_builder.pictures import fonts
from memarena_builder.pictures.contact import contact_sheet
from memarena_builder.pictures.drawers import DRAWERS, draw
from memarena_builder.pictures.drawn import drawn
from memarena_builder.pictures.ocr import MODULE, Recogniser, comparable
from memarena_builder.pictures.readback import reading, unread
from memarena_builder.pictures.spec import Box, Drawing, Field, PictureSpec, Shown
from memarena_builder.pictures.words import words
from memarena_builder.validators.leaks import leaks

DAY = date(2026, 3, 12)
SEATS = tuple(f"{row}{column}" for row in "BCDFG" for column in range(1, 7))
WEEKS = tuple(f"W{number}" for number in range(14, 38))
DISHES = ("goulash", "paella", "risotto", "falafel", "chowder")
VALUES: dict[Shown, tuple[str, ...]] = {
    "text": ("K-417", "4,200 euros", "on Wednesdays at 10:35", "Brightwell", "137", "RT-4471"),
    "colour": ("teal", "crimson", "ivory", "beige", "maroon", "amber"),
    "count": ("9 rolls", "14 rolls", "25 rolls", "three", "20 rolls"),
    "tick": DISHES,
    "position": SEATS,
    "trend": WEEKS,
}
OPTIONS: dict[Shown, tuple[str, ...]] = {"tick": DISHES, "position": SEATS, "trend": WEEKS}
SUBJECTS = ("Mara Okafor", "Ingrid Sandström", "Umberto Villanueva", "Quicksilver", "Northern Lights Fund")
EVERY = [(kind, shown) for kind in DRAWERS for shown in VALUES]


def spec(kind: str, shown: Shown, seed: int) -> PictureSpec:
    """A picture with one fact and four decoys."""
    rng = random.Random(f"{kind} {shown} {seed}")
    value = str(rng.randint(1000, 9990)) if "chart" in kind and shown == "text" else rng.choice(VALUES[shown])
    own = Field(label="Item", value=value, fact_id="F001", shown=shown, options=OPTIONS.get(shown, ()), hidden=True)
    decoys = [Field(label=each.label, value=each.value) for each in words("en", rng, DAY).decoys(kind, "")[:4]]
    fields = [own, *decoys]
    rng.shuffle(fields)
    return PictureSpec(
        image_id="S01_img_1",
        kind=kind,
        subject=rng.choice(SUBJECTS),
        fields=tuple(fields),
        caption="A picture, as the user shared it",
        caption_full=f"A picture, as the user shared it: Item {value}",
        day=DAY,
        seed=rng.getrandbits(64),
    )


def fact(made: PictureSpec) -> int:
    return next(place for place, field in enumerate(made.fields) if field.fact_id)


def pixels(drawing: Drawing) -> Image.Image:
    return Image.open(io.BytesIO(drawing.png)).convert("RGB")


def overlap(one: Box, other: Box) -> int:
    wide = min(one.right, other.right) - max(one.left, other.left)
    tall = min(one.bottom, other.bottom) - max(one.top, other.top)
    return min(wide, tall)


@pytest.mark.parametrize(("kind", "shown"), EVERY)
def test_a_fact_of_any_kind_and_way_is_read_back_from_the_pixels_of_its_box(kind, shown):
    for seed in (1, 2):
        made = drawn(spec(kind, shown, seed))
        assert made.unread == ()
        assert len(made.refused) <= 1


@pytest.mark.parametrize(("kind", "shown"), EVERY)
def test_boxes_lie_in_the_picture_and_apart(kind, shown):
    drawing = draw(spec(kind, shown, 3))
    assert pixels(drawing).size == (drawing.width, drawing.height)
    for place, box in enumerate(drawing.boxes):
        assert 0 <= box.left < box.right <= drawing.width and 0 <= box.top < box.bottom <= drawing.height
        for other in drawing.boxes[:place]:
            assert overlap(box, other) <= 14


@pytest.mark.parametrize("kind", DRAWERS)
def test_nearly_all_decoys_are_legible_too(kind):
    made = [spec(kind, "text", seed) for seed in range(8)]
    entries = sum(len(each.fields) for each in made)
    assert sum(len(list(unread(each, draw(each), decoys=True))) for each in made) <= 0.12 * entries


@pytest.mark.parametrize("shown", VALUES)
def test_a_picture_that_shows_another_value_is_found_out(shown):
    for kind in ("form", "floor_plan", "whiteboard"):
        told = spec(kind, shown, 4)
        place = fact(told)
        other = next(value for value in VALUES[shown] if value != told.fields[place].value)
        fields = [replace(each, value=other) if each.fact_id else each for each in told.fields]
        lying = draw(replace(told, fields=tuple(fields)))
        assert [each.field for each in unread(told, lying)] == [place]
        assert reading(pixels(lying), replace(told, fields=tuple(fields)), lying, place) == other


@pytest.mark.parametrize("kind", DRAWERS)
def test_the_same_spec_is_drawn_to_the_same_bytes_and_another_seed_otherwise(kind):
    made = spec(kind, "text", 5)
    assert draw(made).png == draw(made).png
    assert draw(made).png != draw(replace(made, seed=made.seed ^ 1)).png


def test_another_process_draws_the_same_bytes():
    code = (
        "import sys, zlib; sys.path.insert(0, sys.argv[1]); import test_builder_kinds as kinds;"
        "print([zlib.crc32(kinds.draw(kinds.spec(kind, 'text', 6)).png) for kind in kinds.DRAWERS])"
    )
    folder = str(__file__).rpartition("test_builder_kinds")[0]
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([zlib.crc32(draw(spec(kind, "text", 6)).png) for kind in DRAWERS])


@pytest.mark.parametrize("kind", DRAWERS)
def test_nothing_but_pixels_gives_a_fact_away(kind):
    made = spec(kind, "text", 7)
    assert list(leaks(made, draw(made).png, f"images/x/{made.image_id}.png", "hello. 12 of 24.")) == []


def test_each_way_to_give_a_fact_away_is_found():
    made = spec("form", "text", 8)
    value = made.fields[fact(made)].value
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", value)
    out = io.BytesIO()
    pixels(draw(made)).save(out, "PNG", pnginfo=notes)
    told = replace(made, caption=f"The {value} form")
    path = f"images/{value}.png"
    found = [each.where for each in leaks(told, out.getvalue() + b"tail", path, f"so it is {value.lower()}.")]
    assert found == ["caption", "name", "text", "piece tEXt", "file"]
    assert [each.where for each in leaks(made, b"GIF89a", "a.png", "")] == ["file"]


def test_every_kind_of_picture_that_packs_speak_of_has_a_drawer():
    for domain in DOMAINS:
        pack = load(domain)
        assert {kind for each in pack.attributes for kind in each.pictures} <= set(DRAWERS)
        assert set(pack.wording.kinds) == set(DRAWERS)


def test_packs_have_facts_for_every_way_of_showing_one():
    assert {each.shown for domain in DOMAINS for each in load(domain).attributes if each.visual} == set(VALUES)


def test_letters_that_no_face_has_are_refused():
    made = replace(spec("form", "text", 9), subject="ሰላም")
    with pytest.raises(DataError, match="no face of type has all letters of 'ሰላም'"):
        draw(made)
    with pytest.raises(DataError, match="no words for pictures in this language"):
        draw(replace(made, language="xx"))


def test_every_face_writes_the_letters_of_european_names():
    for face in (*fonts.FILES, fonts.HAND):
        assert fonts.covers(face, "Sandström & Çelik, Malmö – 4.5 % Café Nuñez"), face
    assert not fonts.covers(fonts.GROTESK, "ö")


def test_faces_are_known_by_their_hashes():
    found = fonts.hashes()
    assert set(found) == {*fonts.TYPED, *fonts.HAN} and all(len(each) == 64 for each in found.values())


def test_a_contact_sheet_has_a_row_a_kind():
    made = {kind: [spec(kind, "text", 1)] for kind in ("note", "map")}
    sheet = contact_sheet(made, across=2)
    assert sheet.width == 590
    assert contact_sheet({"note": made["note"]}, across=2).height < sheet.height


def test_built_samples_have_pictures_of_every_kind():
    for language in languages():
        found = examples(1, seed=4, language=language)
        assert set(found) == set(DRAWERS) and all(len(specs) == 1 for specs in found.values())


def test_what_readers_differ_in_does_not_count():
    assert comparable("KB41-883, 4:05") == comparable("kb41 883.405")


@pytest.mark.skipif(find_spec(MODULE) is not None, reason="the extra ocr is installed")
def test_reading_without_the_extra_says_what_to_install():
    with pytest.raises(PluginError, match=r"pip install 'memarena-builder\[ocr\]'"):
        Recogniser()


@pytest.mark.skipif(find_spec(MODULE) is None, reason="needs the extra ocr")
def test_a_recogniser_reads_the_text_of_every_kind():
    recogniser = Recogniser()
    for kind in DRAWERS:
        made = spec(kind, "text", 10)
        assert list(unread(made, drawn(made).drawing, recogniser=recogniser)) == []
