"""Other words for the turns of a data set that was built: what is told, asked and right stays."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.datasets import open_data
from memarena.errors import DataError, ModelError, UsageError
from memarena_builder import manifest
from memarena_builder.build import build
from memarena_builder.packs.load import load
from memarena_builder.presets import Variant
from memarena_builder.rewriting.checks import NO_GAIN, fault
from memarena_builder.rewriting.folder import FREE, rewrite
from memarena_builder.rewriting.model import TURNS, Rewriter, Wish
from memarena_builder.rewriting.slots import masked
from memarena_builder.validators.problem import plain, says

NAMES = ("Mara Okafor", "Mara")


def test_names_values_and_numbers_become_marks_and_come_back():
    turn = masked("So, Mara Okafor's extension is 4417, and mara knows room B-12.", (*NAMES, "4417"))
    assert turn.text == "So, <V1>'s extension is <V2>, and <V3> knows room <V4>."
    assert turn.values == {"<V1>": "Mara Okafor", "<V2>": "4417", "<V3>": "mara", "<V4>": "B-12"}
    assert turn.filled("<V3> and <V1>: <V4>, <V2>") == "mara and Mara Okafor: B-12, 4417"


def test_a_name_within_a_longer_word_is_no_name():
    turn = masked("Mara ran the Marathon; 玛拉住在里斯本。", ("Mara", "玛拉", "里斯本"))
    assert turn.text == "<V1> ran the Marathon; <V2>住在<V3>。"


MARKS = "a mark is missing, there twice, or new"
TURN = masked("So, to ring Mara Okafor, dial extension 4417. Nobody grumbled about it.", (*NAMES, "4417"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You get <V1> when you dial extension <V2>, and no one complained at all.", ""),
        ("You get her when you dial extension <V2>, and no one complained at all.", MARKS),
        ("You get <V1>, <V1>, when you dial extension <V2>, and no one complained.", MARKS),
        ("You get <V1> when you dial <V2> or <V3>, and no one complained at all.", MARKS),
        ("You get <V1> in 3 rings when you dial extension <V2>, no one complained.", "a new number"),
        ("You get <V1> of Porto when you dial extension <V2>, and no one complained.", "a new name"),
        ("You get <V1> in her crimson hat when you dial extension <V2>, I hear.", "a value of another fact"),
        ("You get <V1> by the telephone when you dial extension <V2>, I hear.", "a word of the question"),
        ("<V1>: <V2>.", "too short or too long"),
        ("So, to ring <V1>, dial extension <V2>. Nobody grumbled about that.", NO_GAIN),
    ],
)  # fmt: skip
def test_what_speaks_against_other_words(text, found):
    assert fault(TURN, text, {"crimson", "4417"}, frozenset({"telephon"})) == found


def replies(*texts):
    """A model that gives these replies, and what it was asked."""
    asked = []
    left = iter(texts)

    def ask(messages):
        asked.append(json.loads(messages[-1]["content"].removeprefix(TURNS)))
        return next(left)

    return ask, asked


def reply(**turns):
    return json.dumps({"turns": [{"turn": int(place[1:]), "text": text} for place, text in turns.items()]})


GOOD = "You get <V1> when you dial extension <V2>, and no one complained at all."


def test_only_turns_that_failed_are_asked_for_again_with_the_reason_and_three_times_at_most():
    ask, asked = replies(reply(t0=GOOD, t1="<V1>"), "no JSON", reply(t1="<V1>"))
    made = Rewriter(ask, "x")([Wish(TURN, frozenset()), Wish(TURN, frozenset())], ())
    assert made.texts == {0: "You get Mara Okafor when you dial extension 4417, and no one complained at all."}
    assert made.kept == {1: "a mark is missing, there twice, or new"}
    assert [[each["turn"] for each in turns] for turns in asked] == [[0, 1], [1], [1]]
    assert asked[1][0]["not again"] == "a mark is missing, there twice, or new"


def test_a_turn_with_nearly_the_same_words_is_left_at_once():
    ask, asked = replies(reply(t0=TURN.text))
    made = Rewriter(ask, "x")([Wish(TURN, frozenset())], ())
    assert made.kept == {0: NO_GAIN} and len(asked) == 1


def test_the_same_is_asked_once_and_another_model_anew(tmp_path):
    ask, asked = replies(reply(t0=GOOD), reply(t0=GOOD))
    wishes = [Wish(TURN, frozenset())]
    first = Rewriter(ask, "x", tmp_path)(wishes, ())
    assert Rewriter(ask, "x", tmp_path)(wishes, ()) == first and len(asked) == 1
    assert Rewriter(ask, "y", tmp_path)(wishes, ()) == first and len(asked) == 2


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A set with a pair of twins, and the same in other words by the model `offline`."""
    root = tmp_path_factory.mktemp("rewrite")
    build(root / "sim", "tiny", 7, jobs=2, variant=Variant(twins=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMARENA_CACHE", str(root / "cache"))
        words = ["data", "rewrite", str(root / "sim"), "--out", str(root / "other"), "--model", "offline"]
        ended = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return root / "sim", root / "other", ended.output


def samples(folder):
    paths = sorted((folder / "lifelong").rglob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def turns(sample):
    return [(each["_v2_session_id"], n, t) for each in sample["sessions"] for n, t in enumerate(each["dialogue"])]


def events(folder, name):
    """By session and place of a turn: all events that it tells."""
    rows = [json.loads(line) for line in (folder / "hidden" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    out = defaultdict(list)
    for row in (each for each in rows if each["row"] == "event"):
        for place in row["turns"]:
            out[row["session"], place].append(row["event"])
    return out


def values_told(event):
    fact = event.get("fact") or {}
    return [] if fact.get("visual") else list((fact.get("slots") or {}).values())


def events_told_in_words(folder, name):
    return [each for each in events(folder, name).values() if any(map(values_told, each))]


def test_nothing_but_the_words_of_turns_changes(folders):
    before, after, _ = folders
    for name, one in samples(before).items():
        other = samples(after)[name]
        changed = [(a, b) for (_, _, a), (_, _, b) in zip(turns(one), turns(other), strict=True) if a != b]
        assert len(changed) > 100
        assert all(a | {"content": ""} == b | {"content": ""} for a, b in changed)
        for sample in (one, other):
            for _, _, turn in turns(sample):
                turn["content"] = ""
        assert one == other


def test_words_that_decide_what_holds_stay(folders):
    before, after, _ = folders
    kept = 0
    for name, one in samples(before).items():
        told = events(before, name)
        for (session, place, a), (_, _, b) in zip(turns(one), turns(samples(after)[name]), strict=True):
            if any(event["kind"] not in FREE for event in told[session, place]):
                kept += 1
                assert a == b
    assert kept > 50


def test_every_value_and_its_subject_are_still_told_in_their_turns(folders):
    _, after, _ = folders
    for name, sample in samples(after).items():
        told = defaultdict(list)
        for (session, place), each in events(after, name).items():
            for event in each:
                told[event["event_id"]].append((session, place, event))
        texts = {(session, place): turn["content"] for session, place, turn in turns(sample)}
        for rows in told.values():
            said = plain("\n".join(texts[session, place] for session, place, _ in rows))
            assert all(says(said, plain(value)) for _, _, event in rows for value in values_told(event))


def test_the_turn_that_tells_whose_a_value_is_stays_and_the_one_with_the_value_may_change(folders):
    before, after, _ = folders
    changed = kept = 0
    for name, one in samples(before).items():
        told = events(before, name)
        for (session, place, a), (_, _, b) in zip(turns(one), turns(samples(after)[name]), strict=True):
            values = [plain(value) for event in told[session, place] for value in values_told(event)]
            if values and not any(says(plain(a["content"]), value) for value in values):
                kept += 1
                assert a == b
            elif values and a != b:
                changed += 1
    assert kept > 50 and changed > 50


def test_a_model_sees_no_value_that_a_turn_tells_be_it_of_two_facts(folders, tmp_path):
    before, _, _ = folders
    shown = []

    def ask(messages):
        shown.extend(each["text"] for each in json.loads(messages[-1]["content"].removeprefix(TURNS)))
        return "nothing"

    rewrite(before, tmp_path / "other", Rewriter(ask, "x"))
    told = [events for name in samples(before) for events in events_told_in_words(before, name)]
    assert any(len(each) > 1 for each in told)
    texts = [plain(text) for text in shown]
    pools = set(load("academic").pools["towns"]) | set(load("academic").pools["foods"])
    values = {value for each in told for event in each for value in values_told(event)} & pools
    assert len(values) > 3 and [value for value in values if any(says(text, plain(value)) for text in texts)] == []


def _bare(text: str, values: list[str]) -> set[str]:
    return {text.lower().replace(each.lower(), "#") for each in values}


def test_twins_still_differ_in_one_value_alone(folders):
    _, after, _ = folders
    both = samples(after)
    pairs = zip(turns(both["academic_01"]), turns(both["academic_01_twin"]), strict=True)
    last = (after / "hidden" / "academic_01_twin.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    difference = json.loads(last)["difference"]
    values = [difference["value"], difference["other"]]
    differing = [(a[2]["content"], b[2]["content"]) for a, b in pairs if a[2]["content"] != b[2]["content"]]
    assert values[0] != values[1]
    for a, b in differing:
        assert _bare(a, values) & _bare(b, values)


def test_what_was_reworded_and_what_was_not_is_counted_and_reported(folders):
    _, after, output = folders
    report = json.loads((after / "rewrite-report.json").read_text(encoding="utf-8"))
    total = sum(len(turns(sample)) for sample in samples(after).values())
    assert report["model"] == "offline" and sum(report["turns"].values()) == total
    assert report["turns"]["reworded"] > 0.5 * total
    assert f"reworded: {report['turns']['reworded']:,} turns" in output
    found = manifest.read(after)
    assert found is not None and found.preset == "tiny+twins1 reworded by offline"
    assert list(manifest.faults(after, found)) == []


def test_the_loader_reads_it_without_a_finding(folders):
    opened = open_data(str(folders[1]))
    assert len(list(opened)) == 7 and opened.report.findings == []


def test_a_long_session_is_asked_for_in_pieces_that_a_reply_has_room_for():
    long_turn = masked("word " * 250, ())
    ask, asked = replies(*["nothing"] * 9)
    made = Rewriter(ask, "x")([Wish(long_turn, frozenset())] * 5, ())
    assert [[each["turn"] for each in turns] for turns in asked] == [[0, 1]] * 3 + [[2, 3]] * 3 + [[4]] * 3
    assert set(made.kept) == set(range(5)) and set(made.kept.values()) == {"no reply"}


def test_half_a_sign_in_a_reply_is_no_reply():
    ask, asked = replies(*['{"turns": [{"turn": 0, "text": "\ud83d"}]}'] * 3)
    assert Rewriter(ask, "x")([Wish(TURN, frozenset())], ()).kept == {0: "no reply"} and len(asked) == 3


def test_no_name_or_value_that_the_world_may_have_comes_in(folders, tmp_path):
    """Not even at the beginning of a sentence, where every word has a capital letter."""
    pack = load("academic")
    brought = (pack.pools["towns"][0], pack.pools["strangers"][0])

    def ask(messages):
        turns = json.loads(messages[-1]["content"].removeprefix(TURNS))
        return json.dumps(
            {"turns": [{"turn": each["turn"], "text": f"{brought[0]} it is. {each['text']}"} for each in turns]}
        )

    kept = rewrite(folders[0], tmp_path / "other", Rewriter(ask, "x"))
    assert kept["reworded"] == 0 and kept["kept: a value of another fact"] > 100


def test_a_model_that_fails_leaves_no_half_of_a_data_set_behind(folders, tmp_path):
    asked = []

    def ask(messages):
        asked.append(1)
        if len(asked) > 3:
            raise ModelError("it is gone")
        return "nothing"

    with pytest.raises(ModelError):
        rewrite(folders[0], tmp_path / "other", Rewriter(ask, "x"))
    assert not (tmp_path / "other").exists()


def test_only_what_was_built_is_reworded_and_nothing_is_overwritten(folders, tmp_path):
    def ask(messages):
        raise AssertionError("nothing is to be asked")

    with pytest.raises(DataError, match="no data set that was built"):
        rewrite(tmp_path, tmp_path / "out", Rewriter(ask, "x"))
    with pytest.raises(UsageError, match="is not empty"):
        rewrite(folders[0], folders[1], Rewriter(ask, "x"))
