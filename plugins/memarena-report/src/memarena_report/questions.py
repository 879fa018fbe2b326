"""One question of a run, found by a part of its name, and what became of it in each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memarena.cells import CellSpec
from memarena.errors import UsageError
from memarena_report.explaining import explained, explainer_of
from memarena_report.scores import is_oracle

if TYPE_CHECKING:
    from memarena.explanations import Explanation
    from memarena.records import Checkpoint, Question
    from memarena.store import RunStore

_LISTED = 5


@dataclass(frozen=True, slots=True)
class Found:
    """A question of a sample."""

    sample_id: str
    checkpoint: Checkpoint
    question: Question
    sessions: int
    """Sessions up to the checkpoint."""
    of_sessions: int

    @property
    def name(self) -> str:
        """`SAMPLE/QUESTION`."""
        return f"{self.sample_id}/{self.question.question_id}"


@dataclass(frozen=True, slots=True)
class Untold:
    """A system that has nothing to say of a question."""

    label: str
    why: str


def find_question(store: RunStore, name: str) -> Found:
    """The question called `name`, or else the only one with `name` in its `SAMPLE/QUESTION`.

    Raises UsageError where there is none, or several.
    """
    samples = [row["sample_id"] for row in store.header["data"]["samples"]]
    named = [sample for sample in samples if name.startswith(f"{sample}/")]
    every = [one for sample in named or samples if store.has_sample(sample) for one in _questions(store, sample)]
    exact = [one for one in every if name in (one.name, one.question.question_id)]
    found = exact or [one for one in every if name in one.name]
    if not found:
        raise UsageError(f"{store.path} has no question {name!r}{_close(name, [one.name for one in every])}")
    if len(found) > 1:
        listed = ", ".join(one.name for one in found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise UsageError(
            f"{len(found)} questions of {store.path} have {name!r} in their name: {listed}{more}; say more"
        )
    return found[0]


def _questions(store: RunStore, sample_id: str) -> list[Found]:
    sample = store.sample(sample_id)
    places = {session.session_id: place for place, session in enumerate(sample.sessions, 1)}
    return [
        Found(sample_id, checkpoint, question, places.get(checkpoint.after_session or "", 0), len(places))
        for checkpoint in sample.checkpoints
        for question in checkpoint.questions
    ]


def _close(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are {len(known):,}, such as {known[0]!r}" if known else "; it has none"


def chosen_labels(store: RunStore, asked: Sequence[str]) -> list[str]:
    """The systems asked for; all but the oracles where none is. Raises UsageError for one that is not there."""
    known = {row["label"]: is_oracle(row["name"]) for row in store.header["adapters"]}
    for label in asked:
        if label not in known:
            raise UsageError(f"-a {label}: no such system here; there are {', '.join(known)}")
    return list(dict.fromkeys(asked)) or [label for label, oracle in known.items() if not oracle]


def explanations(store: RunStore, found: Found, labels: Sequence[str]) -> list[Explanation | Untold]:
    """What became of the question in each system, in its first repeat.

    Raises UsageError where no installed scorer explains this run, StoreError where it is not scored.
    """
    explainer = explainer_of(store.metrics())
    if explainer is None:
        raise UsageError(
            f"no scorer that is installed here explains {store.path}: pip install memarena-arena, "
            f"then memarena score {store.path}"
        )
    told: list[Explanation | Untold] = []
    for label in labels:
        cell = store.cell(CellSpec(label=label, sample_id=found.sample_id, repeat=0))
        if cell.status != "done":
            told.append(Untold(label, f"its cell is {cell.status}{f': {cell.error}' if cell.error else ''}"))
            continue
        of_cell = explained(explainer, store.history(cell.cell_id), store.labels(cell.cell_id))
        told.append(of_cell.get(found.question.question_id) or Untold(label, "it was not asked this question"))
    return told
