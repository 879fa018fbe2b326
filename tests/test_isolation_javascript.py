"""An adapter in JavaScript, run with Node."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memarena.errors import AdapterContractError, AdapterFailure, PluginLoadError
from memarena.hosted import HostedAdapter, Limits
from memarena.instruments.boundary import Boundary
from memarena.records import RunContext, Turn
from memarena.rig import Rig
from memarena.testing import AdapterContract

NODE = shutil.which("node") or ""
SCRIPT = Path(__file__).with_name("fixtures_js") / "adapter.mjs"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "adapter-in-another-language.md"

needs_node = pytest.mark.skipif(not NODE, reason="Node is not here")


def test_the_how_to_shows_the_very_file_that_is_tested() -> None:
    code = SCRIPT.read_text(encoding="utf-8")
    assert f"```js adapter.mjs\n{code}```" in PAGE.read_text(encoding="utf-8")
    assert code.count("\n") == 40


@needs_node
class TestJavaScript(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("js", command=[NODE, str(SCRIPT)])


def program(folder: Path, before: str, after: str, **settings: object) -> Rig:
    """The adapter with a part replaced, mounted and reset."""
    code = SCRIPT.read_text(encoding="utf-8")
    assert before in code
    (folder / "changed.mjs").write_text(code.replace(before, after), encoding="utf-8")
    adapter = HostedAdapter("js", command=[NODE, str(folder / "changed.mjs")], log=folder / "log", **settings)
    rig = Rig("js", adapter, (Boundary(),))
    rig.reset(RunContext(folder=str(folder), namespace="js"))
    return rig


def turn(text: str) -> Turn:
    return Turn(turn_id="S01:T000", session_id="S01", index=0, text=text)


@needs_node
def test_a_text_with_line_separators_stays_one_line(tmp_path: Path) -> None:
    rig = program(tmp_path, "end_session", "end_session")
    rig.ingest_turn(turn("one\u2028two\u2029three\rfour\nfive\x85six"))
    assert rig.snapshot_memories()[0].text == "user: one\u2028two\u2029three\rfour\nfive\x85six"


@needs_node
def test_what_is_logged_on_standard_output_is_passed_over(tmp_path: Path) -> None:
    rig = program(tmp_path, "end_session: () =>", 'end_session: () => process.stdout.write("loaded\\n{}\\n") &&')
    rig.end_session("S01")
    rig.end_session("S02")
    rig.adapter.close()
    assert (tmp_path / "log").read_text(encoding="utf-8") == "[not an answer] loaded\n[not an answer] {}\n" * 2


@needs_node
def test_an_error_has_its_name_its_message_and_its_place(tmp_path: Path) -> None:
    rig = program(tmp_path, "end_session: () => null", 'end_session: () => { throw new RangeError("too far"); }')
    with pytest.raises(AdapterFailure, match=r"^js\.end_session: RangeError: too far$") as caught:
        rig.end_session("S01")
    assert "changed.mjs" in str(caught.value.__cause__.__cause__)  # type: ignore[union-attr]


@needs_node
def test_a_reply_that_cannot_be_read_fails_at_once(tmp_path: Path) -> None:
    broken = '(id < 3 ? JSON.stringify(reply) : `{"id": ${id}, "result": nonsense}`)'
    rig = program(tmp_path, "JSON.stringify(reply)", broken)
    with pytest.raises(AdapterFailure, match="gave a reply that cannot be read"):
        rig.end_session("S01")


@needs_node
def test_a_result_of_another_shape_is_named(tmp_path: Path) -> None:
    rig = program(tmp_path, "return { query, items: ranked.slice(0, top_k) };", "return { items: [] };")
    with pytest.raises(AdapterFailure, match=r"retrieve gave what does not fit: .* missing required field `query`"):
        rig.retrieve("budget", 3)


@needs_node
def test_a_program_that_takes_more_than_is_offered_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdapterContractError, match=r"js\.retrieve\(limit\): the hook offers no such argument"):
        program(tmp_path, '"top_k"]', '"limit"]')


@needs_node
def test_a_program_of_another_protocol_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PluginLoadError, match="it speaks protocol 9, memarena speaks 1"):
        program(tmp_path, "protocol: 1", "protocol: 9")


@needs_node
def test_a_program_that_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(PluginLoadError, match=r"ended with exit code 1; the end of its output: Node\.js v"):
        HostedAdapter("js", command=[NODE, str(tmp_path / "nowhere.mjs")])


@needs_node
def test_a_program_that_never_answers_ends_at_the_limit(tmp_path: Path) -> None:
    with pytest.raises(PluginLoadError, match=r"no answer within 0\.5 s"):
        HostedAdapter("js", command=[NODE, "-e", "setInterval(() => 0, 1000)"], limits=Limits(start_seconds=0.5))
