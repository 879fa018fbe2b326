"""Pictures: inside the data set, there, and what they claim to be."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memarena_arena.pictureheader import read_header

if TYPE_CHECKING:
    from wma_folder import Folder

PLACE = "lifelong/personal/images/personal_01/S01_img_1.png"


def codes(folder: Folder, **options: Any) -> dict[str, int]:
    return folder.load(**options)[1].counts


def drawn(kind: str, size: tuple[int, int] = (31, 17), **options: Any) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", size).save(stream, kind, **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kind", "media_type", "options"),
    [
        ("PNG", "image/png", {}),
        ("JPEG", "image/jpeg", {}),
        ("JPEG", "image/jpeg", {"progressive": True, "comment": b"x" * 9000}),
        ("GIF", "image/gif", {}),
        ("BMP", "image/bmp", {}),
        ("WEBP", "image/webp", {}),
        ("WEBP", "image/webp", {"lossless": True}),
        ("WEBP", "image/webp", {"exif": b"Exif\0\0MM"}),
    ],
)
def test_the_header_tells_kind_and_size(tmp_path: Path, kind: str, media_type: str, options: dict[str, Any]) -> None:
    path = tmp_path / "picture"
    path.write_bytes(drawn(kind, **options))
    assert read_header(str(path)) == (media_type, 31, 17)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is an empty file"),
        (b"hello", "is not a PNG"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS pointer"),
        (b"\x89PNG\r\n\x1a\n", "PNG without a header"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "cut off"),
        (b"\xff\xd8\xff", "cut off"),
        (b"\xff\xd8\xff\xe0\0\1", "JPEG without a frame"),
        (b"GIF89a", "cut off"),
        (b"GIF89a\0\0\0\0", "without pixels"),
        (b"RIFF\0\0\0\0WEBPJUNK", "WebP file without a picture"),
    ],
)
def test_what_is_no_picture_is_named_for_what_it_is(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "picture"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=problem):
        read_header(str(path))


def test_every_beginning_of_a_picture_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture"
    for kind in ("PNG", "JPEG", "GIF", "BMP", "WEBP"):
        whole = drawn(kind)
        for length in range(0, 64):
            path.write_bytes(whole[:length])
            try:
                assert read_header(str(path))[1:] == (31, 17)
            except ValueError as error:
                assert str(error).startswith("is ")


@pytest.mark.parametrize("left", [0.3, 0.6, 0.99])
def test_a_png_that_is_cut_off_anywhere_is_none(tmp_path: Path, left: float) -> None:
    from PIL import Image

    path = tmp_path / "picture"
    Image.effect_noise((64, 64), 50).save(path, "PNG")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * left) - 8])
    with pytest.raises(ValueError, match="is a picture that is cut off"):
        read_header(str(path))
    path.write_bytes(whole + b"more behind it")
    assert read_header(str(path)) == ("image/png", 64, 64)


def test_a_png_without_an_end_is_not_followed_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "picture"
    path.write_bytes(drawn("PNG")[:33] + b"\0\0\0\0tEXt\0\0\0\0" * 70_000)
    with pytest.raises(ValueError, match="more than 65,536 chunks"):
        read_header(str(path))


def test_what_is_no_file_is_no_picture(folder: Folder) -> None:
    folder.write(folder.good())
    path = folder.root / PLACE
    path.unlink()
    path.mkdir()
    (finding,) = folder.load()[1].findings
    assert finding.message == "'images/personal_01/S01_img_1.png' is no file"


def test_a_picture_that_is_none_is_reported_and_not_handed_on(folder: Folder) -> None:
    folder.write(folder.good())
    folder.write_bytes(b"not a picture", PLACE)
    (sample,), report = folder.load()
    picture = sample.sessions[1].turns[0].attachments[0]
    assert (picture.path, picture.missing, report.refused) == (None, True, ())
    assert [(finding.code, finding.path) for finding in report.findings] == [
        ("broken_picture", "$.sessions[1].dialogue[0].attachments[0].file_path")
    ]


def test_a_picture_that_claims_too_many_pixels_is_reported_without_being_opened(folder: Folder) -> None:
    folder.write(folder.good())
    folder.write_bytes(folder.png(60_000, 60_000), PLACE)
    (finding,) = folder.load()[1].findings
    assert finding.code == "broken_picture"
    assert "60,000 x 60,000 pixels; at most 50,000,000" in finding.message
    assert codes(folder, max_pixels=4_000_000_000) == {}


def test_the_media_type_is_that_of_the_file_not_of_its_name(folder: Folder) -> None:
    folder.write(folder.good())
    folder.write_bytes(b"\xff\xd8\xff\xc0" + struct.pack(">HBHH", 8, 8, 2, 2), PLACE)
    assert folder.load()[0][0].sessions[1].turns[0].attachments[0].media_type == "image/jpeg"


def test_without_the_check_pictures_are_not_opened(folder: Folder) -> None:
    folder.write(folder.good())
    folder.write_bytes(b"not a picture", PLACE)
    (sample,), report = folder.load(check_pictures=False)
    picture = sample.sessions[1].turns[0].attachments[0]
    assert (picture.missing, picture.media_type, report.findings) == (False, "image/png", [])


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_link_out_of_the_data_set_is_refused(folder: Folder, tmp_path: Path, what: str, check: bool) -> None:
    folder.write(folder.good())
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "S01_img_1.png").write_bytes(folder.png())
    inside = folder.root / PLACE
    inside.unlink()
    if what == "file":
        inside.symlink_to(outside / "S01_img_1.png")
    else:
        inside.parent.rmdir()
        inside.parent.symlink_to(outside)
    samples, report = folder.load(check_pictures=check)
    assert [finding.code for finding in report.refused] == ["outside_picture"]
    assert samples == []


def test_a_link_within_the_data_set_is_followed(folder: Folder) -> None:
    folder.write(folder.good())
    inside = folder.root / PLACE
    inside.rename(folder.root / "store.bin")
    inside.symlink_to(folder.root / "store.bin")
    (sample,), report = folder.load()
    assert sample.sessions[1].turns[0].attachments[0].path == str(folder.root / "store.bin")
    assert report.refused == ()


@pytest.mark.parametrize("target", ["nowhere", "loop"])
def test_a_link_to_nothing_is_a_missing_picture(folder: Folder, target: str) -> None:
    folder.write(folder.good())
    inside = folder.root / PLACE
    inside.unlink()
    inside.symlink_to(inside if target == "loop" else folder.root / "nowhere")
    assert codes(folder) == {"missing_picture": 1}


def test_a_name_that_differs_only_in_case_is_missing_and_the_other_is_named(folder: Folder) -> None:
    folder.write(folder.good())
    inside = folder.root / PLACE
    inside.rename(inside.with_name("S01_IMG_1.PNG"))
    (finding,) = folder.load()[1].findings
    assert finding.code == "missing_picture"
    assert finding.message.endswith("does not exist; there is 'S01_IMG_1.PNG'")


def test_a_name_that_no_file_can_have_is_missing_also_where_its_folder_is_known(folder: Folder) -> None:
    raw = folder.good()
    pictures = raw["sessions"][1]["dialogue"][0]["attachments"]
    pictures.append({**pictures[0], "image_id": "S01_img_2", "file_path": "images/personal_01/a\0b"})
    folder.write(raw)
    assert codes(folder) == {"missing_picture": 1}


def test_samples_may_share_a_folder_of_pictures(folder: Folder) -> None:
    for number in range(20):
        raw = folder.good(f"p_{number}")
        raw["sessions"][1]["dialogue"][0]["attachments"][0]["file_path"] = "images/all/x.png"
        folder.write(raw, name=f"p_{number}")
    folder.write_bytes(folder.png(), "lifelong/personal/images/all/x.png")
    assert (len(folder.load()[0]), codes(folder)) == (20, {})
