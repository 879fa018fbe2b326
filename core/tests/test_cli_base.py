"""The command line itself: start-up, help, errors, exit codes, output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from fake_installs import install, memarena

from memarena import cli
from memarena.cli import COMMANDS, main
from memarena.errors import UsageError

HEAVY = ("msgspec", "rich", "numpy", "pluggy", "importlib.metadata", "pathlib", "json", "memarena.records")


def run_main(*words: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> dict[str, BaseException]:
    """A command `fail` that raises what the test puts under "error"."""
    box: dict[str, BaseException] = {}

    @click.command()
    def fail() -> None:
        raise box["error"]

    monkeypatch.setattr(sys.modules[__name__], "fail_command", fail, raising=False)
    monkeypatch.setitem(COMMANDS, "fail", (f"{__name__}:fail_command", "Fail."))
    monkeypatch.setattr(cli, "import_module", lambda name: sys.modules[name])
    monkeypatch.delenv("MEMARENA_DEBUG", raising=False)
    return box


@pytest.mark.parametrize("words", [["--help"], ["list-adapters"], ["--version"]])
def test_start_up_imports_no_plugin_and_nothing_heavy(words: list[str], tmp_path: Path) -> None:
    install(tmp_path, "memarena-trap", "trap = trap:Trap")
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    code = (
        "import sys\nfrom memarena.cli import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code, end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    loaded = done.stderr.split()
    assert not {*HEAVY, "trap"} & set(loaded)
    assert not [name for name in loaded if name.startswith(("memarena_", "memarena.instruments"))]


def test_help_lists_every_command_with_its_line() -> None:
    shown = memarena("--help").stdout
    for name, (_, line) in COMMANDS.items():
        assert f"  {name} " in shown
        assert line in shown


def test_help_lists_the_commands_of_other_packages(tmp_path: Path) -> None:
    install(tmp_path, "memarena-extra", "sing = extra:sing", group="commands")
    assert "From memarena-extra: A system." in memarena("--help", PYTHONPATH=str(tmp_path)).stdout


def test_help_says_what_to_install_for_the_project_s_other_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [])
    run_main("--help")
    shown = " ".join(capsys.readouterr().out.split())
    assert "paired sample by sample. (pip install memarena-report)" in shown


def test_a_command_of_another_package_is_run(tmp_path: Path) -> None:
    install(tmp_path, "memarena-extra", "sing = extra:sing", group="commands")
    source = "import click\n@click.command()\ndef sing() -> None:\n    click.echo('la')\n"
    (tmp_path / "extra.py").write_text(source, encoding="utf-8")
    assert memarena("sing", PYTHONPATH=str(tmp_path)).stdout == "la\n"


def test_a_broken_command_of_another_package_is_one_line(tmp_path: Path) -> None:
    install(tmp_path, "memarena-extra", "sing = nowhere:sing", group="commands")
    done = memarena("sing", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == (
        "memarena: 'sing' from memarena-extra 0.1 (nowhere:sing): ModuleNotFoundError: No module named 'nowhere'\n"
    )


def test_a_known_command_that_is_not_installed_comes_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [])
    assert run_main("report") == 2
    assert capsys.readouterr().err == "memarena: the command 'report' is not installed: pip install memarena-report\n"


def test_an_unknown_command_is_one_line_with_the_closest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("list-adapter") == 2
    assert capsys.readouterr().err == "memarena: unknown command 'list-adapter'; did you mean 'list-adapters'?\n"


def test_a_wrong_flag_is_one_line_that_names_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("list-adapters", "--jsn") == 2
    shown = capsys.readouterr().err
    assert shown.startswith("memarena: No such option '--jsn'")
    assert shown.endswith("(see memarena list-adapters --help)\n")
    assert shown.count("\n") == 1


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main() == 2
    assert "list-adapters" in capsys.readouterr().err


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("--version") == 0
    assert capsys.readouterr().out == "memarena 1.0.0\n"


def test_a_mistake_is_one_line_and_exit_code_2(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["error"] = UsageError("no such thing")
    assert run_main("fail") == 2
    assert capsys.readouterr().err == "memarena: no such thing\n"


def test_a_bug_is_one_line_and_exit_code_70(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["error"] = ZeroDivisionError("division by zero")
    assert run_main("fail") == 70
    assert capsys.readouterr().err == (
        "memarena: this is a bug of memarena: ZeroDivisionError: division by zero; add --debug for the traceback\n"
    )


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (PermissionError(13, "Permission denied", "runs/x/run.json"), "runs/x/run.json: Permission denied"),
        (OSError("odd"), "OSError: odd"),
    ],
)
def test_what_the_system_refuses_is_one_line_and_no_bug(
    error: OSError, line: str, failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["error"] = error
    assert run_main("fail") == 2
    assert capsys.readouterr().err == f"memarena: {line}\n"


@pytest.mark.skipif(os.name != "posix", reason="closes file descriptors in a shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_the_shell_has_closed_do_no_harm(closed: str) -> None:
    command = f"{sys.executable} -m memarena list-adapters {closed}"
    assert subprocess.run(["sh", "-c", command], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="removes its own working directory")
def test_a_working_directory_that_is_gone_is_one_line(tmp_path: Path) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m memarena config"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (
        2,
        "memarena: the working directory is gone: change to one that is there\n",
    )


@pytest.mark.parametrize("words", [["--debug", "fail"], ["fail", "--debug"]])
def test_debug_shows_the_traceback_wherever_it_stands(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    failing["error"] = UsageError("no such thing")
    assert run_main(*words) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert shown.endswith("memarena: no such thing\n")


def test_a_variable_switches_debug_on(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMARENA_DEBUG", "1")
    failing["error"] = UsageError("no such thing")
    run_main("fail")
    assert capsys.readouterr().err.startswith("Traceback")


def test_ctrl_c_is_exit_code_130(failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]) -> None:
    failing["error"] = KeyboardInterrupt()
    assert run_main("fail") == 130
    assert capsys.readouterr().err.strip() == "memarena: cancelled"


def test_a_command_may_choose_its_exit_code(failing: dict[str, BaseException]) -> None:
    failing["error"] = click.exceptions.Exit(3)
    assert run_main("fail") == 3


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; from memarena.cli import main; sys.stdin.read(); main()", "--help"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_output_is_utf_8_whatever_the_locale_says(tmp_path: Path, environment: dict[str, str]) -> None:
    home = tmp_path / "memarena_cafe-0.1.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Name: memarena-cafe\nVersion: 1\nSummary: Café 🤗\n", encoding="utf-8")
    (home / "entry_points.txt").write_text("[memarena.adapters]\ncafe = c:C\n", encoding="utf-8")
    assert "Café 🤗" in memarena("list-adapters", PYTHONPATH=str(tmp_path), **environment).stdout
