from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.replies import list_in, object_in

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=4)


@pytest.mark.parametrize(
    ("reply", "held"),
    [
        ('{"keywords": ["dog", "cat"], "context": "On pe', {"keywords": ["dog", "cat"]}),
        ('{"keywords": ["dog", "ca', {"keywords": ["dog"]}),
        ('{"keywords": ["dog",', {"keywords": ["dog"]}),
        ('{"keywords": [', {"keywords": []}),
        ('{"keywords"', {}),
        ('{"keywords":', {}),
        ("{", {}),
        ('{"a": tru', {}),
        ('{"a": 12', {}),
        ('{"a": 12, "b', {"a": 12}),
        ('{"a": [[1, 2], [3', {"a": [[1, 2], []]}),
        ('{"a": "quoted \\" brace }", "b": "', {"a": 'quoted " brace }'}),
        ('{"a": "half an escape \\', {}),
    ],
)
def test_of_an_object_that_is_cut_off_what_was_complete_is_kept(reply: str, held: dict[str, Any]) -> None:
    found = object_in(reply)
    assert found.cut
    assert json.loads(found.text) == held


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": 1}',
        'Sure!\n```json\n{"a": 1}\n```\nI hope that {this} helps.',
        '<think>{"a": 2} or {"a": 3}?</think>{"a": 1}',
        '{"a": 1}{"a": 2}',
    ],
)
def test_the_first_whole_object_is_found_among_talk(reply: str) -> None:
    found = object_in(reply)
    assert (json.loads(found.text), found.cut) == ({"a": 1}, False)


@pytest.mark.parametrize("reply", ["", "no", "[1, 2]"])
def test_a_reply_without_an_object_is_told(reply: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        object_in(reply)


@pytest.mark.parametrize("reply", ['{"a": [1}', '{"a" 1}', '{"a": 1,}', '{"a": x}'])
def test_an_object_with_another_error_stays_as_it_is(reply: str) -> None:
    found = object_in(reply)
    assert (found.text, found.cut) == (reply, False)


def test_an_object_that_is_nested_too_deeply_is_told() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        object_in('{"a":' * 100_000)


@given(OBJECTS)
def test_a_whole_object_is_found_as_it_is(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    assert object_in(text) == (text, False)


@given(OBJECTS, st.data())
def test_wherever_an_object_is_cut_off_the_rest_can_be_read(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    end = data.draw(st.integers(1, len(text) - 1))
    found = object_in(text[:end])
    held = json.loads(found.text)
    assert found.cut
    assert list(held) == list(value)[: len(held)]
    for name in list(held)[:-1]:
        assert held[name] == value[name]


def test_a_list_is_found_by_its_key_and_what_came_whole_of_it_is_kept() -> None:
    assert list_in('<think>"facts": [1]</think> Sure: {"facts": [{"a": 1}, {"a": 2}]}', "facts") == (
        [{"a": 1}, {"a": 2}],
        False,
    )
    assert list_in('{"facts": [{"a": 1}, {"a": 2', "facts") == ([{"a": 1}], True)
    assert list_in('{"facts": []}', "facts") == ([], False)


@pytest.mark.parametrize(
    "reply", ["", "{}", '{"facts": 3}', '{"facts": [', '{"facts": [{"a": ', '"facts": [' + "[" * 100_000]
)
def test_where_nothing_of_a_list_is_there_it_is_an_error(reply: str) -> None:
    with pytest.raises(ValueError):
        list_in(reply, "facts")


@given(st.lists(OBJECTS, max_size=4), st.integers(min_value=0, max_value=200))
def test_a_cut_list_gives_the_beginning_of_the_whole_one(rows: list[object], cut: int) -> None:
    text = json.dumps({"facts": rows})
    try:
        found, _ = list_in(text[:cut], "facts")
    except ValueError:
        return
    assert found == rows[: len(found)]
