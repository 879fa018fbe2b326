"""Filler conversations of ConvoMem: a question is asked among so many that have nothing to do with it.

They lie in `filler_conversations`, a file a person, shaped like a shard whose "questions" only begin a conversation:
nothing of them is asked. As in the official test cases the fillers of a sample are of the same person, drawn at random,
and its own conversations, in their order, stand at random places among them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from memarena.errors import DataError
from memarena_arena.faults import Faults, quoted
from memarena_arena.public.stream import StreamLimits, elements

FOLDER = "filler_conversations"
FILE = re.compile(r"(?:^|/)(?:filler_conversations|conversations/irrelevant)/[^/]*$")
"""What the path of a file of fillers ends with."""

Conversations = Sequence[tuple[str, Any]]
"""Conversations as the file has them, each behind its JSON path."""


class Fillers:
    """The fillers of the persons, a person at a time."""

    def __init__(self, folder: Path, size: int, seed: int, limits: StreamLimits) -> None:
        """`size`: conversations of a sample, its own among them."""
        self._folder = folder
        self._size = size
        self._seed = seed
        self._limits = limits
        self._person = ""
        self._known: list[Any] = []

    def around(self, own: Conversations, path: str, shard: Path, name: str, faults: Faults) -> Conversations:
        """`own`, which stand at `path`, among fillers of the person whose shard it is; `name` is that of the sample.

        All of `own` stay, though there are more than wanted; too few fillers are reported.
        """
        dice = Random(f"{self._seed}|{name}")
        missing = max(0, self._size - len(own))
        known = self._of(shard.name, path, faults) if missing else []
        if len(known) < missing:
            problem = f"{len(own) + len(known)} conversations, not {self._size}: the person has no more fillers"
            faults.warn("few_fillers", problem, path)
        drawn = dice.sample(known, min(missing, len(known)))
        total = len(own) + len(drawn)
        places = frozenset(dice.sample(range(total), len(own)))
        told, others = iter(own), iter(drawn)
        return [
            _flagged(*next(told), evidence=True) if place in places else _flagged(path, next(others), evidence=False)
            for place in range(total)
        ]

    def _of(self, person: str, path: str, faults: Faults) -> list[Any]:
        """All fillers of a person; entries that are none are left out and reported, once a file."""
        if person == self._person:
            return self._known
        file = self._folder / person
        self._person, self._known, odd = person, [], 0
        for item in elements(file, self._limits, key="evidence_items") if file.is_file() else ():
            given = item.value.get("conversations") if isinstance(item.value, dict) else None
            listed = given if isinstance(given, list) else [None]
            told = [each for each in listed if _can_be_told(each)]
            self._known += told
            odd += len(listed) - len(told)
        if odd:
            problem = f"{odd} entries of {quoted(file.name)} in {FOLDER} are no conversations; left out"
            faults.warn("odd_filler", problem, path)
        return self._known


def folder_beside(file: Path, given: str) -> Path:
    """The folder of fillers: `given`, or the one that lies beside a folder of `file`; raises DataError."""
    if given:
        if not Path(given).is_dir():
            raise DataError("there is no such folder (fillers)", file=given)
        return Path(given)
    for parent in file.resolve().parents:
        if (parent / FOLDER).is_dir():
            return parent / FOLDER
    problem = f"no folder {FOLDER} lies beside it, which context_size needs (fillers names one)"
    raise DataError(problem, file=str(file))


def _can_be_told(conversation: Any) -> bool:
    messages = conversation.get("messages") if isinstance(conversation, dict) else None
    if not isinstance(messages, list) or not messages:
        return False
    return all(isinstance(message, dict) and isinstance(message.get("text"), str) for message in messages)


def _flagged(path: str, conversation: Any, *, evidence: bool) -> tuple[str, Any]:
    """With a flag that says whether it is one of the question's own."""
    return path, {**conversation, "containsEvidence": evidence} if isinstance(conversation, dict) else conversation
