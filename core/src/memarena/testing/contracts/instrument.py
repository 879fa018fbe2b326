"""What an instrument may do to the calls that pass through it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pluggy

from memarena.errors import AdapterContractError, AdapterFailure, InjectedFault
from memarena.floors import Constant, Verbatim
from memarena.instruments.boundary import Boundary
from memarena.records import AskedQuestion, Retrieval, RunContext, Turn
from memarena.rig import Rig
from memarena.testing.checks import CheckFailed, Skipped, Stage, expect
from memarena.testing.output import captured
from memarena.testing.tiny import tiny_samples

_QUESTIONS = (AskedQuestion(question_id="Q1", text="Who has a dog?"), AskedQuestion(question_id="Q2", text="Why?"))


def mounts(stage: Stage) -> None:
    """It has an integer `layer`, and each of its hooks is one of the nine methods.

    If this fails: name the methods like the adapter's, decorate them with `@hookimpl(wrapper=True)`, take only
    arguments that the hook offers.
    """
    instrument = stage.plugin()
    hooked = [name for name in dir(type(instrument)) if hasattr(getattr(type(instrument), name), "memarena_impl")]
    expect(hooked, "none of its methods is decorated with @hookimpl")
    try:
        Rig("verbatim", Verbatim(), (instrument,))
    except (AdapterContractError, pluggy.PluginValidationError) as error:
        raise CheckFailed(str(error)) from None


def results_pass_through(stage: Stage) -> None:
    """What the adapter returns comes out as it was.

    If this fails: end each wrapper with `return (yield)`; without the `return` every result becomes None.
    """
    for adapter in (Verbatim, Constant):
        try:
            seen = _play(stage, adapter(), (_mountable(stage),))
        except InjectedFault:
            raise Skipped("it plants failures on purpose") from None
        except AdapterContractError as error:
            raise CheckFailed(str(error)) from None
        for (method, before), (_, after) in zip(_play(stage, adapter(), ()), seen, strict=True):
            expect(before == after, f"{method} gave something else with it than without it")


def failures_pass_through(stage: Stage) -> None:
    """What the adapter raises comes out as AdapterFailure, and nothing is put in its place.

    If this fails: catch nothing around the `yield`, or raise it again.
    """
    rig = Rig("broken", _Broken(), (Boundary(), _mountable(stage)))
    for method, arguments in (("ingest_turn", {"turn": _turn()}), ("retrieve", {"query": "?", "top_k": 1})):
        try:
            getattr(rig, method)(**arguments)
        except AdapterFailure:
            continue
        except Exception as error:
            raise CheckFailed(f"{method} raised {type(error).__name__} in place of AdapterFailure") from None
        raise CheckFailed(f"{method} failed inside, and the failure did not come out")


def no_stray_output(stage: Stage) -> None:
    """Nothing is written to stdout or stderr.

    If this fails: remove prints and use `logging`.
    """
    with captured(stage.folder) as output, suppress(AdapterContractError, AdapterFailure):
        _play(stage, Verbatim(), (_mountable(stage),))
    expect(not output.text, f"{len(output.text)} characters were written, beginning with {output.text[:60]!r}")


class _Broken(Verbatim):
    def ingest_turn(self, turn: Turn) -> None:
        raise ConnectionError("no server")

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        raise ConnectionError("no server")


def _mountable(stage: Stage) -> object:
    instrument: object = stage.plugin()
    try:
        Rig("verbatim", Verbatim(), (instrument,))
    except (AdapterContractError, pluggy.PluginValidationError):
        raise Skipped("it cannot be mounted: see mounts") from None
    return stage.plugin()


def _play(stage: Stage, adapter: object, instruments: Sequence[object]) -> list[tuple[str, Any]]:
    rig = Rig("known", adapter, instruments)
    rig.reset(RunContext(folder=str(stage.folder), namespace="known"))
    seen: list[tuple[str, Any]] = [("get_capabilities", rig.get_capabilities())]
    for session in tiny_samples()[0].sessions:
        for turn in session.turns:
            rig.ingest_turn(turn)
        rig.end_session(session.session_id)
        seen.append(("snapshot_memories", rig.snapshot_memories()))
        seen.append(("export_memory_delta", rig.export_memory_delta(session.session_id)))
        seen.append(("retrieve", rig.retrieve(query="Who has a dog?", top_k=3)))
    if "answer" in rig.honours:
        seen.append(("answer", rig.answer(_QUESTIONS)))
    return seen


def _turn() -> Turn:
    return tiny_samples()[0].sessions[0].turns[0]
