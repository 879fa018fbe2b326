"""The commands that look at the installation: list-adapters, list-plugins, describe, check, doctor."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fake_installs import install, memarena


def test_list_adapters_as_json_is_a_list_of_rows(tmp_path: Path) -> None:
    install(tmp_path, "memarena-window", "window = window:Window")
    rows = json.loads(memarena("list-adapters", "--json", PYTHONPATH=str(tmp_path)).stdout)
    assert {
        "name": "window",
        "distribution": "memarena-window",
        "version": "0.1",
        "summary": "A system.",
        "target": "window:Window",
    } in rows


def test_list_adapters_says_how_to_pick_one_of_two(tmp_path: Path) -> None:
    install(tmp_path, "memarena-a", "same = a:A")
    install(tmp_path, "memarena-b", "same = b:B")
    done = memarena("list-adapters", PYTHONPATH=str(tmp_path))
    assert [line.split()[:2] for line in done.stdout.splitlines() if line.startswith("same ")] == [
        ["same", "memarena-a"],
        ["same", "memarena-b"],
    ]
    assert done.stderr == "'same' is claimed 2 times: say same@memarena-a or same@memarena-b\n"


BAD = {
    "hangs": ("import time; time.sleep(600)", "timeout", "not loaded after 10 s"),
    "raises": ("raise RuntimeError('no libfoo')", "broken", "RuntimeError: no libfoo"),
    "crashes": ("import os; os.abort()", "broken", "the interpreter ended while it was loaded (signal SIGABRT)"),
    "leaves": ("import os; os._exit(0)", "broken", "the interpreter ended while it was loaded (exit code 0)"),
    "lacks": ("class Memory: pass", "contract", "lacks.reset is missing"),
    "fails": ("class Memory:\n    def __init__(self): 1 / 0", "broken", "its constructor raised ZeroDivisionError"),
    "prints": ("print('{'); from memarena.floors import Nothing as Memory", "ok", ""),
}


def test_check_tries_each_adapter_in_a_process_of_its_own(tmp_path: Path) -> None:
    for name, (source, _, _) in BAD.items():
        install(tmp_path, f"memarena-{name}", f"{name} = bad_{name}:Memory")
        (tmp_path / f"bad_{name}.py").write_text(source, encoding="utf-8")
    done = memarena("list-adapters", "--check", "--json", "--timeout", "10", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    for name, (_, state, problem) in BAD.items():
        assert rows[name]["state"] == state, rows[name]
        assert problem in rows[name]["problem"]
        assert state == "ok" or f"memarena-{name} 0.1" in rows[name]["problem"]
    assert rows["verbatim"]["state"] == "ok"


def test_list_plugins_shows_one_group(tmp_path: Path) -> None:
    rows = json.loads(memarena("list-plugins", "instruments", "--json").stdout)
    assert {row["name"] for row in rows} >= {"timing", "tokens", "trace", "boundary"}
    assert {row["group"] for row in rows} == {"instruments"}


def test_list_plugins_refuses_an_unknown_group() -> None:
    done = memarena("list-plugins", "scorer")
    assert (done.returncode, done.stderr) == (
        2,
        "memarena: no group of plugins 'scorer'; did you mean 'scorers'?\n",
    )


TUNED = '''
import msgspec
from memarena.floors import Nothing

class Memory(Nothing):
    """Keeps what it is told to keep."""

    class Options(msgspec.Struct):
        """What can be set."""

        budget: int = 100
        """Tokens that are kept."""
        mode: str = "fast"

    def __init__(self, options):
        pass
'''


def test_describe_shows_text_options_and_capabilities(tmp_path: Path) -> None:
    install(tmp_path, "memarena-tuned", "tuned = tuned:Memory")
    (tmp_path / "tuned.py").write_text(TUNED, encoding="utf-8")
    (found,) = json.loads(memarena("describe", "tuned", "--json", PYTHONPATH=str(tmp_path)).stdout)
    assert found["about"] == "Keeps what it is told to keep."
    assert found["options"] == [
        {"name": "budget", "type": "int", "required": False, "default": 100, "about": "Tokens that are kept."},
        {"name": "mode", "type": "str", "required": False, "default": "fast", "about": ""},
    ]
    assert found["capabilities"]["delta"] is True
    shown = memarena("describe", "tuned", PYTHONPATH=str(tmp_path)).stdout
    assert "Tokens that are kept." in shown


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return None", "get_capabilities returned None; return a Capabilities"),
        ("raise SystemExit(3)", "get_capabilities: SystemExit: 3"),
        ("1 / 0", "get_capabilities: ZeroDivisionError: division by zero"),
    ],
)
def test_describe_says_why_capabilities_are_not_known(body: str, problem: str, tmp_path: Path) -> None:
    install(tmp_path, "memarena-odd", "odd = odd_memory:Memory")
    source = f"from memarena.floors import Nothing\nclass Memory(Nothing):\n    def get_capabilities(self): {body}\n"
    (tmp_path / "odd_memory.py").write_text(source, encoding="utf-8")
    shown = memarena("describe", "odd", PYTHONPATH=str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    assert f"capabilities are not known: odd.{problem}" in shown.stdout


def test_describe_refuses_options_that_are_no_struct(tmp_path: Path) -> None:
    install(tmp_path, "memarena-odd", "odd = odd_memory:Memory")
    source = "from memarena.floors import Nothing\nclass Memory(Nothing):\n    Options = {}\n"
    (tmp_path / "odd_memory.py").write_text(source, encoding="utf-8")
    shown = memarena("describe", "odd", PYTHONPATH=str(tmp_path))
    assert (shown.returncode, shown.stderr) == (
        2,
        "memarena: 'odd' from memarena-odd 0.1 (odd_memory:Memory): Options is to be a msgspec.Struct\n",
    )


def test_describe_refuses_an_unknown_name_with_the_closest_one() -> None:
    done = memarena("describe", "verbatm")
    assert (done.returncode, done.stderr) == (2, "memarena: no plugin 'verbatm'; did you mean 'verbatim'?\n")


def test_doctor_tells_clashes_broken_plugins_and_unmet_requirements(tmp_path: Path) -> None:
    install(tmp_path, "memarena-old", "old = old:Memory\nverbatim = old:Memory")
    metadata = tmp_path / "memarena_old-0.1.dist-info" / "METADATA"
    metadata.write_text(
        "Name: memarena-old\nVersion: 0.1\nRequires-Dist: memarena<1\nRequires-Dist: absent-library>=2\n"
        "Requires-Dist: never; python_version<'3'\nRequires-Dist: extra-only; extra == 'x'\n",
        encoding="utf-8",
    )
    done = memarena("doctor", "--json", PYTHONPATH=str(tmp_path), MEMARENA_DISABLE="")
    found = json.loads(done.stdout)
    mine = [line for line in found["problems"] if "memarena-old" in line]
    assert done.returncode == 1
    assert mine == [
        "adapters: 'verbatim' is claimed by memarena 1.0.0 and memarena-old 0.1: "
        "say verbatim@memarena or verbatim@memarena-old",
        "memarena-old requires memarena<1, yet memarena 1.0.0 is installed: pip install 'memarena<1'",
        "memarena-old requires absent-library>=2, which is not installed: pip install 'absent-library>=2'",
        "'old' from memarena-old 0.1 (old:Memory): ModuleNotFoundError: No module named 'old'",
        "'verbatim' from memarena-old 0.1 (old:Memory): ModuleNotFoundError: No module named 'old'",
    ]
    assert found["python"] == sys.version.split()[0]
    assert found["hook_api"] == "1.0"


def test_check_says_of_each_check_what_came_of_it() -> None:
    done = memarena("check", "verbatim")
    assert done.returncode == 0, done.stdout
    assert "passed  k_obeyed" in done.stdout.splitlines()
    last = done.stdout.splitlines()[-1]
    assert last.startswith("'verbatim' from memarena 1.0.0 (memarena.floors:Verbatim): ")
    assert " 0 failed, " in last


FORGETFUL = """
print("hello from the import")
from memarena.floors import Verbatim

class Memory(Verbatim):
    def __init__(self):
        super().__init__()
        print("hello from the constructor")

    def retrieve(self, query, top_k):
        return super().retrieve(query, top_k + 1)
"""


def test_check_as_json_is_clean_and_names_the_repair(tmp_path: Path) -> None:
    install(tmp_path, "memarena-forgetful", "forgetful = forgetful:Memory")
    (tmp_path / "forgetful.py").write_text(FORGETFUL, encoding="utf-8")
    done = memarena("check", "forgetful", "--json", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    failed = {row["name"]: row for row in json.loads(done.stdout) if row["outcome"] == "failed"}
    assert {"k_obeyed", "no_stray_output"} <= set(failed)
    assert failed["k_obeyed"]["repair"]


def test_check_hands_options_to_the_adapter(tmp_path: Path) -> None:
    install(tmp_path, "memarena-tuned", "tuned = tuned:Memory")
    (tmp_path / "tuned.py").write_text(TUNED, encoding="utf-8")
    assert memarena("check", "tuned", "-o", "budget=5", PYTHONPATH=str(tmp_path)).returncode == 0
    done = memarena("check", "tuned", "-o", "budget=lots", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "option 'budget': Expected `int`, got `str` ('lots')" in done.stderr


def test_describe_with_a_distribution_shows_that_one_only(tmp_path: Path) -> None:
    install(tmp_path, "memarena-a", "same = tuned:Memory")
    install(tmp_path, "memarena-b", "same = tuned:Memory", group="instruments")
    (tmp_path / "tuned.py").write_text(TUNED, encoding="utf-8")
    found = json.loads(memarena("describe", "same@memarena-b", "--json", PYTHONPATH=str(tmp_path)).stdout)
    assert [(row["group"], row["distribution"]) for row in found] == [("instruments", "memarena-b")]


def test_describe_writes_types_as_a_person_writes_their_values() -> None:
    from collections.abc import Mapping
    from typing import Annotated, Literal

    from msgspec import Meta

    from memarena.cli.describe import _type_name

    assert _type_name(Annotated[int, Meta(ge=0, le=9)]) == "int ≥ 0, ≤ 9"
    assert _type_name(Literal["round", "turn"]) == "round or turn"
    assert _type_name(int | None) == "int or None"
    assert _type_name(Mapping[str, tuple[int, ...]]) == "Mapping[str, tuple[int, ...]]"
