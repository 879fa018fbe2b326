"""A data set in the layout of WorldMemArena, in the making."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memarena.protocols import LoadReport
from memarena.records import Sample
from memarena_arena.worldmemarena import FolderOptions, WorldMemArena


def png(width: int = 2, height: int = 2) -> bytes:
    """A PNG header with this size, and one black row."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 3 * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Folder:
    """A data set in the making: `good` is a sample without a fault, `load` reads what was written."""

    def __init__(self, root: Path) -> None:
        self.root = root

    png = staticmethod(png)

    def good(self, name: str = "personal_01") -> dict[str, Any]:
        """A new copy of a sample with two sessions, a picture, three points and three questions."""
        sample: dict[str, Any] = json.loads(_GOOD.replace("NAME", name))
        return sample

    def write(self, sample: Any, place: str = "lifelong/personal", name: str = "personal_01") -> Path:
        """Write `sample` as `place/name.json`, with its picture."""
        picture = self.root / place / "images" / name / "S01_img_1.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(png())
        return self.write_bytes(json.dumps(sample).encode(), f"{place}/{name}.json")

    def write_bytes(self, data: bytes, name: str = "lifelong/personal/personal_01.json") -> Path:
        """Write `data` as the file `name`."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def load(self, **options: Any) -> tuple[list[Sample], LoadReport]:
        """All samples and what was odd."""
        opened = WorldMemArena().open(str(self.root), FolderOptions(**options))
        return list(opened), opened.report

    def one(self, sample: Any, **options: Any) -> Sample:
        """`sample`, written and read."""
        self.write(sample)
        (read,), _ = self.load(**options)
        return read

    def findings(self, **options: Any) -> dict[str, str]:
        """Code -> JSON path of all that was odd, which is to have one finding a code."""
        _, report = self.load(**options)
        found: Mapping[str, str] = {finding.code: finding.path for finding in report.findings}
        assert len(found) == len(report.findings)
        return dict(found)


_GOOD = """
{
  "sample_id": "NAME",
  "sessions": [
    {"_v2_session_id": "S00",
     "dialogue": [
       {"role": "user", "content": "I am Aiko, I live in Boston.", "timestamp": "Jan 02, 2025, 09:00:00"},
       {"role": "assistant", "content": "Welcome.", "timestamp": "Jan 02, 2025, 09:00:00"}],
     "memory_points": [
       {"memory_id": "mp_S00_1", "_session_id": "S00", "memory_content": "Aiko lives in Boston.",
        "memory_type": "Persona Memory", "memory_source": "system", "is_update": "False", "original_memories": [],
        "importance": 1.0, "timestamp": "Jan 02, 2025, 09:00:00"}]},
    {"_v2_session_id": "S01",
     "dialogue": [
       {"role": "user", "content": "I moved to Leeds, see my new door.", "timestamp": "Jan 09, 2025, 10:00:00",
        "attachments": [
          {"type": "image_caption", "caption": "A green door", "image_id": "S01_img_1",
           "file_path": "images/NAME/S01_img_1.png"}]},
       {"role": "assistant", "content": "A fine door."}]}
  ],
  "memory_points": [
    {"session_id": "S01",
     "memory_points": [
       {"memory_id": "mp_S01_1", "_session_id": "S01", "memory_content": "Aiko lives in Leeds.",
        "memory_type": "Persona Memory", "memory_source": "primary", "is_update": "True",
        "original_memories": ["Aiko lives in Boston."], "importance": 0.9, "timestamp": "Jan 09, 2025, 10:00:00",
        "update_type": "Revise"},
       {"memory_id": "mp_S01_2", "_session_id": "S01", "memory_content": "Aiko lives in Turin.",
        "memory_type": "Persona Memory", "memory_source": "interference", "is_update": "False",
        "original_memories": [], "importance": 0.2, "timestamp": null}]}
  ],
  "qa_checkpoints": [
    {"checkpoint_id": "QA00", "covered_sessions": ["S01", "S00"],
     "questions": [
       {"question": "Where does Aiko live?", "answer": "Leeds", "evidence": [{"memory_id": "mp_S01_1"}],
        "question_type": "dynamic_update", "question_type_abbrev": "DU", "difficulty": "easy"},
       {"question": "What is the dog called?", "answer": "Not mentioned in memory.", "evidence": [],
        "question_type": "memory_boundary", "question_type_abbrev": "MB", "difficulty": "easy"},
       {"question": "Which picture shows the door?", "answer": "S01_img_1", "evidence": [{"image_id": "S01_img_1"}],
        "question_type": "visual_search", "question_type_abbrev": "VS", "difficulty": "hard"}]}
  ]
}
"""
