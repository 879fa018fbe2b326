"""Puzzle files -> puzzles. What is wrong in a file is a DataError that names the file and the place in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from memarena.errors import DataError
from memarena_aha.puzzle.schema import Puzzle

__all__ = ["FOLDER", "SKINS", "known_ids", "load_puzzle", "path_of", "puzzle_ids", "read_puzzle"]

FOLDER = Path(__file__).parent / "data"
SKINS = 3
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_BANK_LINE = re.compile(r"(?P<label>[yni]) (?P<text>\S.*)")
_LABELS = {"y": "yes", "n": "no", "i": "irrelevant"}


@cache
def puzzle_ids() -> tuple[str, ...]:
    """The ids of all puzzles that count, in order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("P*.toml")))


@cache
def known_ids() -> tuple[str, ...]:
    """The ids of the classical stories, which only probe what an agent remembers of them."""
    return tuple(sorted(path.stem for path in (FOLDER / "known").glob("X*.toml")))


def path_of(puzzle_id: str) -> Path:
    """The file of a puzzle or a classical story of this package. Raises DataError where there is none of that id."""
    if puzzle_id in known_ids():
        return FOLDER / "known" / f"{puzzle_id}.toml"
    if puzzle_id in puzzle_ids():
        return FOLDER / f"{puzzle_id}.toml"
    raise DataError(f"there is no puzzle {puzzle_id!r}; there are {puzzle_ids()[0]} to {puzzle_ids()[-1]}")


@cache
def load_puzzle(puzzle_id: str, skin: int = 0) -> Puzzle:
    """A puzzle of this package in one of its skins (0 to 2). Raises DataError where there is none of that id."""
    return read_puzzle(path_of(puzzle_id), skin)


def read_puzzle(path: Path, skin: int = 0) -> Puzzle:
    """The puzzle of a file in its skin number `skin` (0 to 2), checked by its types only.

    Raises DataError: not TOML, a key that is missing or unknown, a value of another type, a placeholder without a word.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"cannot be read as TOML: {error}", file=path.name) from error
    skins = raw.pop("skins", None)
    if not _are_skins(skins):
        raise DataError(
            f"expected {SKINS} tables of texts with the same placeholders",
            file=path.name,
            path="$.skins",
        )
    if raw.get("id") != path.stem:
        raise DataError(f"the id must be {path.stem!r}, as the file is called", file=path.name, path="$.id")
    raw["noise"] = [{"ask": row} if isinstance(row, str) else row for row in raw.get("noise", [])]
    raw["bank"] = _bank(raw.get("bank", ""), path.name)
    raw["skin"] = skin
    try:
        return msgspec.convert(_dressed(raw, skins[skin], path.name, "$"), Puzzle)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at ")
        raise DataError(problem, file=path.name, path=where.strip("`")) from error


def _are_skins(skins: object) -> bool:
    """Whether these are three tables of texts with the same keys."""
    if not isinstance(skins, list) or len(skins) != SKINS or not all(isinstance(skin, dict) for skin in skins):
        return False
    return all(set(skin) == set(skins[0]) and all(isinstance(word, str) for word in skin.values()) for skin in skins)


def _bank(lines: object, file: str) -> list[dict[str, str]]:
    if not isinstance(lines, str):
        raise DataError("expected a text with one question a line", file=file, path="$.bank")
    questions = []
    for number, line in enumerate(filter(None, map(str.strip, lines.splitlines())), 1):
        match = _BANK_LINE.fullmatch(line)
        if not match:
            raise DataError(f"no y, n or i and a question: {line!r}", file=file, path=f"$.bank, line {number}")
        questions.append({"text": match["text"], "label": _LABELS[match["label"]]})
    return questions


def _dressed(value: Any, skin: Mapping[str, str], file: str, path: str) -> Any:
    """`value` with the words of a skin in all its texts, but not in the names of things."""
    if isinstance(value, str):
        return _PLACEHOLDER.sub(lambda match: _word(match[1], skin, file, path), value)
    if isinstance(value, Mapping):
        return {key: _dressed(item, skin, file, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_dressed(item, skin, file, f"{path}[{n}]") for n, item in enumerate(value)]
    return value


def _word(name: str, skin: Mapping[str, str], file: str, path: str) -> str:
    small = name[0].lower() + name[1:]
    if name not in skin and small not in skin:
        raise DataError(f"no skin has a word for {{{name}}}", file=file, path=path)
    word = skin.get(name) or skin[small]
    return word[0].upper() + word[1:] if name[0].isupper() else word
