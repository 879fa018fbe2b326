"""Where the conversations of LoCoMo lie: one list of ten, or the older layout with a file each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from memarena.errors import DataError
from memarena_arena.faults import Faults, kind_of
from memarena_arena.jsonfile import Limits, read_json

FILE_NAME = "locomo10.json"
SHA256 = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
"""Of `locomo10.json` as published; others (patched copies) are read too, and reported."""

SESSION = re.compile(r"session_(\d{1,6})")
"""Key of a session in a dialogue."""

_HEAD = 4096
_LIST_HEAD = re.compile(rb'\s*\[\s*\{\s*"(qa|conversation|sample_id|observation|event_summary|session_summary)"')
_OBJECT_HEAD = re.compile(rb'\s*\{.*"(speaker_a|speaker_b|session_\d+_date_time)"', re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """One conversation as the file has it, the same for both layouts."""

    sample_id: Any
    dialogue: Any
    """Object with `speaker_a`, `session_1`, `session_1_date_time`, ..."""
    questions: Any
    events: Any
    observations: Any
    events_path: str
    """JSON path of `events`."""
    observations_path: str
    fields: Collection[str]
    """The names of all that the object has."""
    path: str
    """JSON path of the object."""
    dialogue_path: str


@dataclass(frozen=True, kw_only=True)
class Member:
    """A conversation that can be read."""

    file: Path
    path: str
    alias: str
    """`locomo_<place in the data set, from 0>`."""
    name: str
    """The sample id as far as it is known without reading."""
    load: Callable[[Faults], Any]
    """Gives the raw object; raises DataError."""

    def read(self, faults: Faults) -> Conversation | None:
        """The conversation, or None with a finding where there is none."""
        try:
            raw = self.load(faults)
        except DataError as error:
            faults.refuse_error(error, "unreadable")
            return None
        if not isinstance(raw, dict):
            faults.refuse("not_an_object", f"a conversation is an object, not {kind_of(raw)}", self.path)
            return None
        return _older(raw, self.name, self.path) if is_older(raw) else _published(raw, self.path)


def is_older(raw: Mapping[str, Any]) -> bool:
    """Whether `raw` has the sessions at its top, as the files of the older layout do."""
    return "conversation" not in raw and any(_names_dialogue(key) for key in raw)


def members(source: Path, limits: Limits, faults: Faults) -> list[Member]:
    """The conversations in a file (a list, or one object) or in a folder, without reading more than needed.

    A folder that holds `locomo10.json` means that file; else every `*.json` in it that looks like a conversation.
    Raises DataError where there is nothing to read.
    """
    if source.is_dir():
        if (source / FILE_NAME).is_file():
            return members(source / FILE_NAME, limits, faults)
        files = [path for path in sorted(source.glob("*.json")) if looks_like(path)]
        if not files:
            raise DataError(f"neither {FILE_NAME} nor a file for each conversation is in it", file=str(source))
        return [_file_member(path, number, limits) for number, path in enumerate(files)]
    if not source.is_file():
        raise DataError("no such file or folder", file=str(source))
    raw = read_json(source, limits, faults)
    if isinstance(raw, list):
        if not raw:
            raise DataError("the list of conversations is empty", file=str(source), path="$")
        return [_list_member(source, item, number) for number, item in enumerate(raw)]
    if isinstance(raw, dict) and (is_older(raw) or "conversation" in raw):
        return [Member(file=source, path="$", alias="locomo_0", name=_stem_id(source), load=lambda _: raw)]
    raise DataError("neither a list of conversations nor a conversation", file=str(source), path="$")


def looks_like(path: Path) -> bool:
    """Whether the first bytes of `path` (a file) or of a file in it (a folder) are those of LoCoMo."""
    if path.is_dir():
        return (path / FILE_NAME).is_file() or any(map(looks_like, sorted(path.glob("*.json"))))
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return False
    return bool(_LIST_HEAD.match(head) or _OBJECT_HEAD.match(head))


def note_other_file(file: Path, faults: Faults) -> None:
    """Report a `locomo10.json` whose bytes are not the published ones."""
    if file.name == FILE_NAME and (found := sha256(file.read_bytes()).hexdigest()) != SHA256:
        faults.note("other_file", f"not the published file: its sha256 is {found}, not {SHA256}", "$")


def _older(raw: Mapping[str, Any], name: str, path: str) -> Conversation:
    return Conversation(
        sample_id=raw.get("sample_id", name),
        dialogue=raw,
        questions=raw.get("qa"),
        events=raw,
        observations=raw,
        events_path=path,
        observations_path=path,
        fields=raw.keys(),
        path=path,
        dialogue_path=path,
    )


def _published(raw: Mapping[str, Any], path: str) -> Conversation:
    return Conversation(
        sample_id=raw.get("sample_id"),
        dialogue=raw.get("conversation"),
        questions=raw.get("qa"),
        events=raw.get("event_summary"),
        observations=raw.get("observation"),
        events_path=f"{path}.event_summary",
        observations_path=f"{path}.observation",
        fields=raw.keys(),
        path=path,
        dialogue_path=f"{path}.conversation",
    )


def _list_member(source: Path, item: Any, number: int) -> Member:
    name = item.get("sample_id") if isinstance(item, dict) else None
    alias = f"locomo_{number}"
    return Member(
        file=source,
        path=f"$[{number}]",
        alias=alias,
        name=name if isinstance(name, str) else alias,
        load=lambda _: item,
    )


def _file_member(path: Path, number: int, limits: Limits) -> Member:
    return Member(
        file=path,
        path="$",
        alias=f"locomo_{number}",
        name=_stem_id(path),
        load=lambda faults: read_json(path, limits, faults),
    )


def _stem_id(path: Path) -> str:
    return f"conv-{path.stem}" if path.stem.isdecimal() else path.stem


def _names_dialogue(key: str) -> bool:
    return key == "speaker_a" or SESSION.fullmatch(key) is not None
