"""Mounting an adapter, its instruments in layers, and who is to blame."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import pytest

from memarena import AdapterFailure, Capabilities, MemoryItem, Retrieval, RunContext, Turn, hookimpl
from memarena.errors import AdapterContractError, InjectedFault
from memarena.instruments.boundary import Boundary
from memarena.instruments.timing import Timing
from memarena.instruments.tokens import Tokens
from memarena.instruments.trace import KEPT, Trace
from memarena.meter import current
from memarena.rig import SEVEN, Rig


class Plain:
    """Keeps each turn."""

    def reset(self, context: Any) -> None:
        self.items: list[MemoryItem] = []

    def ingest_turn(self, turn: Turn) -> None:
        self.items.append(MemoryItem(memory_id=turn.turn_id, text=turn.text))

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Any:
        return self.items

    def export_memory_delta(self, session_id: str) -> Any:
        return None

    def retrieve(self, query: str, top_k: int) -> Any:
        return Retrieval.of(query, self.items[:top_k])

    def get_capabilities(self) -> Any:
        return Capabilities()


def turn(turn_id: str = "t") -> Turn:
    return Turn(turn_id=turn_id, session_id="S", index=0, text="hello")


def mounted(adapter: object, *instruments: object) -> Rig:
    rig = Rig("mine", adapter, instruments)
    rig.reset(RunContext(folder="/nowhere", namespace="n"))
    return rig


def test_the_seven_pass_through() -> None:
    rig = mounted(Plain(), Boundary(), Timing(), Tokens(), Trace())
    rig.ingest_turn(turn())
    rig.end_session("S")
    assert rig.snapshot_memories() == (MemoryItem(memory_id="t", text="hello"),)
    assert rig.export_memory_delta("S") is None
    assert [item.memory_id for item in rig.retrieve("hi", 1).items] == ["t"]
    assert rig.get_capabilities() == Capabilities()


def test_what_a_method_takes_is_written_down() -> None:
    assert mounted(Plain()).honours["retrieve"] == ["query", "top_k"]


@pytest.mark.parametrize("name", SEVEN)
def test_a_missing_method_is_named(name: str) -> None:
    adapter = Plain()
    adapter_type = type("Lacking", (), {key: getattr(Plain, key) for key in SEVEN if key != name})
    assert adapter.get_capabilities()
    with pytest.raises(AdapterContractError, match=rf"mine\.{name} is missing"):
        Rig("mine", adapter_type())


def _default(self: Any, query: str, top_k: int = 10) -> None: ...
def _keyword_only(self: Any, query: str, *, top_k: int) -> None: ...
def _keywords(self: Any, query: str, **more: Any) -> None: ...
def _several(self: Any, *query: str) -> None: ...
def _renamed(self: Any, query: str, limit: int) -> None: ...
async def _coroutine(self: Any, query: str) -> None: ...


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (_default, r"retrieve\(top_k=10\): give no default"),
        (_keyword_only, r"retrieve\(top_k\): name the hook's arguments plainly"),
        (_keywords, r"retrieve\(\*\*more\): name the hook's arguments plainly"),
        (_several, r"retrieve\(\*query\): name the hook's arguments plainly"),
        (_renamed, r"retrieve\(limit\): the hook offers no such argument: query, top_k, time"),
        (_coroutine, r"retrieve is a coroutine function"),
    ],
)
def test_a_dishonest_signature_is_refused_with_one_sentence(method: Any, message: str) -> None:
    adapter = type("Odd", (Plain,), {"retrieve": method})()
    with pytest.raises(AdapterContractError, match=message):
        Rig("mine", adapter)


def test_a_class_in_place_of_an_instance_is_refused() -> None:
    with pytest.raises(AdapterContractError, match="mount an instance"):
        Rig("mine", Plain)


@pytest.mark.parametrize(
    ("method", "returned", "message"),
    [
        ("retrieve", None, "retrieve returned None; return a Retrieval"),
        ("snapshot_memories", None, "snapshot_memories returned None; return a list or tuple of MemoryItem"),
        ("snapshot_memories", ["text"], "snapshot_memories returned a str in its list"),
        ("get_capabilities", {}, "get_capabilities returned a dict"),
        ("export_memory_delta", "add", "export_memory_delta returned a str"),
    ],
)
def test_a_wrong_return_is_refused(method: str, returned: object, message: str) -> None:
    adapter = type("Odd", (Plain,), {method: lambda self: returned})()
    rig = mounted(adapter)
    arguments = {"retrieve": ("q", 1), "export_memory_delta": ("S",)}.get(method, ())
    with pytest.raises(AdapterContractError, match=message):
        getattr(rig, method)(*arguments)


def test_two_items_with_one_id_are_refused() -> None:
    rig = mounted(Plain())
    rig.ingest_turn(turn())
    rig.ingest_turn(turn())
    with pytest.raises(AdapterContractError, match="two items share an id"):
        rig.snapshot_memories()


class Layer:
    """Writes down when it is entered and left."""

    def __init__(self, layer: int, log: list[str]) -> None:
        self.layer, self.log = layer, log

    @hookimpl(wrapper=True)
    def ingest_turn(self) -> Generator[None, Any, Any]:
        self.log.append(f"in {self.layer}")
        result = yield
        self.log.append(f"out {self.layer}")
        return result


def test_lower_layers_are_further_out() -> None:
    log: list[str] = []
    mounted(Plain(), Layer(30, log), Layer(10, log), Layer(20, log)).ingest_turn(turn())
    assert log == ["in 10", "in 20", "in 30", "out 30", "out 20", "out 10"]


def test_an_instrument_without_a_layer_is_refused() -> None:
    with pytest.raises(AdapterContractError, match="no integer `layer`"):
        Rig("mine", Plain(), [object()])


class Raising(Plain):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def end_session(self, session_id: str) -> None:
        raise self.error


@pytest.mark.parametrize("error", [ConnectionError("gone"), SystemExit(3), ValueError("bad\nvalue")])
def test_what_the_adapter_raises_is_its_failure(error: BaseException) -> None:
    rig = mounted(Raising(error), Boundary(), Timing())
    with pytest.raises(AdapterFailure, match=r"mine\.end_session") as caught:
        rig.end_session("S")
    assert caught.value.__cause__ is error


def test_ctrl_c_is_nobodys_failure() -> None:
    with pytest.raises(KeyboardInterrupt):
        mounted(Raising(KeyboardInterrupt()), Boundary()).end_session("S")


class Broken:
    layer = 50

    @hookimpl(wrapper=True)
    def end_session(self) -> Generator[None, Any, Any]:
        yield
        raise ZeroDivisionError


class Planted:
    layer = 90

    @hookimpl(wrapper=True)
    def end_session(self) -> Generator[None, Any, Any]:
        raise InjectedFault("mine", "end_session", "planted")
        yield


def test_a_broken_instrument_is_not_blamed_on_the_adapter() -> None:
    with pytest.raises(ZeroDivisionError):
        mounted(Plain(), Broken(), Boundary()).end_session("S")


def test_an_injected_fault_is_a_failure_of_the_adapter() -> None:
    with pytest.raises(AdapterFailure, match="planted"):
        mounted(Plain(), Planted(), Boundary()).end_session("S")


class Slow(Plain):
    def end_session(self, session_id: str) -> None:
        time.sleep(0.02)


def test_timing_measures_the_adapter_and_counts_its_calls() -> None:
    rig = mounted(Slow(), Timing(), Boundary())
    rig.end_session("S")
    rig.end_session("S")
    assert rig.ledger.calls["end_session"] == 2
    assert 0.04 <= rig.ledger.seconds("end_session") < 60


def test_trace_keeps_the_newest_calls() -> None:
    rig = mounted(Plain(), Trace())
    for number in range(KEPT + 5):
        rig.ingest_turn(turn(f"t{number}"))
    assert len(rig.ledger.recent) == KEPT
    assert rig.ledger.recent[-1] == ("ingest_turn", f"t{KEPT + 4}")


class Staged(Plain):
    def ingest_turn(self, turn: Turn) -> None:
        self.write_stage = current()

    def retrieve(self, query: str) -> Any:
        self.retrieve_stage = current()
        return Retrieval(query=query)


def test_tokens_books_each_method_to_its_stage() -> None:
    adapter = Staged()
    rig = Rig("mine", adapter, [Tokens()], cell_id="mine~s1")
    rig.ingest_turn(turn())
    rig.retrieve("q", 1)
    assert adapter.write_stage == ("mine~s1", "write")
    assert adapter.retrieve_stage == ("mine~s1", "retrieve")
    assert current() is None
