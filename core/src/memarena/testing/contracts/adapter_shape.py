"""What an adapter takes, gives and says of itself."""

from __future__ import annotations

from typing import Any

import msgspec

from memarena.errors import AdapterContractError
from memarena.records import (
    Answer,
    AskedQuestion,
    Capabilities,
    MemoryChange,
    MemoryItem,
    Retrieval,
)
from memarena.rig import Rig
from memarena.testing.checks import CheckFailed, Stage, expect
from memarena.testing.contracts.play import (
    FACT,
    capabilities,
    context,
    hear_all,
    mount,
    needs,
    picture,
    start,
)
from memarena.testing.tiny import PICTURE

_MODALITIES = {"text", "image"}


def signatures(stage: Stage) -> None:
    """The seven methods are there and take only what the hooks offer.

    If this fails: write the method with some of the hook's arguments, plainly: no default, no `*args`, no `**kwargs`,
    not `async`.
    """
    adapter = stage.plugin()
    try:
        Rig(type(adapter).__name__, adapter)
    except AdapterContractError as error:
        raise CheckFailed(str(error)) from None


def capabilities_typed(stage: Stage) -> None:
    """`get_capabilities` gives a Capabilities whose fields have the right types.

    If this fails: return `Capabilities(...)`; its modalities are among `text` and `image`, its versions are texts. It
    is called before `reset`.
    """
    can = mount(stage).get_capabilities()
    _survives_json(can, Capabilities)
    unknown = sorted(set(can.modalities) - _MODALITIES)
    expect(not unknown, f"unknown modalities: {', '.join(unknown)}")


def capabilities_constant(stage: Stage) -> None:
    """`get_capabilities` says the same before `reset`, after it, and after sessions.

    If this fails: return the same Capabilities always; what depends on an option is decided in the constructor.
    """
    rig = mount(stage)
    first = capabilities(rig)
    rig.reset(context(stage, "one"))
    expect(rig.get_capabilities() == first, "they changed with reset")
    hear_all(rig)
    expect(rig.get_capabilities() == first, "they changed with what was heard")


def records_typed(stage: Stage) -> None:
    """Items, changes and retrievals have fields of the right types and can be written as JSON.

    If this fails: the message names the record and the field; put plain values (texts, numbers, lists, dicts) into
    metadata and trace.
    """
    rig, _ = start(stage)
    hear_all(rig)
    for item in _given(rig, "snapshot_memories"):
        _survives_json(item, MemoryItem)
    for change in _given(rig, "export_memory_delta", session_id="S02") or ():
        _survives_json(change, MemoryChange)
    asked = {"query": FACT, "top_k": 10, "time": None, "attachments": (), "budget_tokens": None}
    _survives_json(_given(rig, "retrieve", **asked), Retrieval)


def _given(rig: Rig, method: str, **arguments: Any) -> Any:
    """What the adapter itself gives, before the rig makes it fit to be kept."""
    return getattr(rig.adapter, method)(**{name: arguments[name] for name in rig.honours[method]})


def k_obeyed(stage: Stage) -> None:
    """`retrieve` gives at most `top_k` items, also where that is 1 or more than the store holds.

    If this fails: cut the list, e.g. `items[:top_k]`.
    """
    rig, _ = start(stage)
    hear_all(rig)
    for top_k in (1, 2, 1000):
        found = len(rig.retrieve(query=FACT, top_k=top_k).items)
        expect(found <= top_k, f"top_k={top_k}, yet {found} items came back")


def each_item_ranked_once(stage: Stage) -> None:
    """No item comes twice in a ranking.

    If this fails: keep the first place of each memory_id and leave out the others.
    """
    rig, _ = start(stage)
    hear_all(rig)
    ids = [item.memory_id for item in rig.retrieve(query=FACT, top_k=50).items]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    expect(not twice, f"ranked more than once: {', '.join(twice)}")


def ranked_items_are_kept(stage: Stage) -> None:
    """What `retrieve` ranks is in the snapshot, under the same memory_id or backend_id.

    If this fails: give a retrieved item the id of the memory item that it shows.
    """
    rig, can = start(stage)
    needs(can.state, "its state is not visible")
    hear_all(rig)
    kept = rig.snapshot_memories()
    ids = {item.memory_id for item in kept} | {item.backend_id for item in kept if item.backend_id}
    for item in rig.retrieve(query=FACT, top_k=50).items:
        expect(item.memory_id in ids or item.backend_id in ids, f"{item.memory_id!r} was retrieved but is not kept")


def question_context_accepted(stage: Stage) -> None:
    """A question may come with a time, pictures and a token budget, or without.

    If this fails: treat `time=None`, `budget_tokens=None` and `attachments=()` as nothing given.
    """
    rig, _ = start(stage)
    hear_all(rig)
    rig.retrieve(query=FACT, top_k=5, time=None, attachments=(), budget_tokens=None)
    rig.retrieve(query=FACT, top_k=5, time="2026-02-01 10:00", attachments=(picture(PICTURE, 9),), budget_tokens=2000)
    rig.retrieve(query=FACT, top_k=5, attachments=(picture(None, 9),))


def one_answer_a_question(stage: Stage) -> None:
    """An agent that answers by itself gives one answer to each question, with the question's id.

    If this fails: return `Answer(question_id=asked.question_id, text=...)` for each; an empty text with `error` set
    means that there is none. Without a method `answer`, do not claim `Capabilities.answers`.
    """
    rig, can = start(stage)
    needs(can.answers, "it does not answer by itself (answers)")
    expect("answer" in rig.honours, "it claims to answer by itself but has no method `answer`")
    hear_all(rig)
    texts = ("What is the locker code of Zanetti?", "What is the name of the cat?", "Which colour has Marlow's boat?")
    questions = [AskedQuestion(question_id=f"Q{number}", text=text) for number, text in enumerate(texts, 1)]
    answers = rig.answer(questions)
    for answer in answers:
        _survives_json(answer, Answer)
    given = sorted(answer.question_id for answer in answers)
    expect(given == ["Q1", "Q2", "Q3"], f"asked Q1, Q2, Q3; answers came for {', '.join(given) or 'none'}")


def _survives_json(record: msgspec.Struct, kind: type[msgspec.Struct]) -> None:
    try:
        msgspec.json.decode(msgspec.json.encode(record), type=kind)
    except (TypeError, ValueError) as error:  # msgspec's own errors are ValueErrors
        raise CheckFailed(f"{kind.__name__}: {error}") from None
