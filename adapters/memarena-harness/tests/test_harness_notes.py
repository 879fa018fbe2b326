"""The notes of an agent: what counts as one, and what became of each."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memarena_harness.notes import Notes, Paragraph, paragraphs


def texts(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return [paragraph.text for paragraph in paragraphs(folder)]


def read(notes: Notes, session_id: str, *lines: str, file: str = "notes.md") -> list[tuple[str, str]]:
    """What a session did, as (op, text)."""
    notes.read([Paragraph(file, line, "") for line in lines], session_id)
    return [(change.op, change.text) for change in notes.changes(session_id)]


def test_a_paragraph_or_an_entry_of_a_list_is_a_note(tmp_path: Path) -> None:
    found = texts(tmp_path, a="# Ana\n\nHer boat\nis teal.\n\n- a dog\n- a cat\n  called Tom\n1. one\n2) two\n")
    assert found == ["Her boat\nis teal.", "- a dog", "- a cat\n  called Tom", "1. one", "2) two"]


def test_a_note_knows_its_file_and_its_heading(tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    (tmp_path / "people" / "ana.txt").write_text("## Ana\nHer boat is teal.\n", encoding="utf-8")
    (paragraph,) = paragraphs(tmp_path)
    assert paragraph == Paragraph("people/ana.txt", "Her boat is teal.", "Ana")


def test_hidden_files_pictures_links_and_what_is_no_text_are_no_notes(tmp_path: Path) -> None:
    for name, data in {".hidden": b"x", "data.bin": b"a\0b", "latin.txt": b"\xff\xfe\xfa"}.items():
        (tmp_path / name).write_bytes(data)
    for name in ("media", ".git"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.md").write_text("x", encoding="utf-8")
    (tmp_path / "link.md").symlink_to(tmp_path / ".hidden")
    assert paragraphs(tmp_path) == []


def test_a_stray_byte_does_not_make_notes_vanish(tmp_path: Path) -> None:
    text = b"The boat is called Marlow, and its berth is 27.\0 The skipper is Ren\xe9, \x1b[2Jwho has a dog."
    (tmp_path / "notes.md").write_bytes(text)
    assert [one.text for one in paragraphs(tmp_path)] == [
        "The boat is called Marlow, and its berth is 27.\ufffd The skipper is Ren\ufffd, \ufffd[2Jwho has a dog."
    ]


def test_of_files_that_are_too_large_as_much_is_read_as_a_record_can_take(tmp_path: Path) -> None:
    for place in range(20):
        (tmp_path / f"{place:02d}.md").write_text("x" * (3 << 20), encoding="utf-8")
    assert [len(one.text) for one in paragraphs(tmp_path)] == [1 << 20] * 16


def test_new_changed_unchanged_and_removed_notes_are_told_apart() -> None:
    notes = Notes()
    assert read(notes, "S01", "The boat is teal.", "The code of the locker is 4711.", "Ana has a dog.") == [
        ("add", "The boat is teal."),
        ("add", "The code of the locker is 4711."),
        ("add", "Ana has a dog."),
    ]
    assert read(notes, "S02", "The boat is teal.", "The code of the locker is 9320.", "Zoo tickets cost ten.") == [
        ("update", "The code of the locker is 9320."),
        ("add", "Zoo tickets cost ten."),
        ("delete", "Ana has a dog."),
    ]
    (change, *_) = notes.changes("S02")
    assert change.previous == ("The code of the locker is 4711.",)
    assert [item.session_id for item in notes.items] == ["S01", "S01", "S02"]


def test_a_note_that_moves_to_another_place_keeps_its_id() -> None:
    notes = Notes()
    read(notes, "S01", "The boat is teal.", "Ana has a dog.")
    before = {item.text: item.memory_id for item in notes.items}
    assert read(notes, "S02", "Ana has a dog.", "The boat is teal.") == []
    assert {item.text: item.memory_id for item in notes.items} == before


def test_a_note_that_moves_to_another_file_is_kept() -> None:
    notes = Notes()
    read(notes, "S01", "The boat is teal.")
    assert read(notes, "S02", "The boat is teal.", file="boats.md") == [("keep", "The boat is teal.")]


def test_the_same_line_twice_is_two_notes() -> None:
    notes = Notes()
    read(notes, "S01", "again", "again")
    assert len({item.memory_id for item in notes.items}) == 2


def test_notes_go_on_in_another_process_with_the_same_ids() -> None:
    first = Notes()
    read(first, "S01", "The boat is teal.")
    second = Notes(first.items, first.next)
    assert read(second, "S02", "The boat is teal.", "Ana has a dog.") == [("add", "Ana has a dog.")]
    assert [item.memory_id for item in second.items] == ["N00001", "N00002"]


LINES = st.lists(st.sampled_from(["one two three", "one two four", "five six seven", "eight", "nine ten"]), max_size=8)


@given(st.lists(LINES, min_size=1, max_size=4))
def test_the_changes_of_a_session_lead_from_one_snapshot_to_the_next(sessions: list[list[str]]) -> None:
    notes = Notes()
    known: dict[str, str] = {}
    for number, lines in enumerate(sessions):
        read(notes, f"S{number}", *lines)
        for change in notes.changes(f"S{number}"):
            assert (change.op == "add") == (change.memory_id not in known)
            if change.op == "delete":
                del known[change.memory_id]
            else:
                known[change.memory_id] = change.text
        assert known == {item.memory_id: item.text for item in notes.items}
        assert [item.text for item in notes.items] == lines
