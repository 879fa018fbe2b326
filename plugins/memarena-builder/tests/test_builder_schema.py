"""The published JSON Schema, held against what is built, imported and broken."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.datasets import open_data
from memarena_arena.mini import Mini
from memarena_builder.layout import as_json
from memarena_builder.schema import sample_schema, schema_text
from memarena_builder.traces.folder import prints_of

jsonschema = pytest.importorskip("jsonschema")
PUBLISHED = Path(__file__).parents[3] / "docs" / "reference" / "sample.schema.json"


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_every_sample_that_is_built_fits(validator, built):
    for each in built:
        validator.validate(json.loads(json.dumps(as_json(each))))


def test_the_builtin_data_set_fits(validator):
    from importlib.resources import files

    found = list(Path(str(files("memarena_arena"))).joinpath("mini_data").rglob("*_0?.json"))
    assert len(found) >= 4
    for path in found:
        validator.validate(json.loads(path.read_text(encoding="utf-8")))


LOGS = {
    "chat.jsonl": [
        {"role": "user", "content": "I live in Porto. The budget is 400 euros.", "timestamp": "2026-03-01T09:00:00Z"},
        {
            "role": "user",
            "content": "Maybe the budget is 500 euros. I moved to Lyon.",
            "timestamp": "2026-03-04T09:00:00Z",
        },
    ],
    "openai.jsonl": [
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "See."}, {"type": "image_url", "image_url": "x.png"}],
                },
                {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "1", "content": "a cat"},
            ]
        }
    ],
    "steps.jsonl": [{"observation": "You are holding a red key.", "action": "open", "env_feedback": "it failed"}],
    "codex.jsonl": [
        {"type": "response_item", "payload": {"type": "message", "role": "developer", "content": "Port: 8123"}}
    ],
}


@pytest.mark.parametrize("name", LOGS)
def test_what_is_imported_annotated_and_reviewed_fits(validator, tmp_path, name):
    log, page = tmp_path / name, tmp_path / "saved.json"
    log.write_text("\n".join(map(json.dumps, LOGS[name])), encoding="utf-8")

    def run(*words):
        done = CliRunner().invoke(cli, ["data", *map(str, words)], catch_exceptions=False)
        assert done.exit_code == 0, done.output

    run("import", log, "--out", tmp_path / "set")
    run("annotate", tmp_path / "set", "--out", tmp_path / "gold")
    folders = ["set", "gold"]
    names = prints_of(tmp_path / "gold")
    if names:
        decided = {
            each: {"verdict": verdict, "text": "x"} for each, verdict in zip(names, ("edit", "reject"), strict=False)
        }
        page.write_text(json.dumps({"reviewer": "Ada", "decisions": decided}), encoding="utf-8")
        run("review", tmp_path / "gold", "--apply", page, "--out", tmp_path / "reviewed")
        folders.append("reviewed")
    found = [path for folder in folders for path in (tmp_path / folder).glob("*/*/*.json")]
    assert len(found) == len(folders)
    for path in found:
        validator.validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: raw.pop("sessions"),
        lambda raw: raw.update(extra=1),
        lambda raw: raw["sessions"][0]["dialogue"][0].update(role="nobody"),
        lambda raw: raw["sessions"][0]["memory_points"][0].update(importance=2),
        lambda raw: raw["qa_checkpoints"][0]["questions"][0].update(question_type_abbrev="XX"),
        lambda raw: raw["qa_checkpoints"][0]["questions"][0].update(answer=""),
    ],
)
def test_what_the_layout_has_not_does_not_fit(validator, built, spoil):
    raw = copy.deepcopy(as_json(built[0]))
    spoil(raw)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(raw)


def test_the_published_file_is_what_the_types_say():
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text()


def test_the_command_prints_it():
    assert CliRunner().invoke(cli, ["data", "schema"]).output == schema_text()


def test_its_parts_are_named_for_what_they_are():
    assert set(sample_schema()["$defs"]) >= {
        "Sample",
        "Session",
        "Turn",
        "Attachment",
        "Point",
        "Checkpoint",
        "Question",
    }


ODD = (
    None, True, 0, -1, 1.5, "x", "", " ", ".", "..", "x\n", "\x00", "\u2003", "é" * 300, "a b", "a,b", "/x", "../x",
    "a/../../x", "2020-13-45", [], [1], ["x"], [""], {}, {"a": 1},
)  # fmt: skip
"""What may stand in the place of anything."""


def shapes(value, path=()):
    """By where a part of a JSON value stands, list places left out: one path to such a part."""
    found = {tuple("*" if isinstance(step, int) else step for step in path): path} if path else {}
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        found |= shapes(part, (*path, key))
    return found


def accepted(root, raw):
    (root / "lifelong" / "personal" / "personal_01.json").write_text(json.dumps(raw), encoding="utf-8")
    opened = open_data(str(root))
    return len(list(opened)) == 1 and not opened.report.refused


def test_whatever_one_change_makes_of_a_sample_that_fits_can_be_run(validator, tmp_path):
    """But for ids that come twice, of which a JSON Schema can say nothing."""
    folder = Mini().open().root / "lifelong" / "personal"
    shutil.copytree(folder, tmp_path / "lifelong" / "personal")
    mini = json.loads((folder / "personal_01.json").read_text(encoding="utf-8"))
    assert accepted(tmp_path, mini)
    wrong, fits = [], 0
    for shape, path in shapes(mini).items():
        for odd in ODD:
            raw = copy.deepcopy(mini)
            parent = raw
            for step in path[:-1]:
                parent = parent[step]
            parent[path[-1]] = odd
            if validator.is_valid(raw):
                fits += 1
                wrong += [] if accepted(tmp_path, raw) else [(shape, odd)]
    assert wrong == []
    assert fits > 150
