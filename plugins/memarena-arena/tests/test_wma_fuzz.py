"""Whatever a file holds, the result is samples and findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memarena_arena.faults import Faults
from memarena_arena.pictures import Pictures
from memarena_arena.wma_build import SampleBuilder
from memarena_arena.wma_raw import DECODER
from memarena_arena.wma_repair import repaired

if TYPE_CHECKING:
    from wma_folder import Folder

SHARED_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

KEYS = st.sampled_from(
    [
        *("sample_id", "sessions", "_v2_session_id", "session_id", "dialogue", "role", "content", "timestamp"),
        *("attachments", "image_id", "file_path", "caption", "memory_points", "memory_id", "memory_content"),
        *("is_update", "original_memories", "importance", "qa_checkpoints", "checkpoint_id", "covered_sessions"),
        *("questions", "question", "answer", "evidence", "question_type_abbrev"),
    ]
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None), max_size=12)
    | st.sampled_from(["S00", "S01", "mp_S01_1", "S01_img_1", "interference", "True", "..", "../x.png", "\ud800"])
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def places(tree: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The place of every value in `tree`, except the whole."""
    found = [path] if path else []
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        found += places(value, (*path, key))
    return found


def check(folder: Folder) -> None:
    """The rule: samples and findings, each with a file and a level, and no sample that was refused."""
    samples, report = folder.load()
    assert sum(report.counts.values()) >= len(report.findings)
    for finding in report.findings:
        assert finding.message.isprintable()
        assert finding.path.isprintable()
        assert finding.file
    assert samples or report.refused or "stray_file" in report.counts
    assert not (samples and report.refused)
    for sample in samples:
        msgspec.convert(msgspec.to_builtins(sample), type(sample))
        msgspec.json.encode(sample)


@SHARED_FOLDER
@given(data=st.data())
def test_a_sample_with_other_values_anywhere_never_raises(folder: Folder, data: st.DataObject) -> None:
    raw = folder.good()
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(raw)))
        parent: Any = raw
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = data.draw(VALUES)
        if not places(raw):
            break
    folder.write(raw)
    check(folder)


@SHARED_FOLDER
@given(value=VALUES)
def test_any_json_at_all_never_raises(folder: Folder, value: Any) -> None:
    folder.write(value)
    check(folder)


@SHARED_FOLDER
@given(start=st.integers(0, 4000), length=st.integers(0, 60), patch=st.binary(max_size=20))
def test_a_sample_with_other_bytes_anywhere_never_raises(folder: Folder, start: int, length: int, patch: bytes) -> None:
    path = folder.write(folder.good())
    whole = path.read_bytes()
    path.write_bytes(whole[:start] + patch + whole[start + length :])
    check(folder)


@SHARED_FOLDER
@given(end=st.integers(0, 3000))
def test_a_sample_that_is_cut_off_is_refused(folder: Folder, end: int) -> None:
    path = folder.write(folder.good())
    whole = path.read_bytes()
    path.write_bytes(whole[: min(end, len(whole) - 1)])
    samples, report = folder.load()
    assert (samples, len(report.refused)) == ([], 1)


@given(name=st.text(max_size=30))
def test_no_path_of_a_picture_leaves_the_data_set(name: str) -> None:
    here = Path(__file__).resolve().parent
    found = Pictures(here, check=False, max_pixels=1).find(name)
    assert found.path is None or Path(found.path).resolve().is_relative_to(here)


def test_an_exact_file_and_its_repaired_tree_make_the_same_sample(folder: Folder) -> None:
    text = json.dumps(folder.good())
    made = []
    for raw, exact in ((DECODER.decode(text), True), (repaired(json.loads(text), Faults("f")), False)):
        pictures = Pictures(folder.root, check=False, max_pixels=1)
        made.append(SampleBuilder(pictures).build(raw, Faults("f"), exact=exact, regime="lifelong", domain="d"))
    assert made[0] == made[1]
