"""Snapshots followed by comparison, provenance, and turns as an adapter sees them."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from memarena.memory import MemoryState, SnapshotChange, present, whole_text
from memarena.records import Attachment, MemoryItem, RetrievedItem, Turn


def item(memory_id: str, text: str, **more: object) -> MemoryItem:
    return MemoryItem(memory_id=memory_id, text=text, **more)  # type: ignore[arg-type]


def found(memory_id: str, *turns: str) -> RetrievedItem:
    return RetrievedItem(memory_id=memory_id, text="", turn_ids=turns)


def test_new_changed_and_gone_items_become_add_update_and_delete() -> None:
    state = MemoryState()
    state.advance("S1", [item("a", "tea"), item("b", "blue")])
    change, changes = state.advance("S2", [item("a", "coffee"), item("c", "cat")])
    assert [(one.op, one.memory_id, one.text, one.previous) for one in changes] == [
        ("update", "a", "coffee", ("tea",)),
        ("add", "c", "cat", ()),
        ("delete", "b", "blue", ()),
    ]
    assert change.gone == ("b",)
    assert [one.memory_id for one in change.put] == ["a", "c"]


def test_a_change_of_status_is_archive_or_suppress_and_what_comes_back_is_added() -> None:
    state = MemoryState()
    state.advance("S1", [item("a", "tea"), item("b", "blue")])
    _, changes = state.advance("S2", [item("a", "tea", status="archived"), item("b", "blue", status="suppressed")])
    assert [one.op for one in changes] == ["archive", "suppress"]
    _, changes = state.advance("S3", [item("a", "tea"), item("b", "blue", status="suppressed")])
    assert [(one.op, one.memory_id) for one in changes] == [("add", "a")]


def test_an_item_comes_from_the_sessions_in_which_it_appeared_or_its_text_changed() -> None:
    state = MemoryState()
    state.advance("S1", [item("a", "tea")])
    state.advance("S2", [item("a", "tea", metadata={"seen": 2})])
    state.advance("S3", [item("a", "coffee")])
    assert state.sources(found("a")) == ("S1", "S3")
    assert state.sources(found("never")) == ()


def test_named_turns_say_where_an_item_comes_from_but_never_a_turn_not_yet_heard() -> None:
    state = MemoryState()
    state.heard([Turn(turn_id="S1:T000", session_id="S1", index=0)])
    state.advance("S2", [item("a", "tea")])
    assert state.sources(found("a", "S1:T000")) == ("S1",)
    assert state.sources(found("a", "S9:T000")) == ("S2",)


def test_an_item_that_left_was_held_in_the_session_before() -> None:
    state = MemoryState()
    state.advance("S1", [item("a", "tea")])
    state.advance("S2", [item("b", "blue")])
    assert state.held_in(found("a")) == "S1"
    assert state.held_in(found("b")) == "S2"
    assert state.held_in(found("c")) is None


items = st.lists(
    st.builds(
        item,
        st.sampled_from("abcdef"),
        st.sampled_from(["one", "two", "three"]),
        status=st.sampled_from(["active", "archived"]),
    ),
    unique_by=lambda one: one.memory_id,
    max_size=6,
)


@given(st.lists(items, max_size=8))
def test_the_changes_replayed_give_each_snapshot_back_in_its_order(snapshots: list[list[MemoryItem]]) -> None:
    state, replayed = MemoryState(), dict[str, MemoryItem]()
    for number, snapshot in enumerate(snapshots):
        change, _ = state.advance(f"S{number}", snapshot)
        stored = msgspec.json.decode(msgspec.json.encode(change), type=SnapshotChange)
        replayed = stored.apply(replayed)
        assert list(replayed.values()) == snapshot


def test_the_text_of_a_turn_holds_a_block_a_picture() -> None:
    pictures = (Attachment(image_id="S1_img_1", caption="A cat"), Attachment(image_id="S1_img_2"), Attachment())
    assert whole_text("Look.", pictures) == (
        "Look.\n\nimage:\nimage_id: S1_img_1\nimage_caption: A cat\nimage:\nimage_id: S1_img_2"
    )
    assert whole_text("", pictures[:1]) == "image:\nimage_id: S1_img_1\nimage_caption: A cat"
    assert whole_text("Look.", ()) == "Look."


def picture_turn() -> Turn:
    picture = Attachment(image_id="i", path="/p.png", caption="A cat", caption_full="A red cat on a mat")
    return Turn(turn_id="t", session_id="S", index=0, body="Look.", text="as loaded", attachments=(picture,))


def test_captions_none_leaves_the_id_alone() -> None:
    turn = present(picture_turn(), pictures=True, captions="none")
    assert turn.text == "Look.\n\nimage:\nimage_id: i"
    assert turn.attachments[0].caption == ""
    assert turn.attachments[0].path == "/p.png"


def test_captions_full_shows_the_fullest() -> None:
    turn = present(picture_turn(), pictures=True, captions="full")
    assert turn.text.endswith("image_caption: A red cat on a mat")


def test_captions_given_hides_the_fullest_and_pictures_off_hides_the_path() -> None:
    turn = present(picture_turn(), pictures=False, captions="given")
    assert turn.attachments[0] == Attachment(image_id="i", caption="A cat")
    assert "red" not in turn.text


def test_a_turn_without_pictures_passes_as_it_is() -> None:
    turn = Turn(turn_id="t", session_id="S", index=0, text="Hello.")
    assert present(turn, pictures=False, captions="none") is turn
