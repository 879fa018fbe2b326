"""Twin worlds: two samples that differ in one fact, and what answers make of it."""

from __future__ import annotations

import json
import re
import sys
from datetime import date

import msgspec
import pytest
from builder_orders import order
from click.testing import CliRunner

from memarena.cli import cli
from memarena.datasets import open_data
from memarena.errors import UsageError
from memarena.records import Answer, Capabilities, Label, Question, QuestionRecord, Retrieval, Sample, SampleRecord
from memarena_builder.build import build
from memarena_builder.dataset import Sim
from memarena_builder.lifelong import build_sample
from memarena_builder.presets import Variant, orders
from memarena_builder.twins.choose import build_twin
from memarena_builder.twins.scorer import TwinScorer
from memarena_builder.twins.swap import Swap
from memarena_builder.world.facts import Fact, Key, Told

PRIOR = '''
import json, pathlib
from memarena.records import NOT_MENTIONED, Answer
KNOWN = json.loads(pathlib.Path(__file__).with_name("known.json").read_text(encoding="utf-8"))

class Prior:
    """Knows the first world by heart, whatever it is shown."""
    name, revision = "prior", 1

    def answer(self, asked, shown):
        return Answer(question_id=asked.question_id, text=KNOWN.get(f"{asked.question_id} {asked.text}", NOT_MENTIONED))
'''


@pytest.fixture(scope="module")
def pair():
    base = order("finance", 4)
    return build_sample(base), *build_twin(base, "finance_01_twin")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("twins") / "sim"
    build(root, "tiny", 7, jobs=2, variant=Variant(twins=4))
    return root


def texts(built):
    return [line.text for spoken in built.spoken.values() for line in spoken.lines]


def test_the_two_worlds_say_the_same_but_for_one_value(pair):
    one, two, difference = pair
    changed = [(a, b) for a, b in zip(texts(one), texts(two), strict=True) if a != b]
    swapped = re.compile(re.escape(difference.other), re.IGNORECASE)
    assert all(swapped.sub(difference.value, b).lower() == a.lower() for a, b in changed)
    drawn = [(a, two.plan.pictures[name]) for name, a in one.plan.pictures.items() if a != two.plan.pictures[name]]
    assert changed or drawn
    for a, b in drawn:
        values = {(x.value, y.value) for x, y in zip(a.fields, b.fields, strict=True) if x != y}
        assert values == {(difference.value, difference.other)}


@pytest.mark.parametrize(("share", "by_picture"), [(0.0, False), (1.0, True)])
def test_twins_differ_in_what_is_said_or_in_what_only_a_picture_shows_as_is_wanted(monkeypatch, share, by_picture):
    monkeypatch.setattr("memarena_builder.twins.choose.SEEN", share)
    for domain, seed in (("education", 11), ("finance", 12)):
        twin, difference = build_twin(order(domain, seed), "twin")
        facts = {fact.fact_id: fact for fact in twin.plan.facts()}
        assert {facts[name].visual for name in difference.facts} == {by_picture}


def test_neither_world_has_the_value_of_the_other(pair):
    one, two, difference = pair
    for built, absent in ((one, difference.other), (two, difference.value)):
        assert not any(absent.lower() in text.lower() for text in texts(built))
        assert not any(field.value == absent for spec in built.plan.pictures.values() for field in spec.fields)


def denied(pair):
    """A claim that holds in neither world: whoever says no is right in both."""
    return all(answer.startswith("No, ") for answer in pair)


def test_the_same_is_asked_and_only_what_rests_on_the_fact_has_another_answer(pair):
    one, two, difference = pair
    asked = {question.question_id: question for stop in one.stops for question in stop.questions}
    again = {question.question_id: question for stop in two.stops for question in stop.questions}
    assert [(each.text, each.type) for each in asked.values()] == [(each.text, each.type) for each in again.values()]
    differing = {name: (asked[name].answer, again[name].answer) for name in asked}
    told = {name: pair for name, pair in differing.items() if not (pair[0] == pair[1] or denied(pair))}
    assert told == difference.answers
    rests = {name for name in difference.answers if {f.fact_id for f in again[name].evidence} & set(difference.facts)}
    assert rests == set(difference.answers) != set()


def test_a_swap_changes_every_version_with_the_value_and_no_other():
    key, day = Key("Mara Okafor", "desk"), date(2026, 1, 5)

    def fact(key, value, number):
        return Fact(
            fact_id=f"F{number}", key=key, value=value, slots={"V": value}, since=day, told=Told(number, 0), day=day,
            kind="E1",
        )  # fmt: skip

    swap = Swap(key, "11B", "22C")
    assert swap.fact(fact(key, "11B", 1)).value == "22C" == swap.fact(fact(key, "11B", 3)).slots["V"]
    assert swap.fact(fact(key, "33D", 2)).value == "33D"
    assert swap.fact(fact(Key("Ida Rossi", "desk"), "11B", 4)).value == "11B"
    assert swap.stale(("11B", "33D"), key) == ("22C", "33D")


def record(answers, twin=None):
    questions = [
        QuestionRecord(
            label="x", sample_id="s", regime="lifelong", domain="", checkpoint_id="QA00", session_index=0,
            question=Question(question_id=f"QA00:Q{n:03}", text="Which desk?", reference="11B", type="FR"),
            retrieval=Retrieval(query="Which desk?"), answer=Answer(question_id=f"QA00:Q{n:03}", text=text),
            capabilities=Capabilities(),
        )
        for n, text in enumerate(answers, 1)
    ]  # fmt: skip
    meta = {"twin": twin} if twin else {}
    sample = Sample(sample_id="s", meta=meta)
    return SampleRecord(
        label="x", sample=sample, sessions=(), questions=tuple(questions), capabilities=Capabilities()
    )  # fmt: skip


def test_an_answer_follows_leaks_or_does_neither():
    side = {"pair": "s", "other": "s_twin", "answers": {f"QA00:Q{n:03}": "22C" for n in (1, 2, 3, 4)}}
    asked = record(["11B", "22C", "I do not know", ""], side)
    scorer = TwinScorer()
    requests = scorer.judgement_requests(record=asked)
    assert len(requests) == 6
    labels = {
        name: Label(verdicts=("Correct" if each.reference == each.answer else "Omission",))
        for name, each in requests.items()
    }
    rows = {(row.metric, row.unit[-1]): row.n for row in scorer.score(record=asked, labels=labels)}
    assert [rows["twin_right", n] for n in "1234"] == [1.0, 0.0, 0.0, 0.0]
    assert [rows["twin_leak", n] for n in "1234"] == [0.0, 1.0, 0.0, 0.0]
    assert [rows["twin_causal", n] for n in "1234"] == [1.0, -1.0, 0.0, 0.0]


def test_a_failed_judgement_is_no_number():
    side = {"pair": "s", "other": "s_twin", "answers": {"QA00:Q001": "22C"}}
    labels = {"right QA00:Q001": Label(verdicts=("Correct",)), "leak QA00:Q001": None}
    rows = {row.metric: row for row in TwinScorer().score(record=record(["11B"], side), labels=labels)}
    assert rows["twin_right"].n == 1.0
    assert [(rows[name].n, rows[name].invalid) for name in ("twin_leak", "twin_causal")] == [(None, 1)] * 2


def test_a_sample_without_a_twin_has_no_rows():
    assert TwinScorer().score(record=record(["11B"]), labels={}) == []


def test_twins_come_last_and_share_the_split_of_their_base():
    made = orders("tiny", 7, variant=Variant(twins=5))
    assert [each.sample_id for each in made[6:]] == [f"{base.sample_id}_twin" for base in made[:5]]
    assert [each.split for each in made[6:]] == [base.split for base in made[:5]] != ["test"] * 5
    with pytest.raises(UsageError, match="there are 6 samples of dialogue"):
        orders("tiny", 7, variant=Variant(twins=7))


def test_a_loaded_sample_says_its_split_and_its_twin(folder):
    samples = {sample.sample_id: sample for sample in open_data(str(folder))}
    base = samples["academic_01"].meta
    twin = samples["academic_01_twin"].meta
    assert base["split"] == twin["split"] == "test" and samples["startup_01"].meta == {"split": "test"}
    assert (base["twin"]["other"], twin["twin"]["other"]) == ("academic_01_twin", "academic_01")
    told = {q.question_id: q.reference for stop in samples["academic_01"].checkpoints for q in stop.questions}
    assert {name: told[name] for name in base["twin"]["answers"]} == twin["twin"]["answers"]


def test_sim_reads_the_variant_from_its_name(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setenv("MEMARENA_CACHE", str(tmp_path))
    monkeypatch.setattr("memarena_builder.dataset.build", lambda *args, **more: asked.append((args, more)))
    with pytest.raises(Exception, match="there is no such folder"):
        Sim().open("tiny+twins2@7")
    (root, preset, seed), more = asked[0]
    assert (preset, seed, more["variant"]) == ("tiny", 7, Variant(twins=2)) and root.name.endswith("tiny+twins2-7")
    with pytest.raises(UsageError, match="twinsN"):
        Sim().open("tiny+triplets@7")


def shares(out):
    """Mean of each twin metric by system."""
    found = {}
    for line in (out / "scores.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["scorer"] == "twins":
            for metric, _, n, *_ in row["rows"]:
                found.setdefault((row["label"], metric), []).append(n)
    return {name: sum(values) / len(values) for name, values in found.items()}


def run(folder, out, answerer):
    words = ["run", "-d", str(folder), "-a", "verbatim", "-a", "nothing", "--answerer", answerer, "--out", str(out)]
    pairs = [f"{name}{twin}" for name in ("finance_01", "health_01") for twin in ("", "_twin")]
    words += ["--top-k", "600", *(word for name in pairs for word in ("--sample", name))]
    ended = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return shares(out)


def test_a_store_that_keeps_everything_follows_the_fact(folder, tmp_path):
    found = run(folder, tmp_path / "run", "sim-reader")
    assert found["verbatim", "twin_right"] == found["verbatim", "twin_causal"] >= 0.5
    assert found["verbatim", "twin_leak"] == 0
    assert found["nothing", "twin_right"] == found["nothing", "twin_leak"] == found["nothing", "twin_causal"] == 0


def test_who_knows_one_world_by_heart_leaks_in_the_other(folder, tmp_path, monkeypatch):
    home = tmp_path / "site" / "memarena_prior-1.0.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text("Name: memarena-prior\nVersion: 1.0\n", encoding="utf-8")
    (home / "entry_points.txt").write_text("[memarena.answerers]\nprior = memarena_prior:Prior\n", encoding="utf-8")
    (tmp_path / "site" / "memarena_prior.py").write_text(PRIOR, encoding="utf-8")
    known = {
        f"{question.question_id} {question.text}": question.reference
        for sample in open_data(str(folder), samples=["finance_01", "health_01"])
        for stop in sample.checkpoints
        for question in stop.questions
    }
    (tmp_path / "site" / "known.json").write_bytes(msgspec.json.encode(known))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    found = run(folder, tmp_path / "run", "prior")
    sys.modules.pop("memarena_prior", None)
    assert found["verbatim", "twin_right"] == found["verbatim", "twin_leak"] == 0.5
    assert found["verbatim", "twin_causal"] == 0


def test_the_command_builds_twins_and_the_loader_finds_nothing_odd(folder, tmp_path):
    out = tmp_path / "sim"
    words = ["data", "build", "--preset", "tiny", "--seed", "7", "--twins", "1", "--out", str(out)]
    made = CliRunner().invoke(cli, words)
    assert made.exit_code == 0 and "7 samples" in made.output
    sides = json.loads((out / "twins.json").read_text(encoding="utf-8"))
    assert sides.items() <= json.loads((folder / "twins.json").read_text(encoding="utf-8")).items()
    opened = open_data(str(out))
    assert len(list(opened)) == 7 and opened.report.findings == []
