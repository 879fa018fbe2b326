"""Where settings come from, and which one counts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from memarena.cli.config import config
from memarena.config import Settings, masked, nearest, settings, unknown_variables
from memarena.errors import UsageError
from memarena.run_settings import SETTINGS
from memarena.selectors import AdapterChoice


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("MEMARENA_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def write(text: str) -> Path:
    file = Path.cwd() / "memarena.toml"
    file.write_text(text, encoding="utf-8")
    return file


def message(text: str) -> str:
    write(text)
    with pytest.raises(UsageError) as caught:
        settings({})
    return str(caught.value)


def test_without_anything_the_defaults_hold() -> None:
    found = settings({})
    assert (found["top_k"], found["answerer"], found["captions"]) == (10, "extractive", "given")
    assert set(found.origin.values()) == {"default"}


def test_a_flag_comes_before_the_environment_which_comes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("[run]\ntop_k = 1\nseed = 1\nlimit = 1\n")
    monkeypatch.setenv("MEMARENA_TOP_K", "2")
    monkeypatch.setenv("MEMARENA_SEED", "2")
    found = settings({"top_k": 3, "limit": None, "sample": ()})
    assert (found["top_k"], found["seed"], found["limit"]) == (3, 2, 1)
    assert found.origin["top_k"] == "--top-k"
    assert found.origin["seed"] == "MEMARENA_SEED"
    assert found.origin["limit"] == str(file)


def test_the_nearest_file_upwards_is_read(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    outer, inner = tmp_path / "memarena.toml", tmp_path / "a" / "memarena.toml"
    outer.touch()
    assert nearest(tmp_path / "a" / "b") == outer
    inner.touch()
    assert nearest(tmp_path / "a" / "b") == inner


def test_an_unknown_key_is_refused_with_file_key_and_the_closest_one() -> None:
    found = message("[run]\ntopk = 5\n")
    assert found.endswith("memarena.toml: run.topk: no such setting; did you mean 'top_k'?")


def test_an_unknown_table_is_refused() -> None:
    assert message("[adapter.x]\n").endswith("no table [adapter]; did you mean 'adapters'?")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("top_k = 'ten'", "run.top_k: expected a whole number of at least 1, not 'ten'"),
        ("top_k = 0", "run.top_k: expected a whole number of at least 1, not 0"),
        ("top_k = true", "run.top_k: expected a whole number of at least 1, not True"),
        ("seed = 1.5", "run.seed: expected a whole number of at least 0, not 1.5"),
        ("pictures = 'yes'", "run.pictures: expected true or false, not 'yes'"),
        ("captions = 'some'", "run.captions: expected one of none, given, full, not 'some'"),
        ("sample = 'one'", "run.sample: expected a list of texts, not 'one'"),
        ("sample = [1]", "run.sample: expected a list of texts, not [1]"),
        ("judge = ''", "run.judge: expected a text, not ''"),
    ],
)
def test_a_wrong_type_is_refused_with_file_and_key(line: str, problem: str) -> None:
    assert message(f"[run]\n{line}\n").endswith(f"memarena.toml: {problem}")


def test_a_file_that_is_no_toml_is_refused_with_the_line() -> None:
    found = message("[run\n")
    assert "memarena.toml: " in found
    assert "line 1" in found


def test_a_file_that_is_no_utf8_is_refused() -> None:
    Path("memarena.toml").write_bytes(b"[run]\ndata = '\xff'\n")
    with pytest.raises(UsageError, match=r"memarena.toml: .*utf-8"):
        settings({})


@pytest.mark.parametrize(("text", "value"), [("on", True), ("OFF", False), ("1", True), ("no", False)])
def test_a_switch_in_the_environment_is_on_or_off(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("MEMARENA_PICTURES", text)
    assert settings({})["pictures"] is value


@pytest.mark.parametrize(("name", "text"), [("MEMARENA_PICTURES", "maybe"), ("MEMARENA_TOP_K", "ten")])
def test_a_variable_that_cannot_be_read_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(UsageError, match=f"^{name}={text}: expected "):
        settings({})


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMARENA_TOP_K", "")
    assert settings({}).origin["top_k"] == "default"


def test_lists_in_the_environment_have_commas_and_options_have_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMARENA_ADAPTERS", "bm25, mine=nothing")
    monkeypatch.setenv("MEMARENA_OPTIONS", 'bm25.a=[1, 2]\nbm25.b="x"\n')
    found = settings({})
    assert found["adapters"] == ("bm25", "mine=nothing")
    assert found.options(["bm25", "mine"]) == {"bm25": {"a": [1, 2], "b": "x"}}


def test_paths_in_the_file_count_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("[run]\ndata = 'locomo:data/x.json'\nout = 'runs/a'\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x.json").touch()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    found = settings({})
    assert found["data"] == f"locomo:{tmp_path / 'data' / 'x.json'}"
    assert found["out"] == str(tmp_path / "runs" / "a")


def test_a_name_of_a_data_set_is_no_path() -> None:
    write("[run]\ndata = 'mini'\n")
    assert settings({})["data"] == "mini"


DECLARED = """
[adapters.short]
name = "longcontext@memarena-longcontext"
options = { window = 2000, truncate = "middle" }

[adapters.nothing]
"""


def test_declared_adapters_run_where_none_is_picked() -> None:
    write(DECLARED)
    found = settings({})
    assert found.adapters() == (
        AdapterChoice("short", "longcontext", "memarena-longcontext"),
        AdapterChoice("nothing", "nothing", ""),
    )
    assert found.options(["short", "nothing"])["short"] == {"window": 2000, "truncate": "middle"}


def test_a_declared_adapter_is_picked_by_its_label_and_may_get_another() -> None:
    write(DECLARED)
    found = settings({"adapters": ("again=short", "bm25"), "options": ("again.window=9",)})
    assert found.adapters() == (
        AdapterChoice("again", "longcontext", "memarena-longcontext"),
        AdapterChoice("bm25", "bm25", ""),
    )
    assert found.options(["again", "bm25"]) == {"again": {"window": 9, "truncate": "middle"}}


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("[adapters.x]\nnme = 'y'\n", "adapters.x.nme: no such key; did you mean 'name'?"),
        ("[adapters.x]\nname = 5\n", "adapters.x.name: expected NAME or NAME@DISTRIBUTION, not 5"),
        ("[adapters.x]\noptions = 5\n", "adapters.x.options: expected a table, not 5"),
        ("[adapters]\nx = 5\n", "adapters.x: expected a table, not 5"),
        ("run = 5\n", "run: expected a table, not 5"),
    ],
)
def test_a_wrong_adapter_table_is_refused_with_file_and_key(table: str, problem: str) -> None:
    assert message(table).endswith(f"memarena.toml: {problem}")


def test_a_declared_label_that_is_no_plain_name_is_refused() -> None:
    assert "a label has letters" in message("[adapters.'a b']\n")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"api_key": "sk-1"}, {"api_key": "***"}),
        ({"deep": [{"access_token": "t"}]}, {"deep": [{"access_token": "***"}]}),
        ({"PASSWORD": 1234}, {"PASSWORD": "***"}),
        ({"max_tokens": 100, "tokens": "abc"}, {"max_tokens": 100, "tokens": "***"}),
        ({"api_key": None}, {"api_key": None}),
        (("mem0.api_key=sk-1", "mem0.k=5"), ["mem0.api_key=***", "mem0.k=5"]),
        (('mem0.client={"secret": "s"}',), ["mem0.client={'secret': '***'}"]),
        ("monkey=bm25", "monkey=bm25"),
    ],
)
def test_secrets_are_masked_and_nothing_else(value: object, shown: object) -> None:
    assert masked(value) == shown


def test_a_variable_that_is_no_setting_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMARENA_TOPK", "5")
    monkeypatch.setenv("MEMARENA_DISABLE", "x")
    assert unknown_variables() == ["MEMARENA_TOPK"]


def test_config_prints_each_setting_with_its_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMARENA_TOP_K", "7")
    result = CliRunner().invoke(config, [])
    assert len(result.stdout.splitlines()) == len(SETTINGS)
    assert ["top_k", "7", "MEMARENA_TOP_K"] in [line.split() for line in result.stdout.splitlines()]


def test_config_prints_no_secret() -> None:
    write("[adapters.mem0]\noptions = { api_key = 'sk-test' }\n[run]\noptions = ['mem0.token=sk-test']\n")
    for flags in ([], ["--json"]):
        result = CliRunner().invoke(config, flags)
        assert result.exit_code == 0
        assert "sk-test" not in result.stdout
        assert "***" in result.stdout


def test_config_as_json_is_one_object() -> None:
    found = json.loads(CliRunner().invoke(config, ["--json"]).stdout)
    assert found["settings"]["top_k"] == {
        "value": 10,
        "origin": "default",
        "flag": "--top-k",
        "variable": "MEMARENA_TOP_K",
        "about": "items that are asked for at each question",
    }


def test_every_default_is_accepted_by_its_own_kind() -> None:
    found = Settings(None, {})
    for setting in SETTINGS:
        if found[setting.name] is not None:
            assert setting.kind.accepts(found[setting.name]), setting.name


def test_a_preset_fills_what_nobody_set(tmp_path: Path) -> None:
    found = settings({"preset": "paper-table2", "top_k": 3}, folder=tmp_path)
    assert (found["top_k"], found["judge"]) == (3, "llm")
    assert found.origin["judge"] == "preset paper-table2"
    assert "judge=gpt-5.4-mini" in found["models"]


def test_a_model_of_ones_own_stands_before_the_presets_but_keeps_its_embeddings(tmp_path: Path) -> None:
    assert settings({"preset": "paper-table2", "models": ("judge=mine",)}, folder=tmp_path)["models"] == (
        "inner=gpt-5.4-nano",
        "answer=gpt-5.4-nano",
        "embed=text-embedding-3-small",
        "judge=mine",
    )
    for_all = settings({"preset": "paper-table2", "models": ("mine",)}, folder=tmp_path)
    assert for_all["models"] == ("embed=text-embedding-3-small", "mine")
    offline = settings({"preset": "paper-table2", "models": ("offline",)}, folder=tmp_path)
    assert offline["models"] == ("offline",)
