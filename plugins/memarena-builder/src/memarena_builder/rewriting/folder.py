"""A data set that was built, once more in other words: turns change, all else is copied."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import msgspec

from memarena.errors import DataError, UsageError
from memarena_builder import manifest
from memarena_builder.layout import HIDDEN, put
from memarena_builder.packs.load import load
from memarena_builder.packs.overlap import content, question_side
from memarena_builder.packs.schema import Pack
from memarena_builder.probes.words import words
from memarena_builder.rewriting.model import PROMPT, Rewriter, Wish
from memarena_builder.rewriting.slots import masked
from memarena_builder.sound import Raw, log_rows, refuse_unsound, sample_json
from memarena_builder.validators.problem import numerals, plain, says
from memarena_builder.world.cast import short_name

NAME = "rewrite-report.json"
FREE = frozenset({"E1", "E2", "E8", "E9", "E10", "E11", "E12", "E14", "E15", "E16", "E18"})
"""Kinds of events that may be told in any words. The words of the others decide what holds (a correction, a notice, a
rumour, what is to be refused, what is no longer so), and no rule can tell whether other words do: they stay."""
SHORTEST = 3
"""Letters of a value that the world may have and that no model may bring in."""
FEWEST = 4
"""Words of a turn below which there is nothing to reword."""


def rewrite(source: Path, out: Path, reword: Rewriter) -> Counter[str]:
    """Write the data set in `source` to `out` in other words; counts what became of its turns.

    Raises DataError where `source` was not built or is damaged, UsageError where `out` is not empty.
    """
    found = manifest.read(source)
    if found is None:
        raise DataError("there is no data set that was built", file=str(source / manifest.NAME))
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"--out {out}: is not empty: choose another folder")
    refuse_unsound(source)
    told = {log.stem: log_rows(log) for log in sorted((source / HIDDEN).glob("*.jsonl"))}
    samples = [path for path in sorted(source.rglob("*.json")) if path.stem in told and path.parent != source]
    read = {path.relative_to(source): sample_json(path) for path in samples}
    total: Counter[str] = Counter()
    for name, raw in read.items():
        if _is_dialogue(told[name.stem][0]):
            total += _sample(raw, told[name.stem], reword)
    shutil.copytree(source, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns(manifest.NAME))
    for name, raw in read.items():
        put(out / name, msgspec.json.format(msgspec.json.encode(raw, order="sorted"), indent=1) + b"\n")
    report = {"model": reword.model, "prompt": PROMPT, "turns": dict(sorted(total.items()))}
    put(out / NAME, msgspec.json.format(msgspec.json.encode(report, order="sorted"), indent=1) + b"\n")
    manifest.write(out, found.generator, f"{found.preset} reworded by {reword.model}", found.seed, found.packs)
    return total


def _is_dialogue(row: Raw) -> bool:
    return row.get("row") == "sample" and row["order"].get("type") == "lifelong"


def _sample(raw: Raw, rows: list[Raw], reword: Rewriter) -> Counter[str]:
    """Reword the turns of a sample in place; counts what became of them."""
    order, cast = rows[0]["order"], rows[0]["cast"]
    pack = load(order["domain"], order["quota"].get("language", "en"))
    told: dict[tuple[str, int], list[Raw]] = defaultdict(list)
    unnamed: set[tuple[str, int]] = set()
    for row in (each for each in rows if each["row"] == "event"):
        unnamed |= {(row["session"], place) for place in row["turns"] if row.get("resolved_by")}
        for place in row["turns"]:
            told[row["session"], place].append(row["event"])
    events = [event for each in told.values() for event in each]
    facts = {event["fact"]["fact_id"]: event["fact"] for event in events if event.get("fact")}
    names = _names(pack, cast)
    values = {value for event in events for value in _values(event, facts)}
    values |= {field["value"] for row in rows if row["row"] == "picture" for field in row["picture"]["fields"]}
    values |= names | {each for pool in pack.pools.values() for each in pool if len(each) >= SHORTEST}
    counts: Counter[str] = Counter()
    for session in raw["sessions"]:
        turns = session["dialogue"]
        name = session["_v2_session_id"]
        found = _wishes(pack, turns, name, told, facts, names)
        wishes = {place: wish for place, wish in found if (name, place) not in unnamed}
        counts["left to the rules"] += len(turns) - len(wishes)
        made = reword(list(wishes.values()), values)
        places = list(wishes)
        for number, text in made.texts.items():
            turns[places[number]]["content"] = text
        counts["reworded"] += len(made.texts)
        counts.update(f"kept: {why}" for why in made.kept.values())
    return counts


def _names(pack: Pack, cast: Raw) -> set[str]:
    """All names of a sample, first names too."""
    full = [*(each["name"] for each in cast["entities"]), *cast["namesakes"], *pack.pools["strangers"]]
    return {*full, *(short_name(pack, name) for name in full)}


def _values(event: Raw, facts: Mapping[str, Raw]) -> Iterator[str]:
    fact = event.get("fact") or facts.get(event.get("mentions", ""), {})
    yield from (fact.get("slots") or {}).values()
    yield from (event.get("slots") or {}).values()


def _names_an_owner(turn: Raw, events: Sequence[Raw]) -> bool:
    """Whether a turn tells whose a value is that an earlier one told: its words decide which."""
    facts = [event["fact"] for event in events if event.get("fact") and not event["fact"].get("visual")]
    told = plain(turn["content"])
    return any(not says(told, plain(value)) for fact in facts for value in (fact.get("slots") or {}).values())


def _wishes(
    pack: Pack,
    turns: list[Raw],
    session: str,
    told: Mapping[tuple[str, int], Sequence[Raw]],
    facts: Mapping[str, Raw],
    names: set[str],
) -> Iterator[tuple[int, Wish]]:
    """The turns of a session that may have other words, by place."""
    for place, turn in enumerate(turns):
        events = told.get((session, place), ())
        about = [event.get("fact") or facts.get(event.get("mentions", ""), {}) for event in events]
        if any(event["kind"] not in FREE for event in events) or not all(fact.get("slots") for fact in about):
            continue
        if len(words(turn["content"])) < FEWEST or _names_an_owner(turn, events):
            continue
        asked = {text for fact in about for text in question_side(pack.attribute(fact["key"][1]))}
        kept = names | {pack.writing.write(msgspec.convert(fact["since"], type=date)) for fact in about}
        kept |= {value for event in events for value in _values(event, facts)}
        kept |= set(numerals().others(turn["content"]))
        yield place, Wish(masked(turn["content"], kept), frozenset().union(*map(content, asked)))
