"""What an adapter returns is held to its types, so that nothing is written that a run folder could not give back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena import Answer, Capabilities, MemoryChange, MemoryItem, Retrieval, RetrievedItem, codec
from memarena.errors import AdapterContractError
from memarena.floors import Nothing
from memarena.records import AskedQuestion, RunContext
from memarena.rig import Rig


def rig(**methods: Callable[..., Any]) -> Rig:
    return Rig("mine", type("Mine", (Nothing,), methods)())


def showing(items: Any) -> Rig:
    return rig(snapshot_memories=lambda self: items)


def finding(found: Any) -> Rig:
    return rig(retrieve=lambda self, query: found)


def item(**fields: Any) -> MemoryItem:
    return MemoryItem(**{"memory_id": "a", "text": "x", **fields})


def ranked(**fields: Any) -> Retrieval:
    return Retrieval(query="q", items=(RetrievedItem(**{"memory_id": "a", "text": "x", **fields}),))


def circular() -> dict[str, Any]:
    found: dict[str, Any] = {}
    found["itself"] = found
    return found


class Unreadable:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"memory_id": 5}, "Expected `str`, got `int` - at `$.memory_id`"),
        ({"memory_id": None}, "Expected `str`, got `null` - at `$.memory_id`"),
        ({"memory_id": ["a"]}, "Expected `str`, got `array` - at `$.memory_id`"),
        ({"text": None}, "Expected `str`, got `null` - at `$.text`"),
        ({"status": "lost"}, "Invalid enum value 'lost' - at `$.status`"),
        ({"turn_ids": "S1:T1"}, "Expected `array`, got `str` - at `$.turn_ids`"),
        ({"turn_ids": (1,)}, "Expected `str`, got `int` - at `$.turn_ids[0]`"),
        ({"image_path": None}, "Expected `str`, got `null` - at `$.image_path`"),
        ({"metadata": [1]}, "Expected `object`, got `array` - at `$.metadata`"),
        ({"metadata": circular()}, "RecursionError"),
        ({"metadata": {"a": Unreadable()}}, "RuntimeError: no text"),
    ],
)
def test_an_item_that_does_not_fit_is_refused_with_its_place(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(AdapterContractError) as caught:
        showing([item(**fields)]).snapshot_memories()
    assert str(caught.value).startswith("mine.snapshot_memories returned a MemoryItem that cannot be kept: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (Retrieval(query=None), "$.query"),  # type: ignore[arg-type]
        (Retrieval(query="q", items=None), "$.items"),  # type: ignore[arg-type]
        (Retrieval(query="q", items=("a",)), "$.items[0]"),  # type: ignore[arg-type]
        (Retrieval(query="q", trace=[1]), "$.trace"),  # type: ignore[arg-type]
        (ranked(score="high"), "$.items[0].score"),
        (ranked(memory_id=5), "$.items[0].memory_id"),
        (ranked(turn_ids=[["a"]]), "$.items[0].turn_ids[0]"),
    ],
)
def test_a_retrieval_that_does_not_fit_is_refused_with_its_place(found: Retrieval, problem: str) -> None:
    with pytest.raises(AdapterContractError, match="returned a Retrieval that cannot be kept") as caught:
        finding(found).retrieve("q", 3)
    assert f"at `{problem}`" in str(caught.value)


def test_changes_capabilities_and_answers_are_held_to_their_types_too() -> None:
    change = MemoryChange(op="explode", memory_id="a")  # type: ignore[arg-type]
    with pytest.raises(AdapterContractError, match="Invalid enum value 'explode'"):
        rig(export_memory_delta=lambda self, session_id: [change]).export_memory_delta("S")
    with pytest.raises(AdapterContractError, match=r"\$\.parallel_safe"):
        rig(get_capabilities=lambda self: Capabilities(parallel_safe="no")).get_capabilities()  # type: ignore[arg-type]
    answer = Answer(question_id="q", text=None)  # type: ignore[arg-type]
    with pytest.raises(AdapterContractError, match=r"\$\.text"):
        rig(answer=lambda self, questions: [answer]).answer([AskedQuestion(question_id="q", text="?")])


class Lazy(Sequence[Any]):
    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: Any) -> Any:
        raise ConnectionError("gone")


def test_a_list_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(AdapterContractError, match="returned a Lazy that cannot be read: ConnectionError: gone"):
        showing(Lazy()).snapshot_memories()


def test_what_comes_back_is_what_a_run_folder_keeps() -> None:
    given = item(turn_ids=["S1:T1"], metadata={"n": float("nan"), "o": object, "p": ("a", "b")})
    (kept,) = showing([given]).snapshot_memories()
    assert kept.turn_ids == ("S1:T1",)
    assert kept.metadata == {"n": None, "o": str(object), "p": ["a", "b"]}
    assert codec.decode(codec.encode(kept), MemoryItem) == kept


def test_a_number_of_another_library_is_a_number() -> None:
    numpy = pytest.importorskip("numpy")
    found = finding(ranked(score=numpy.float32(0.5), metadata={"rank": numpy.int64(3)})).retrieve("q", 3)
    assert (found.items[0].score, found.items[0].metadata) == (0.5, {"rank": 3})


def test_ids_that_differ_in_broken_unicode_only_are_one_id() -> None:
    with pytest.raises(AdapterContractError, match="two items share an id"):
        showing([item(memory_id="\ud800"), item(memory_id="\ud801")]).snapshot_memories()


def test_an_item_that_stands_in_a_list_twice_is_two_items() -> None:
    same = item()
    with pytest.raises(AdapterContractError, match="two items share an id"):
        showing([same, same]).snapshot_memories()


def test_an_item_that_stays_is_the_same_object_in_the_next_snapshot() -> None:
    mounted = showing([item()])
    assert mounted.snapshot_memories()[0] is mounted.snapshot_memories()[0]


@given(
    st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda part: st.lists(part) | st.sets(st.text()))
)
def test_any_metadata_either_comes_back_equal_when_read_again_or_is_refused(value: Any) -> None:
    try:
        (kept,) = showing([item(metadata={"value": value})]).snapshot_memories()
    except AdapterContractError:
        return
    assert codec.decode(codec.encode(kept), MemoryItem) == kept


# -- methods --


async def _later() -> None:
    pass


def test_a_coroutine_that_nobody_awaits_is_refused() -> None:
    mounted = rig(end_session=lambda self, session_id: _later())
    with pytest.raises(AdapterContractError, match=r"mine\.end_session returned a coroutine, which nobody awaits"):
        mounted.end_session("S")


def _yielding(self: Any, turn: Any) -> Iterator[int]:
    yield 1


class Callee:
    def __call__(self, query: str) -> Retrieval:
        return Retrieval(query=query)


def _no_self() -> None:
    pass


class Raising:
    def __get__(self, owner: object, kind: type) -> Any:
        raise ConnectionError("gone")


@pytest.mark.parametrize(
    ("name", "method", "problem"),
    [
        ("ingest_turn", _yielding, "is a generator function, of which no line would run"),
        ("retrieve", Callee(), "is a Callee; write it as a method, with def"),
        ("end_session", functools.partialmethod(_no_self), "is a partial"),
        ("end_session", 5, "is a int; write it as a method"),
        ("end_session", _no_self, "its arguments cannot be read"),
        ("retrieve", Raising(), "cannot be read: ConnectionError: gone"),
    ],
)
def test_what_is_no_method_is_refused_at_mounting(name: str, method: Any, problem: str) -> None:
    with pytest.raises(AdapterContractError, match=rf"mine\.{name}") as caught:
        rig(**{name: method})
    assert problem in str(caught.value)


class Hostile(Nothing):
    """Raises wherever it is looked at, but for its seven methods."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __dir__(self) -> Any:
        raise RuntimeError("no names")

    @functools.lru_cache  # noqa: B019 (an author may do so)
    def get_capabilities(self) -> Capabilities:
        raise AssertionError("an unhashable adapter cannot be cached")

    @property
    def other(self) -> None:
        raise RuntimeError("no property")


class Cached(Nothing):
    @functools.lru_cache  # noqa: B019 (an author may do so)
    def get_capabilities(self) -> Capabilities:
        return Capabilities()

    @staticmethod
    def retrieve(query: str) -> Retrieval:
        return Retrieval(query=query)

    @classmethod
    def end_session(cls, session_id: str) -> None:
        cls.ended = session_id


def test_static_class_and_cached_methods_are_methods() -> None:
    mounted = Rig("mine", Cached())
    assert mounted.get_capabilities() == Capabilities()
    assert mounted.retrieve("q", 1) == Retrieval(query="q")
    mounted.end_session("S")
    assert mounted.adapter.ended == "S"  # type: ignore[attr-defined]


def test_nothing_of_an_adapter_is_looked_at_but_its_methods() -> None:
    mounted = Rig("mine", Hostile())
    mounted.reset(RunContext(folder="/nowhere", namespace="n"))
    assert mounted.snapshot_memories() == ()
