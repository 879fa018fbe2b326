from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import Attachment, Turn
from memarena.rounds import Rounds
from memarena_mem0.messages import messages_of, pieces


def turn(text: str, role: str = "user", speaker: str = "", *pictures: Attachment) -> Turn:
    return Turn(
        turn_id="T1", session_id="S1", index=0, role=role, speaker=speaker, text=text, body=text, attachments=pictures
    )


def messages(*turns: Turn, longest: int = 1000, pictures: bool = False) -> list[list[tuple[str, object]]]:
    groups = messages_of(turns, longest=longest, pictures=pictures)
    return [[(message["role"], message["content"]) for message in group] for group in groups]


def test_a_user_s_turn_goes_with_the_reply_to_it():
    batches = Rounds(single=False)
    said = [turn("a"), turn("b", "assistant"), turn("c"), turn("d"), turn("e", "assistant")]
    found = [[each.text for each in group] for one in said for group in batches.add(one)]
    assert found == [["a", "b"], ["c"], ["d", "e"]]
    assert batches.flush() == []


def test_what_waits_for_a_reply_is_there_at_the_end_once():
    batches = Rounds(single=False)
    assert batches.add(turn("a")) == []
    assert [[each.text for each in group] for group in batches.flush()] == [["a"]]
    assert batches.flush() == []


@pytest.mark.parametrize(
    ("role", "taken"),
    [
        ("user", "user"),
        ("assistant", "assistant"),
        ("system", "system"),
        ("agent", "assistant"),
        ("environment", "user"),
        ("tool", "user"),
        ("odd", "user"),
    ],
)
def test_every_role_becomes_one_that_mem0_takes_in(role, taken):
    assert messages(turn("Hello.", role)) == [[(taken, "Hello.")]]


def test_a_named_speaker_is_a_user_whose_name_is_told():
    assert messages(turn("Hi.", "assistant", "Melanie")) == [[("user", "Melanie: Hi.")]]
    assert messages(turn("Hi.", "assistant", "Assistant")) == [[("assistant", "Hi.")]]


def test_a_turn_without_text_has_no_message():
    assert messages(turn(""), turn("  ", "assistant"), turn("", "user", "Ann")) == []


def test_a_long_turn_is_handed_over_in_pieces():
    assert messages(turn("one two three"), turn("four", "assistant"), longest=8) == [
        [("user", "one two")],
        [("user", "three"), ("assistant", "four")],
    ]


def test_a_picture_is_a_message_of_its_own_where_it_is_there(tmp_path: Path):
    file = tmp_path / "a.png"
    file.write_bytes(b"pixels")
    shown = (Attachment(path=str(file), media_type="image/png"), Attachment(path=None))
    (text, picture), *others = messages(turn("Look.", "user", "", *shown), pictures=True)
    assert (others, text) == ([], ("user", "Look."))
    url = f"data:image/png;base64,{base64.b64encode(b'pixels').decode()}"
    assert picture == ("user", {"type": "image_url", "image_url": {"url": url}})
    assert messages(turn("Look.", "user", "", *shown)) == [[("user", "Look.")]]


@given(st.text(alphabet="ab \n", max_size=60), st.integers(1, 12))
def test_pieces_lose_nothing_but_blanks_and_fit(text, longest):
    found = pieces(text, longest)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(len(piece) <= longest for piece in found)
    assert found == [""] or all(found)
