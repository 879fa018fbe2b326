"""The published JSON Schema, held against what is built, imported and broken."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena_builder.layout import as_json
from memarena_builder.schema import sample_schema, schema_text

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
