"""The host by a model: believed only where the graph bears it out, refused where it agrees too little."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from puzzle_hands import small_host

from memarena.errors import ModelError
from memarena.testing.loopback import Reply, serving
from memarena_aha.puzzle import PART
from memarena_aha.puzzle.course import host_of
from memarena_aha.puzzle.modelhost import Audit, ModelHost, ReplyFile, audited, kappa, model_hosts


def says(reply: object) -> Callable[[str], str]:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return lambda prompt: text


def test_kappa_is_agreement_beyond_chance() -> None:
    # agreed 3 of 4; chance (2*1 + 2*3) / 16 = .5; (.75 - .5) / .5
    assert kappa(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"]) == pytest.approx(0.5)
    assert kappa(["yes", "no"], ["yes", "no"]) == 1
    assert kappa(["yes", "yes"], ["yes", "yes"]) == 1
    assert kappa(["yes", "no"], ["no", "yes"]) == -1
    with pytest.raises(ValueError, match="two lists of labels of one length"):
        kappa(["yes"], [])


@pytest.mark.parametrize(
    ("reply", "label", "overruled"),
    [
        ({"label": "yes", "claim": "K1"}, "yes", 0),
        ({"label": "no", "claim": "K1", "turned": True}, "no", 0),
        ({"label": "no", "claim": "D2"}, "no", 0),
        ({"label": "irrelevant", "claim": None}, "irrelevant", 0),
        ({"label": "no", "claim": "K1"}, "yes", 1),  # the graph says yes of K1: the host by words answers
        ({"label": "yes", "claim": "K77"}, "yes", 1),
        ({"label": "yes", "claim": None}, "yes", 1),
        ({"label": "maybe", "claim": "K1"}, "unclear", 0),
        ("no JSON at all", "unclear", 0),
        ('Sure! {"label": "yes", "claim": "K1"} I hope that helps.', "yes", 0),
    ],
)
def test_a_reply_counts_only_where_the_graph_bears_it_out(
    tmp_path: Path, reply: object, label: str, overruled: int
) -> None:
    model = ModelHost(small_host(tmp_path), says(reply))
    assert model.ask("Is the lion a statue?").label == label
    assert model.overruled == overruled


def test_a_question_in_the_same_words_is_asked_of_the_model_once(tmp_path: Path) -> None:
    prompts: list[str] = []

    def complete(prompt: str) -> str:
        prompts.append(prompt)
        return '{"label": "yes", "claim": "K1"}'

    model = ModelHost(small_host(tmp_path), complete)
    for text in ("Is it a statue?", "is it A statue", "Hello. Is it a statue? And more?"):
        assert model.ask(text).label == "yes"
    assert len(prompts) == 1
    assert "K1: The lion is made of stone. (yes)" in prompts[0]
    assert prompts[0].endswith("Question: Is it a statue")
    again = ModelHost(small_host(tmp_path), says("never asked"), model.cache)
    assert again.ask("Is it a statue?").label == "yes"


def test_a_model_that_reads_as_people_do_passes_and_one_that_always_says_yes_does_not() -> None:
    host = host_of("P05", 0)
    by_text = {question.text.rstrip("?"): question.label for question in host.graph.puzzle.bank}
    by_text |= {
        row.text.rstrip("?"): {"y": "yes", "n": "no", "i": "irrelevant"}[row.a] for row in host.graph.puzzle.trace
    }

    def well(prompt: str) -> str:
        return json.dumps({"label": by_text[prompt.rpartition("Question: ")[2]], "claim": None})

    good = audited(ModelHost(host, well))
    assert good.graph == 1
    assert good.words >= 0.9
    assert good.passes
    poor = audited(ModelHost(host, says({"label": "yes", "claim": "K1"})))
    assert poor == Audit(0.0, 0.0)
    assert not poor.passes


@contextmanager
def endpoint(reply: str) -> Iterator[str]:
    """An OpenAI-compatible endpoint that always says `reply`."""
    completion = {"choices": [{"message": {"content": reply}, "finish_reason": "stop"}]}
    with serving(lambda request: Reply.of(completion)) as address:
        yield f"{address}/v1"


def test_a_model_that_agrees_too_little_is_refused_with_its_figures() -> None:
    with endpoint('{"label": "yes", "claim": "K1"}') as url:
        (pair,) = PART.pairs(0, 1, {"host": "model", "host_url": url, "host_model": "parrot"})
        with pytest.raises(ModelError, match=r"the host parrot agrees too little on P\d\d: kappa 0.00 with"):
            pair.evaluate("")


def test_replies_and_kappas_are_kept_in_a_file_and_not_asked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "host.jsonl"
    options = {"host": "model", "host_model": "parrot", "host_cache": str(file)}
    with endpoint('{"label": "yes", "claim": "K1"}') as url, pytest.raises(ModelError, match="agrees too little"):
        PART.pairs(0, 1, {**options, "host_url": url})[0].evaluate("")
    first = file.read_bytes()
    rows = [json.loads(line) for line in first.splitlines()]
    assert [row["kappa_words"] for row in rows if "kappa_words" in row] == [0.0]
    assert len(rows) > 60
    with pytest.raises(ModelError, match="agrees too little"):  # nothing listens there any more
        PART.pairs(0, 1, {**options, "host_url": "http://127.0.0.1:9/v1"})[0].evaluate("")
    assert len(file.read_bytes().splitlines()) == len(rows) + 1


def test_a_file_that_holds_no_replies_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "host.jsonl"
    file.write_text('{"question": "x"}\n', encoding="utf-8")
    with pytest.raises(ModelError, match=r"host.jsonl:1: not a reply of a host"):
        ReplyFile(file).of("P01")


def test_a_model_host_without_a_model_is_refused() -> None:
    with pytest.raises(ModelError, match="host=model needs host_url"):
        model_hosts("", "", "")
