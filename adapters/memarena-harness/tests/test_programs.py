"""Where the programs are found, and how npm installs them; a folder laid out as npm's stands for the real ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memarena.errors import PluginError
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import Jail
from memarena_harness.programs import Codex, OpenClaw, bubblewraps

NPM = """\
#!/bin/sh
echo "$@ with $(command -v node)" >> "{log}"
for last; do :; done
for word; do [ "$before" = --prefix ] && folder=$word; before=$word; done
mkdir -p $folder/node_modules/.bin
case $last in
  node@*) cp "{node}" $folder/node_modules/.bin/node ;;
  openclaw@*) mkdir -p $folder/node_modules/openclaw
    echo '{{"name": "openclaw", "version": "2026.9.6"}}' > $folder/node_modules/openclaw/package.json
    printf '#!/bin/sh\\n' > $folder/node_modules/openclaw/openclaw.mjs
    chmod 755 $folder/node_modules/openclaw/openclaw.mjs
    ln -s ../openclaw/openclaw.mjs $folder/node_modules/.bin/openclaw ;;
  *) echo "no such package" >&2; exit 1 ;;
esac
"""


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of its own for programs and environments: what this machine has is not seen."""
    monkeypatch.setenv("MEMARENA_ENVS", str(tmp_path / "envs"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def script(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return file


def node(file: Path, version: str) -> Path:
    return script(file, f"#!/bin/sh\necho v{version}\n")


def openclaw(modules: Path, version: str = "2026.9.6") -> Path:
    """A folder as npm leaves it, and the link that starts OpenClaw."""
    script(modules / "openclaw" / "openclaw.mjs", "#!/bin/sh\n")
    described = {"name": "openclaw", "version": version}
    (modules / "openclaw" / "package.json").write_text(json.dumps(described), encoding="utf-8")
    (modules / ".bin").mkdir(exist_ok=True)
    link = modules / ".bin" / "openclaw"
    link.symlink_to("../openclaw/openclaw.mjs")
    return link


def codex(modules: Path, version: str = "0.171.0") -> Path:
    """As `openclaw`, for Codex, whose binary is in a package of its own."""
    wrapper = script(modules / "@openai" / "codex" / "bin" / "codex.js", "#!/usr/bin/env node\n")
    described = {"name": "@openai/codex", "version": version}
    (wrapper.parents[1] / "package.json").write_text(json.dumps(described), encoding="utf-8")
    vendor = modules / "@openai" / "codex-linux-x64" / "vendor" / "x86_64-unknown-linux-musl"
    script(vendor / "bin" / "codex", "#!/bin/sh\n")
    script(vendor / "codex-resources" / "bwrap", "#!/bin/sh\n")
    return wrapper


def test_openclaw_is_started_with_the_node_beside_it(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    own = node(modules / ".bin" / "node", "26.10.0")
    found = OpenClaw().find(str(openclaw(modules)))
    assert found.version == "2026.9.6"
    assert found.command == (own, modules / "openclaw" / "openclaw.mjs")
    assert found.words(Jail(kind="bubblewrap")) == ["/agent/node/node", "/agent/node_modules/openclaw/openclaw.mjs"]
    assert found.words(Jail(kind="none")) == [str(own), str(modules / "openclaw" / "openclaw.mjs")]


def test_else_with_the_node_on_the_path(tmp_path: Path, apart: Path) -> None:
    other = node(apart / "node", "24.16.0")
    assert OpenClaw().find(str(openclaw(tmp_path / "node_modules"))).command[0] == other


@pytest.mark.parametrize("version", ["20.20.2", "24.15.9", "25.1.0", "26.0.1"])
def test_a_node_that_is_too_old_is_told(version: str, tmp_path: Path, apart: Path) -> None:
    node(apart / "node", version)
    with pytest.raises(HarnessFailure, match=f"wrong version: openclaw needs Node.js .* is {version}: memarena env"):
        OpenClaw().find(str(openclaw(tmp_path / "node_modules")))


def test_codex_is_its_native_binary_and_its_folder_is_the_binarys(tmp_path: Path) -> None:
    found = Codex().find(str(codex(tmp_path)))
    package = tmp_path / "@openai" / "codex-linux-x64"
    assert found.version == "0.171.0"
    assert found.command == (package / "vendor" / "x86_64-unknown-linux-musl" / "bin" / "codex",)
    assert found.tools == {"codex": package}


def test_a_codex_without_a_binary_for_this_machine_is_missing(tmp_path: Path) -> None:
    wrapper = codex(tmp_path)
    (tmp_path / "@openai" / "codex-linux-x64").rename(tmp_path / "elsewhere")
    with pytest.raises(HarnessFailure, match=r"program missing: .* holds no binary"):
        Codex().find(str(wrapper))


def test_a_program_that_npm_did_not_install_is_asked_for_its_version(apart: Path) -> None:
    file = script(apart / "codex", "#!/bin/sh\necho codex-cli 0.171.3\n")
    found = Codex().find()
    assert (found.version, found.command, found.tools) == ("0.171.3", (file,), {"codex": apart})


def test_one_that_says_no_version_is_no_program(apart: Path) -> None:
    script(apart / "codex", "#!/bin/sh\nexit 3\n")
    with pytest.raises(HarnessFailure, match="gives no version"):
        Codex().find()


def test_a_version_that_was_not_tested_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    wrapper = str(codex(tmp_path, "0.150.1"))
    with pytest.raises(HarnessFailure, match=r"wrong version: codex 0.150.1 at .* was not tested: .*<0.172,>=0.171"):
        Codex().find(wrapper)
    assert Codex().find(wrapper, any_version=True).version == "0.150.1"


def test_a_version_that_is_none_was_not_tested(tmp_path: Path) -> None:
    with pytest.raises(HarnessFailure, match="wrong version"):
        Codex().find(str(codex(tmp_path, "today")))


def test_what_is_missing_is_told_with_the_command_that_installs_it() -> None:
    with pytest.raises(HarnessFailure, match=r"^program missing: codex is not here: memarena env create codex$"):
        Codex().find()
    with pytest.raises(HarnessFailure, match="program missing: codex: there is no program at /nowhere/codex"):
        Codex().find("/nowhere/codex")


def test_its_environment_comes_before_the_path(tmp_path: Path, apart: Path) -> None:
    script(apart / "codex", "#!/bin/sh\necho codex-cli 0.171.3\n")
    modules = tmp_path / "envs" / "codex" / "programs" / "node_modules"
    (modules / ".bin").mkdir(parents=True)
    (modules / ".bin" / "codex").symlink_to(codex(modules))
    assert Codex().find().version == "0.171.0"


def test_a_look_says_what_is_there_and_what_to_do(tmp_path: Path, apart: Path) -> None:
    assert Codex().look().advice == "codex is not here: memarena env create codex"
    script(apart / "codex", "#!/bin/sh\necho codex-cli 0.150.0\n")
    look = Codex().look()
    assert look.found.startswith(f"codex 0.150.0 at {apart / 'codex'}")
    assert look.advice.startswith("memarena env create codex installs a tested one (<0.172,>=0.171)")
    assert ", held by " in look.found or "sandbox missing: " in look.advice


def test_the_bubblewrap_that_codex_brings_is_one_of_those_of_this_machine(tmp_path: Path, apart: Path) -> None:
    wrapper = codex(tmp_path)
    (apart / "codex").symlink_to(wrapper)
    assert bubblewraps()[-1].endswith("codex-resources/bwrap")


def test_npm_installs_node_first_and_then_openclaw_with_it(tmp_path: Path, apart: Path) -> None:
    log = tmp_path / "npm.log"
    script(apart / "npm", NPM.format(log=log, node=node(tmp_path / "node", "26.10.0")))
    folder = tmp_path / "programs"
    assert OpenClaw().install(folder) == {"openclaw": "2026.9.6"}
    first, second = log.read_text(encoding="utf-8").splitlines()
    assert "node@26.10.0 with" in first
    assert f"openclaw@2026.9.6 with {folder}/node_modules/.bin/node" in second


def test_what_npm_cannot_install_is_an_error(tmp_path: Path, apart: Path) -> None:
    script(apart / "npm", NPM.format(log=tmp_path / "npm.log", node="/bin/true"))
    with pytest.raises(PluginError, match=r"failed with exit code 1, see above: .*@openai/codex@0.171.0"):
        Codex().install(tmp_path / "programs")


def test_without_npm_it_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PluginError, match=r"codex is installed with npm, which is not here: install Node.js"):
        Codex().install(tmp_path / "programs")
