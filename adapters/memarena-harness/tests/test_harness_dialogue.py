"""What an agent is told, and what is read from its reply."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from memarena.records import AskedQuestion, Attachment, Turn
from memarena_harness.dialogue import session_messages
from memarena_harness.pictures import LONGEST_SIDE, prepare
from memarena_harness.questions import batches, questions_message, read_answers


def turn(text: str, place: int = 0, **more: object) -> Turn:
    given: dict[str, object] = {"role": "user", "text": text, "body": text, "time": "2026-01-05 09:00", **more}
    return Turn(turn_id=f"S01:T{place:03d}", session_id="S01", index=place, **given)  # type: ignore[arg-type]


def told(*turns: Turn, folder: Path = Path("/nowhere"), longest: int = 100_000) -> list[str]:
    found = session_messages(3, "S01", turns, folder / "media", forgets=True, longest=longest)
    return [message.text for message in found]


def test_a_session_is_told_with_its_header_and_its_turns_with_role_and_time() -> None:
    (text,) = told(turn("Hello."), turn("Hi, Ana.", 1, role="assistant", time="2026-01-05 09:01", speaker="Bot"))
    assert "This is session 3." in text
    assert text.partition("=== ")[2].splitlines() == [
        "Session S01, 2026-01-05 09:00 to 2026-01-05 09:01, 2 turns ===",
        "[2026-01-05 09:00] user: Hello.",
        "[2026-01-05 09:01] assistant (Bot): Hi, Ana.",
        "=== End of session S01 ===",
    ]


def test_a_turn_without_a_time_has_none_made_up() -> None:
    (text,) = told(turn("Hello.", time=None))
    assert "=== Session S01, 1 turns ===\nuser: Hello.\n" in text


def test_nul_and_half_characters_do_not_reach_the_program() -> None:
    (text,) = told(turn("A NUL \0 and \ud83d."))
    assert "A NUL \N{REPLACEMENT CHARACTER} and ?." in text
    text.encode("utf-8")


def test_a_session_that_is_too_long_is_told_in_parts_and_whole() -> None:
    said = [f"Fact {place}: {'x' * 300}." for place in range(20)]
    parts = told(*[turn(text, place) for place, text in enumerate(said)], longest=3000)
    assert len(parts) > 2
    assert f"20 turns, part 1 of {len(parts)} ===" in parts[0]
    assert [place for place in range(20) for part in parts if f"Fact {place}:" in part] == list(range(20))


def test_a_turn_that_is_too_long_is_cut_and_nothing_of_it_is_lost() -> None:
    words = " ".join(f"word{place}" for place in range(2000))
    parts = told(turn(words), longest=4000)
    assert "".join(line.partition("user: ")[2] for part in parts for line in part.splitlines()) == words


def test_pictures_are_numbered_as_they_come_and_named_without_meaning(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), "teal").save(tmp_path / "the-answer-is-teal.png")
    shown = Attachment(image_id="S01_img_1", path=str(tmp_path / "the-answer-is-teal.png"), caption="A square.")
    (text,) = told(turn("Look.", attachments=(shown, Attachment(image_id="S01_img_2"))), folder=tmp_path)
    assert text.partition("user: ")[2].splitlines()[:-1] == [
        "Look.",
        "[Image #1] media/s03_1.png",
        "image_id: S01_img_1",
        "image_caption: A square.",
        "[A picture that is not shown]",
        "image_id: S01_img_2",
    ]


@pytest.mark.parametrize(
    ("kind", "size", "written", "expected"),
    [
        ("PNG", (30, 20), "x.png", (30, 20)),
        ("JPEG", (30, 20), "x.jpg", (30, 20)),
        ("JPEG", (4096, 1024), "x.jpg", (LONGEST_SIDE, 512)),
        ("PNG", (1000, 5000), "x.png", (410, LONGEST_SIDE)),
        ("WEBP", (30, 20), "x.png", (30, 20)),
        ("BMP", (30, 20), "x.png", (30, 20)),
        ("GIF", (30, 20), "x.png", (30, 20)),
    ],
)
def test_every_picture_becomes_a_png_or_jpeg_of_at_most_2048_pixels(
    kind: str, size: tuple[int, int], written: str, expected: tuple[int, int], tmp_path: Path
) -> None:
    source = tmp_path / "source"
    Image.new("RGB", size, "teal").save(source, format=kind)
    assert prepare(source, tmp_path / "x") == written
    with Image.open(tmp_path / written) as shown:
        assert shown.size == expected


DRAWING = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 8 8\n%%EndComments\n%%EOF\n"
"""Pillow would have Ghostscript run it."""


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, DRAWING])
def test_a_broken_picture_is_refused_with_a_reason(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(data)
    with pytest.raises(ValueError, match="cannot be read"):
        prepare(tmp_path / "source", tmp_path / "x")


def test_questions_come_in_batches_with_ids_of_their_own() -> None:
    asked = [AskedQuestion(question_id=f"C01:Q{place:03d}", text=f"What is {place}?") for place in range(5)]
    found = list(batches(asked, 2))
    assert [[(name, one.question_id) for name, one in batch.items()] for batch in found] == [
        [("Q1", "C01:Q000"), ("Q2", "C01:Q001")],
        [("Q1", "C01:Q002"), ("Q2", "C01:Q003")],
        [("Q1", "C01:Q004")],
    ]


def test_a_question_is_asked_with_its_time_and_without_its_own_id(tmp_path: Path) -> None:
    batch = {"Q1": AskedQuestion(question_id="C01:Q007", text="Which boat?", time="2026-02-01")}
    message = questions_message(batch, tmp_path / "media", forgets=True, schema=False)
    assert message.text.endswith("Q1 (asked at 2026-02-01): Which boat?")
    assert "C01" not in message.text


@pytest.mark.parametrize(
    ("reply", "answers"),
    [
        ('{"answers": [{"id": "Q1", "answer": "teal"}, {"id": "Q2", "answer": "two"}]}', {"Q1": "teal", "Q2": "two"}),
        ('Sure:\n```json\n{"answers": [{"id": "Q1", "answer": "teal"}]}\n```', {"Q1": "teal"}),
        ('{"Q1": "teal", "Q2": "two"}', {"Q1": "teal", "Q2": "two"}),
        ('{"answers": {"Q1": "teal"}}', {"Q1": "teal"}),
        ('{"answers": [{"id": "Q1", "answer": 4711}, {"id": "Q9", "answer": "x"}]}', {"Q1": "4711"}),
        ('{"Q1": "draft"} {"answers": [{"id": "Q1", "answer": "final"}]}', {"Q1": "final"}),
        ('{"answers": [{"id": "Q1", "answer": ""}, {"id": "Q2", "answer": null}]}', {}),
        ('a { b {"answers": [{"id": "Q2", "answer": "a \\"b\\" {c}"}]} }', {"Q2": 'a "b" {c}'}),
        ("I do not know.", {}),
        ("", {}),
        ('{"answers": [{"id": "Q1", "answer": "cut', {}),
    ],
)
def test_answers_are_read_from_whatever_a_model_makes_of_the_form(reply: str, answers: dict[str, str]) -> None:
    assert read_answers(reply, ["Q1", "Q2"]) == answers


@given(st.dictionaries(st.sampled_from(["Q1", "Q2", "Q3"]), st.text(min_size=1).filter(str.strip)), st.text())
def test_answers_in_the_form_are_found_within_any_talk(answers: dict[str, str], talk: str) -> None:
    form = {"answers": [{"id": name, "answer": text} for name, text in answers.items()]}
    reply = talk.replace("{", "(") + json.dumps(form)
    assert read_answers(reply, ["Q1", "Q2", "Q3"]) == {name: text.strip() for name, text in answers.items()}


@given(st.text())
def test_no_reply_is_too_odd_to_be_read(reply: str) -> None:
    assert isinstance(read_answers(reply, ["Q1"]), dict)
