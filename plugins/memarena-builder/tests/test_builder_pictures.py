from __future__ import annotations

import io
from datetime import date

from PIL import Image, ImageColor

from memarena_builder.pictures.drawers import draw
from memarena_builder.pictures.palette import COLOURS
from memarena_builder.pictures.spec import Field, PictureSpec

SPEC = PictureSpec(
    image_id="S01_img_1",
    kind="badge",
    subject="Mara Okafor",
    fields=(Field(label="Badge", value="teal", shown="colour"), Field(label="Locker", value="K-417")),
    caption="Badge sheet about Mara Okafor, as the user shared it",
    caption_full="Badge sheet about Mara Okafor, as the user shared it: Badge teal",
    day=date(2026, 3, 12),
    seed=5,
)


def test_a_picture_is_drawn_the_same_each_time():
    assert draw(SPEC).png == draw(SPEC).png


def test_there_is_a_box_inside_the_picture_for_each_field():
    drawing = draw(SPEC)
    assert len(drawing.boxes) == len(SPEC.fields)
    for box in drawing.boxes:
        assert 0 <= box.left < box.right <= drawing.width and 0 <= box.top < box.bottom <= drawing.height


def test_a_colour_is_in_the_middle_of_its_box():
    drawing = draw(SPEC)
    box = drawing.boxes[0]
    image = Image.open(io.BytesIO(drawing.png))
    middle = ((box.left + box.right) // 2, (box.top + box.bottom) // 2)
    seen, meant = image.convert("RGB").getpixel(middle), ImageColor.getrgb(COLOURS["teal"])
    assert all(abs(one - other) < 30 for one, other in zip(seen, meant, strict=True))


def test_every_hidden_fact_of_a_sample_is_a_field_of_a_picture(on_disk):
    for sample in on_disk:
        shown = {
            field["fact_id"]: field["value"] for row in sample.log("picture") for field in row["picture"]["fields"]
            if field.get("fact_id")
        }  # fmt: skip
        for row in sample.log("event"):
            fact = row["event"].get("fact")
            if fact and fact.get("visual"):
                assert shown[fact["fact_id"]] == fact["value"]


def test_pictures_have_the_boxes_that_the_log_tells(on_disk):
    for sample in on_disk:
        for row in sample.log("picture"):
            assert len(row["boxes"]) == len(row["picture"]["fields"])


def test_names_of_files_and_captions_tell_nothing(on_disk):
    for sample in on_disk:
        for row in sample.log("picture"):
            spec = row["picture"]
            for field in spec["fields"]:
                assert field["value"].lower() not in spec["caption"].lower()
                if field.get("fact_id"):
                    assert field["value"].lower() not in spec["image_id"].lower()
