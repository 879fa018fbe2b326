"""Files of pictures, good and bad, as pixels of a size that encoders take."""

from __future__ import annotations

import base64
import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from memarena_qwen3vl.pixels import Unreadable, open_pixels


@pytest.fixture
def saved(tmp_path):
    """`saved(picture, "PNG")`: the path of a file with it."""

    def make(picture: Image.Image, form: str, **more) -> str:
        path = tmp_path / f"picture.{form.lower()}"
        picture.save(path, form, **more)
        return str(path)

    return make


def sent(url: str) -> bytes:
    return base64.b64decode(url.partition(",")[2])


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_small_picture_is_sent_as_it_is(saved, form):
    path = saved(Image.new("RGB", (40, 30), "red"), form)
    pixels = open_pixels(path, 1024)
    assert pixels.url().startswith(f"data:image/{form.lower()};base64,")
    assert sent(pixels.url()) == Path(path).read_bytes()
    assert (pixels.image.size, pixels.image.mode) == ((40, 30), "RGB")


@pytest.mark.parametrize("form", ["BMP", "GIF", "TIFF"])
def test_a_rare_format_is_sent_as_png(saved, form):
    pixels = open_pixels(saved(Image.new("RGB", (40, 30), "red"), form), 1024)
    assert pixels.url().startswith("data:image/png;base64,")
    assert Image.open(BytesIO(sent(pixels.url()))).getpixel((0, 0)) == (255, 0, 0)


def test_a_long_side_is_scaled_down_and_the_shape_is_kept(saved):
    pixels = open_pixels(saved(Image.new("RGB", (400, 100), "red"), "JPEG"), 64)
    assert pixels.image.size == (64, 16)
    assert Image.open(BytesIO(sent(pixels.url()))).size == (64, 16)


def test_what_is_transparent_is_white(saved):
    picture = Image.new("RGBA", (2, 1), (255, 0, 0, 0))
    picture.putpixel((1, 0), (0, 0, 255, 255))
    image = open_pixels(saved(picture, "PNG"), 8).image
    assert [image.getpixel((x, 0)) for x in (0, 1)] == [(255, 255, 255), (0, 0, 255)]


def test_a_digest_is_of_the_content_and_the_side(saved):
    path = saved(Image.new("RGB", (40, 30), "red"), "PNG")
    same = saved(Image.new("RGB", (40, 30), "red"), "PNG")
    assert open_pixels(path, 64).digest == open_pixels(same, 64).digest != open_pixels(path, 32).digest


def test_a_file_that_is_not_there_is_unreadable_without_its_path(tmp_path):
    with pytest.raises(Unreadable, match=r"^No such file or directory$"):
        open_pixels(str(tmp_path / "gone.png"), 64)


def test_a_picture_that_is_cut_off_is_unreadable(saved, tmp_path):
    path = saved(Image.effect_noise((64, 64), 50), "PNG")
    (tmp_path / "half.png").write_bytes(Path(path).read_bytes()[:500])
    with pytest.raises(Unreadable, match="truncated"):
        open_pixels(str(tmp_path / "half.png"), 64)


@pytest.mark.parametrize("side", [12_000, 60_000])
def test_a_bomb_of_pixels_is_refused_before_it_grows(tmp_path, side):
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")]
    data = b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
    (tmp_path / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + data)
    with pytest.raises(Unreadable, match="pixels"):
        open_pixels(str(tmp_path / "bomb.png"), 64)


@given(st.binary(max_size=200), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM"]))
def test_any_bytes_are_a_picture_or_unreadable(tmp_path_factory, data, start):
    path = tmp_path_factory.getbasetemp() / "any.png"
    path.write_bytes(start + data)
    try:
        assert max(open_pixels(str(path), 64).image.size) <= 64
    except Unreadable as error:
        assert str(error)
        assert "0x" not in str(error)
