"""Checks puzzles: `python -m memarena_aha.puzzle.proof [P01 ...]` names each mistake with its place."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from memarena.errors import DataError
from memarena_aha.puzzle.classes import parse_form
from memarena_aha.puzzle.freehost import FreeHost, claims_of
from memarena_aha.puzzle.graph import Graph
from memarena_aha.puzzle.judge import judge
from memarena_aha.puzzle.loader import SKINS, known_ids, path_of, puzzle_ids, read_puzzle
from memarena_aha.puzzle.schema import Label, Puzzle, Words
from memarena_aha.puzzle.words import Pattern, Token, compile_words, find, forms, tokenize

__all__ = ["AGREEMENT", "BANK", "agreement", "check_puzzle", "main", "mistakes"]

BANK = 60
"""Questions of a bank."""
AGREEMENT = 0.95
"""Share of a bank that the free host must answer as people do."""
_IN_SURFACE = 0.34
"""The share of a key fact's groups of words that may not be reached by the surface."""
_LETTERS: dict[str, Label] = {"y": "yes", "n": "no", "i": "irrelevant"}


def check_puzzle(path: Path) -> list[str]:
    """All that is wrong with the puzzle of a file, in words; nothing where it may be played."""
    try:
        return [problem for skin in range(SKINS) for problem in _problems(read_puzzle(path, skin))]
    except DataError as error:
        return [str(error)]


def mistakes(host: FreeHost) -> list[tuple[str, str, str]]:
    """The questions of the bank that the host answers otherwise than people: text, their label, the host's."""
    bank = host.graph.puzzle.bank
    said = [(question, host.ask(question.text).label) for question in bank]
    return [(question.text, question.label, label) for question, label in said if label != question.label]


def agreement(host: FreeHost) -> float:
    """The share of the bank that the host answers as people do."""
    return 1 - len(mistakes(host)) / len(host.graph.puzzle.bank)


def _problems(puzzle: Puzzle) -> Iterator[str]:
    where = f"{puzzle.id}.toml, skin {puzzle.skin}"
    unread = [*_unread(puzzle)]
    if unread:
        yield from (f"{where}: {problem}" for problem in unread)
        return
    try:
        graph = Graph(puzzle)
        claims_of(graph)
    except ValueError as error:
        yield f"{where}: {error}"
        return
    host = FreeHost(graph)
    for problem in (
        *_numbers(puzzle),
        *_key(puzzle, graph),
        *_trace(puzzle, host),
        *_told(puzzle, host),
        *_bank(puzzle, host),
    ):
        yield f"{where}: {problem}"


def _unread(puzzle: Puzzle) -> Iterator[str]:
    """Structured questions and words that cannot be read, all of them."""
    rows: list[tuple[str, Sequence[str], Sequence[Words]]] = [
        (f"key {fact.id}", (*fact.yes, *fact.no), (fact.say, fact.deny, fact.asks, fact.unless, fact.about))
        for fact in puzzle.key
    ]
    for name, facts in (("support", puzzle.support), ("distractor", puzzle.distractors), ("noise", puzzle.noise)):
        rows += [(f"{name} {number}", (row.ask,), (row.say, row.unless)) for number, row in enumerate(facts, 1)]
    for where, forms_told, words_told in rows:
        texts = [text for words in words_told for text in ((words,) if isinstance(words, str) else words)]
        for read, told in ((parse_form, forms_told), (compile_words, texts)):
            for text in filter(None, told):
                try:
                    read(text, puzzle.entities)
                except ValueError as error:
                    yield f"{where}: {error}"


def _numbers(puzzle: Puzzle) -> Iterator[str]:
    total = round(sum(fact.weight for fact in puzzle.key), 6)
    if total != 1:
        yield f"key: the weights add up to {total}, not 1"
    for name, there, low, high in (
        ("key", len(puzzle.key), 3, 6),
        ("distractors", len(puzzle.distractors), 6, 99),
        ("noise", len(puzzle.noise), 10, 99),
        ("trace", len(puzzle.trace), 4, 8),
        ("entities", len(puzzle.entities), 2, 10),
        ("words of the surface", len(puzzle.surface.split()), 10, 60),
        ("bank", len(puzzle.bank), *((0, 0) if puzzle.id in known_ids() else (BANK, BANK))),
    ):
        if not low <= there <= high:
            yield f"{name}: {there}, expected {low} to {high}"
    for label, least in (("yes", 15), ("no", 15), ("irrelevant", 10)):
        there = sum(question.label == label for question in puzzle.bank)
        if puzzle.bank and there < least:
            yield f"bank: {there} questions are answered {label}, expected {least} or more"
    for name in {*puzzle.counts, *(short.ask.split()[-1] for short in puzzle.short)} - set(puzzle.entities):
        yield f"counts or short: there is no entity {name!r}"
    for short in puzzle.short:
        if short.ask.split()[0] not in ("who", "what", "where", "how_many"):
            yield f"short: {short.ask!r} begins with none of who, what, where, how_many"


def _key(puzzle: Puzzle, graph: Graph) -> Iterator[str]:
    surface = [forms(word) for word in tokenize(puzzle.surface)]
    slots: dict[tuple[str, str], str] = {}
    for fact in puzzle.key:
        if not 0.10 <= fact.weight <= 0.35:
            yield f"key {fact.id}: a weight of {fact.weight}, expected 0.10 to 0.35"
        if len({text.split()[0] for text in (*fact.yes, *fact.no)}) < 2:
            yield f"key {fact.id}: only one template reaches it; add a form of another template to `yes` or `no`"
        if not fact.say and not fact.deny:
            yield f"key {fact.id}: it has no words (`say` or `deny`)"
        form = parse_form(fact.yes[0], puzzle.entities)
        if not form.value:
            yield f"key {fact.id}: the first of `yes` fills the slot, so it needs a value"
        slot = (form.template, form.subject)
        if slot in slots:
            yield f"key {fact.id}: its slot {' '.join(slot)!r} is the slot of {slots[slot]}"
        slots[slot] = fact.id
        for words in (fact.say,) if isinstance(fact.say, str) else fact.say:
            if words and _reached(compile_words(words, puzzle.entities), surface) > _IN_SURFACE:
                yield f"key {fact.id}: the surface has too much of {words!r}"
    if not 1 <= len(puzzle.checks) <= 4:
        yield f"key: {len(puzzle.checks)} mechanisms (`check`), expected 1 to 4"
    for number, row in enumerate(puzzle.distractors, 1):
        if not row.text or not (row.say or row.ask):
            yield f"distractor {number}: it needs `text`, and `say` or `ask`"


def _reached(pattern: Pattern, surface: list[Token]) -> float:
    """The share of the groups that are found in the surface; names of entities do not count."""
    core = [group for group, named in zip(pattern.groups, pattern.named, strict=True) if not named]
    found = [group for group in core if find(Pattern((group,), (False,)), surface)]
    return len(found) / len(core) if core else 0.0


def _trace(puzzle: Puzzle, host: FreeHost) -> Iterator[str]:
    confirmed: set[str] = set()
    for number, asked in enumerate(puzzle.trace, 1):
        try:
            form = parse_form(asked.ask, puzzle.entities)
        except ValueError as error:
            yield f"trace {number}: {error}"
            continue
        answer = host.graph.ask(*form)
        confirmed.update(answer.hits)
        if answer.label != _LETTERS[asked.a]:
            yield f"trace {number}: {asked.ask!r} is answered {answer.label}, not {_LETTERS[asked.a]}"
        free = host.ask(asked.text).label
        if free != _LETTERS[asked.a]:
            yield f"trace {number}: {asked.text!r} is answered {free}, not {_LETTERS[asked.a]}"
    missed = [fact.id for fact in puzzle.key if fact.id not in confirmed]
    if missed:
        yield f"trace: it confirms nothing of {', '.join(missed)}"


def _told(puzzle: Puzzle, host: FreeHost) -> Iterator[str]:
    """The puzzle's own sentences must be judged as what they are."""
    whole = judge(host, puzzle.solution)
    missed = ", ".join(fact.id for fact in puzzle.key if fact.id not in whole.stated)
    if whole.false or missed:
        yield f"solution: it misses {missed or 'no key fact'}, and claims falsely {_named(whole.false)}"
    for fact in puzzle.key:
        one = judge(host, fact.text)
        if fact.id not in one.stated or one.false:
            yield f"key {fact.id}: its text states {_named(one.stated)}, falsely {_named(one.false)}"
    for number, row in enumerate(puzzle.distractors, 1):
        one = judge(host, row.text)
        if one.stated or f"distractor {number}" not in one.false:
            yield f"distractor {number}: its text states {_named(one.stated)}, falsely {_named(one.false)}"
    if judge(host, puzzle.surface).correctness:
        yield "surface: told as a solution it earns something"


def _named(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _bank(puzzle: Puzzle, host: FreeHost) -> Iterator[str]:
    if len({question.text for question in puzzle.bank}) < len(puzzle.bank):
        yield "bank: a question stands there twice"
    if puzzle.bank and agreement(host) < AGREEMENT:
        for text, label, said in mistakes(host):
            yield f"bank: {text!r} is answered {said}, not {label}"


def main(ids: Sequence[str]) -> int:
    """Check the puzzles named, or all; 1 where something is wrong. Those named also show each odd answer."""
    wrong = 0
    all_ids = (*puzzle_ids(), *known_ids())
    for name in ids or all_ids:
        path = path_of(name)
        problems = check_puzzle(path)
        wrong += len(problems)
        if ids and not problems and name not in known_ids():
            hosts = [FreeHost(Graph(read_puzzle(path, skin))) for skin in range(SKINS)]
            rows = sorted({row for host in hosts for row in mistakes(host)})
            odd = [f"{name}: {text!r} is answered {said}, not {label}" for text, label, said in rows]
            problems = [*odd, f"{name}: agreement {', '.join(f'{agreement(host):.0%}' for host in hosts)}"]
        sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    sys.stdout.write(f"{len(ids or all_ids)} puzzles, {wrong} mistakes\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
