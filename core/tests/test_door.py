"""The public door of the package: what `import memarena` offers and costs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import memarena

SOURCE = Path(memarena.__file__).read_text(encoding="utf-8")


def imported_for_checkers() -> set[str]:
    """The names that the source imports for type checkers only."""
    blocks = [node for node in ast.parse(SOURCE).body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports for alias in node.names}


def test_every_exported_name_is_there() -> None:
    for name in memarena.__all__:
        assert getattr(memarena, name) is not None


def test_the_exported_names_are_those_that_type_checkers_see() -> None:
    assert set(memarena.__all__) == imported_for_checkers()


def test_the_exported_names_are_sorted_few_and_listed_by_dir() -> None:
    assert memarena.__all__ == sorted(set(memarena.__all__))
    assert len(memarena.__all__) <= 30
    assert dir(memarena) == memarena.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'memarena' has no attribute 'Tune'$"):
        memarena.Tune  # noqa: B018


def test_importing_the_package_loads_nothing_else() -> None:
    code = (
        "import sys, typing, importlib, __future__\n"
        "before = set(sys.modules)\n"
        "import memarena\n"
        "print(*set(sys.modules) - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.split() == ["memarena"]


def test_importing_the_package_heeds_no_foreign_setting(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=broken\x00", encoding="utf-8")
    (tmp_path / "memarena.toml").write_text("this is no toml", encoding="utf-8")
    code = "import memarena; print(memarena.Turn.__name__)"
    environment = {"OPENAI_BASE_URL": "::not a url::", "MEMARENA_TOP_K": "many"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "Turn"
    assert sorted(file.name for file in tmp_path.iterdir()) == [".env", "memarena.toml"]


def test_every_module_of_the_core_stands_on_the_map_in_its_readme_and_no_other() -> None:
    package, readme = Path(memarena.__file__).parent, Path(__file__).parents[1] / "README.md"
    there = {
        file.stem for file in package.iterdir() if file.suffix in ("", ".py") and not file.name.startswith(("_", "."))
    }
    rows = [line for line in readme.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.rpartition(" | ")[2])}
    assert named == there
