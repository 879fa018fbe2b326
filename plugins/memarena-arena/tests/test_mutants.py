"""Every value of a good file replaced, removed, doubled or swapped: samples and findings, one line a fault."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from json_places import leads_somewhere

from memarena.errors import DataError
from memarena.protocols import LoadReport
from memarena.records import Sample
from memarena_arena.faults import PLAIN_NAME
from memarena_arena.locomo import LoCoMo, LoCoMoOptions

if TYPE_CHECKING:
    from wma_folder import Folder

Place = tuple[str | int, ...]

WRONG = ["null", "0", "-1", "1.5", "true", '""', '"  "', '"x"', "[]", "{}", "[[]]", "[null]", '{"x": 1}']
WRONG += ["1" + "0" * 30, "9" * 5000, "1e400", "NaN", "-Infinity", '"\\ud800"', '"a\\u0000b"', '"../x"', '"a\\nb"']
"""JSON that stands in place of a value."""

MARK = "@@"

CONVERSATION: dict[str, Any] = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I moved to Oslo."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely!", "img_url": ["https://x.example"], "query": "q"},
        ],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a cat"}],
        "session_2_date_time": "2:10 am on 9 May, 2023",
    },
    "qa": [
        {"question": "Where does Ada live?", "answer": "Oslo", "evidence": ["D1:1"], "category": 4},
        {"question": "Where is Bo's dog?", "evidence": ["D2:1"], "category": 5, "adversarial_answer": "here"},
    ],
    "observation": {"session_1_observation": {"Ada": [["Ada lives in Oslo.", "D1:1"]]}},
    "event_summary": {"events_session_1": {"Ada": ["moves"], "date": "8 May, 2023"}},
}


def places(tree: Any, place: Place = ()) -> Iterator[Place]:
    """The place of every value in `tree`, of the whole first."""
    yield place
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from places(value, (*place, key))


def at(tree: Any, place: Place) -> Any:
    for step in place:
        tree = tree[step]
    return tree


def copied(tree: Any, place: Place) -> tuple[Any, Any]:
    """A copy of `tree`, and in it the value at `place`."""
    copy_of = copy.deepcopy(tree)
    return copy_of, at(copy_of, place)


def replaced(tree: Any) -> Iterator[str]:
    for *before, last in filter(None, places(tree)):
        changed, parent = copied(tree, tuple(before))
        parent[last] = MARK
        text = json.dumps(changed)
        yield from (text.replace(f'"{MARK}"', wrong) for wrong in WRONG)


def removed(tree: Any) -> Iterator[str]:
    for *before, last in filter(None, places(tree)):
        changed, parent = copied(tree, tuple(before))
        del parent[last]
        yield json.dumps(changed)


def doubled(tree: Any) -> Iterator[str]:
    for *before, last in filter(None, places(tree)):
        changed, parent = copied(tree, tuple(before))
        if isinstance(parent, list):
            parent.insert(last, copy.deepcopy(parent[last]))
            yield json.dumps(changed)
        else:
            parent[MARK] = "other"
            yield json.dumps(changed).replace(MARK, str(last))


def swapped(tree: Any) -> Iterator[str]:
    for place in places(tree):
        whole = at(tree, place)
        for one, other in combinations(whole if isinstance(whole, dict) else range(0), 2):
            changed, parent = copied(tree, place)
            parent[one], parent[other] = parent[other], parent[one]
            yield json.dumps(changed)


WAYS = [replaced, removed, doubled, swapped]


def assert_one_line_a_fault(report: LoadReport, text: str) -> None:
    lines = [(finding.file, finding.path, finding.message) for finding in report.findings]
    assert len(lines) == len(set(lines))
    for finding in report.findings:
        assert f"{finding.file}{finding.path}{finding.message}".isprintable()
        assert finding.file
        assert leads_somewhere(text, finding.path), (finding, text)
        assert len(finding.message) < 300


def assert_can_be_scored(sample: Sample, root: Path) -> None:
    sessions = [session.session_id for session in sample.sessions]
    checkpoints = [checkpoint.checkpoint_id for checkpoint in sample.checkpoints]
    assert len(set(sessions)) == len(sessions) > 0
    assert len(set(checkpoints)) == len(checkpoints)
    assert all(map(PLAIN_NAME.fullmatch, [sample.sample_id, *sessions, *checkpoints]))
    for checkpoint in sample.checkpoints:
        assert checkpoint.after_session in (None, *sessions)
        assert all(question.text.strip() and question.reference.strip() for question in checkpoint.questions)
    for session in sample.sessions:
        assert all(point.content.strip() for point in session.points)
        assert len({turn.turn_id for turn in session.turns}) == len(session.turns)
        shown = [picture.path for turn in session.turns for picture in turn.attachments if picture.path]
        assert all(Path(path).resolve().is_relative_to(root.resolve()) for path in shown)


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_sample_is_read_or_refused_with_one_line_a_fault(folder: Folder, way: Any) -> None:
    path = folder.write(folder.good())
    for text in way(folder.good()):
        path.write_text(text, encoding="utf-8")
        samples, report = folder.load()
        assert_one_line_a_fault(report, text)
        assert bool(samples) != bool(report.refused), text
        for sample in samples:
            assert_can_be_scored(sample, folder.root)


@pytest.mark.parametrize("checkpoints", ["end", "evidence"])
@pytest.mark.parametrize("way", WAYS)
def test_a_changed_conversation_is_read_or_refused_with_one_line_a_fault(
    tmp_path: Path, way: Any, checkpoints: Any
) -> None:
    path = tmp_path / "locomo.json"
    for text in way([CONVERSATION]):
        path.write_text(text, encoding="utf-8")
        try:
            opened = LoCoMo().open(str(path), LoCoMoOptions(checkpoints=checkpoints))
        except DataError as error:
            assert str(error).startswith(f"{path}: $")
            assert str(error).isprintable()
            continue
        samples = list(opened)
        assert_one_line_a_fault(opened.report, text)
        assert (len(samples) == len(opened)) != bool(opened.report.refused), text
        for sample in samples:
            assert_can_be_scored(sample, tmp_path)
