from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_graph.names import Named, key_of, meant, names_in, parts_of, relation_of, resolve

ILSE = [Named("ilse vandamme", True, "e1"), Named("ilse", False, "e1"), Named("vandamme", False, "e1")]


def resolved(*names: str, known: list[Named] | None = None) -> dict[str, str]:
    return resolve(names, known or [], (f"new{number}" for number in count(1)))[0]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The Ostend terminal", "ostend terminal"),
        ("Ilse's kiosk", "ilse kiosk"),
        ("I", "user"),
        ("the user", "user"),
        ("my dog", "dog"),
        ("A", "a"),
        ("...", ""),
        ("今天 Ｘ", "今 天 x"),
    ],
)
def test_a_name_is_compared_in_lower_case_without_articles(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize(
    ("relation", "key"),
    [("lives in", "live_in"), ("live_in", "live_in"), ("is", "is"), ("has pet", "pet"), ("Address", "address")],
)
def test_a_relation_is_compared_without_auxiliaries_and_endings(relation: str, key: str) -> None:
    assert relation_of(relation) == key


def test_only_names_in_capitals_have_parts() -> None:
    assert parts_of("Ilse Vandamme") == ["ilse", "vandamme"]
    assert parts_of("Mr Aaltonen") == ["aaltonen"]
    assert parts_of("locker code") == parts_of("Ilse") == []


def test_names_in_a_text_are_its_words_and_those_in_a_row() -> None:
    assert list(names_in(["a", "b", "a", "b"])) == ["a", "a b", "a b a", "b", "b a", "b a b"]


def test_a_known_name_means_its_entity_and_a_new_one_a_new_entity() -> None:
    assert resolved("Ilse Vandamme", "Kofi", known=ILSE) == {"ilse vandamme": "e1", "kofi": "new1"}


def test_a_short_name_means_the_only_one_who_has_it() -> None:
    assert resolved("Ilse", known=ILSE) == {"ilse": "e1"}
    assert resolved("Ilse", known=[*ILSE, Named("ilse", False, "e2")]) == {"ilse": "new1"}


def test_a_longer_name_means_the_one_who_was_called_by_one_of_its_words() -> None:
    known = [Named("ilse", True, "e1")]
    assert resolved("Ilse Vandamme", known=known) == {"ilse vandamme": "e1"}
    assert resolved("Ilse Vandamme", known=[*known, Named("ilse", False, "e2")]) == {"ilse vandamme": "new1"}


def test_two_names_of_one_round_are_resolved_against_each_other() -> None:
    assert set(resolved("Ilse Vandamme", "Ilse", "ILSE VANDAMME").values()) == {"new1"}


def test_what_a_question_names_is_found_by_whole_names_first() -> None:
    assert meant([*ILSE, Named("ilse", True, "e3")]) == ["e1", "e3"]
    assert meant([Named("ilse", False, "e1"), Named("ilse", False, "e2")]) == []


@given(st.lists(st.lists(st.sampled_from(["Ilse", "Ilse Vandamme", "Jan Vandamme", "kiosk", "the kiosk"]), max_size=4)))
def test_a_name_means_the_same_entity_ever_after(rounds: list[list[str]]) -> None:
    ids = (f"new{number}" for number in count(1))
    known: list[Named] = []
    seen: dict[str, str] = {}
    for names in rounds:
        found, added = resolve(names, known, ids)
        known += added
        for key, entity in found.items():
            assert seen.setdefault(key, entity) == entity
    # A name that was once a whole one is not made a part again.
    wholes = [(each.key, each.entity) for each in known if each.whole]
    parts = [(each.key, each.entity) for each in known if not each.whole]
    assert len(set(wholes)) == len(wholes)
    assert len(set(parts)) == len(parts)
    for key, entity in set(wholes) & set(parts):
        assert known.index(Named(key, False, entity)) < known.index(Named(key, True, entity))
