"""The judge `panel`: several judges, the majority, and how far they agree."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from memarena import catalog
from memarena.errors import UsageError
from memarena.judgements import BATCH
from memarena.protocols import Judge
from memarena.records import JudgementRequest, Label, Record
from memarena.selectors import parse_adapters
from memarena_models.kappa import cohen_kappa

FEWEST = 2


class PanelOptions(Record, frozen=True, kw_only=True):
    """Settings of the judge `panel`."""

    judges: tuple[str, ...] = ("lexical", "llm")
    """Its members: [LABEL=]NAME[@DIST] each; labels tell two of one name apart."""
    options: Mapping[str, Mapping[str, Any]] = {}
    """Options of the members, by label, e.g. `{"a": {"model": "x"}}`."""


class Agreement(Record, frozen=True, kw_only=True):
    """How far two members agree, over all verdicts that both gave."""

    one: str
    other: str
    n: int
    agreed: int
    kappa: float | None
    """None where chance alone gives full agreement."""


class PanelJudge:
    """Asks each of its members and takes the verdict that more than half of those who gave one agree on.

    Without such a majority the verdict is None: invalid. Where that is for want of a member that failed, the whole
    judgement is None, so that it is asked for again. The reason of a label has every member's verdicts.
    """

    name = "panel"
    revision = 1
    Options = PanelOptions

    def __init__(self, options: PanelOptions | None = None, *, members: Mapping[str, Judge] | None = None) -> None:
        self._members = dict(members) if members is not None else _members(options or PanelOptions())
        self.needs_model = any(getattr(member, "needs_model", False) for member in self._members.values())
        self.prompt_hashes = tuple(
            one for member in self._members.values() for one in getattr(member, "prompt_hashes", ())
        )
        self.requests_at_once = min(getattr(member, "requests_at_once", BATCH) for member in self._members.values())
        self._lock = threading.Lock()
        self._pairs: dict[tuple[str, str], Counter[tuple[str, str]]] = {
            pair: Counter() for pair in combinations(self._members, 2)
        }

    def keep_failures(self, folder: Path) -> None:
        """From now on, members that can write what they could not judge to `folder`."""
        for member in self._members.values():
            keep = getattr(member, "keep_failures", None)
            if keep is not None:
                keep(folder)

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        """One label a request, in order; None: it failed. Raises ModelError where a member cannot work at all."""
        rows = {label: member.label(requests) for label, member in self._members.items()}
        return [self._merged({label: row[place] for label, row in rows.items()}) for place in range(len(requests))]

    def agreement(self) -> tuple[Agreement, ...]:
        """How far each pair of members agrees, over what this instance has judged."""
        with self._lock:
            return tuple(
                Agreement(
                    one=one,
                    other=other,
                    n=words.total(),
                    agreed=sum(number for (mine, theirs), number in words.items() if mine == theirs),
                    kappa=cohen_kappa(words.elements()),
                )
                for (one, other), words in self._pairs.items()
            )

    def _merged(self, votes: Mapping[str, Label | None]) -> Label | None:
        given = {label: vote for label, vote in votes.items() if vote is not None}
        if not given:
            return None
        self._count(given)
        verdicts = tuple(_majority(words) for words in zip(*(vote.verdicts for vote in given.values()), strict=True))
        if None in verdicts and len(given) < len(votes):
            return None
        reason = "; ".join(f"{label}: {_words(vote)}" for label, vote in votes.items())
        return Label(verdicts=verdicts, reason=reason)

    def _count(self, given: Mapping[str, Label]) -> None:
        with self._lock:
            for (one, other), counts in self._pairs.items():
                if one in given and other in given:
                    both = zip(given[one].verdicts, given[other].verdicts, strict=True)
                    counts.update((mine, theirs) for mine, theirs in both if mine is not None and theirs is not None)


def _majority(words: Sequence[str | None]) -> str | None:
    votes = Counter(word for word in words if word is not None)
    word, number = votes.most_common(1)[0] if votes else (None, 0)
    return word if 2 * number > votes.total() else None


def _words(label: Label | None) -> str:
    return "failed" if label is None else ", ".join(word or "none" for word in label.verdicts)


def _members(options: PanelOptions) -> dict[str, Judge]:
    choices = parse_adapters(options.judges)
    if len(choices) < FEWEST:
        raise UsageError('a panel has at least two judges: -o \'panel.judges=["lexical", "llm"]\'')
    strangers = sorted(set(options.options) - {choice.label for choice in choices})
    if strangers:
        raise UsageError(f"panel.options: no judge of the panel is labelled {strangers[0]!r}")
    found = {}
    for choice in choices:
        row = catalog.find("judges", choice.selector)
        if choice.name == PanelJudge.name:
            raise UsageError("panel.judges: a panel cannot sit on a panel")
        found[choice.label] = catalog.make(row.load(), options.options.get(choice.label, {}), who=str(row))
    return found
