"""What is counted, and what is said to be unknown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in_upstream import Play, chunk, completion, sse

from memarena.meter import Usage
from memarena_models.account import Account, PriceTable, Quantiles, Spent, read_account
from memarena_models.settings import Price
from memarena_models.tokens import TokenCount, stated


def spent(cell="a~s", stage="write", model="m", tokens_in=10, tokens_out=2, seconds=0.1, **more):
    tokens = TokenCount(tokens_in=tokens_in, tokens_out=tokens_out)
    return Spent(cell_id=cell, stage=stage, model=model, tokens=tokens, seconds=seconds, **more)


def test_calls_are_booked_to_the_stage_the_cell_is_in(serve):
    host = serve()
    host.post()
    host.loop.call_soon_threadsafe(host.service.stage, "a~s", "retrieve")
    host.post()
    host.post()
    usage = host.service.usage("a~s")
    assert {stage: one.calls for stage, one in usage.items()} == {"write": 1, "retrieve": 2}
    assert host.service.usage("nobody") == {}


def test_a_key_that_is_pinned_to_a_stage_stays_there(serve):
    host = serve()
    host.loop.call_soon_threadsafe(host.service.stage, "a~s", "retrieve")
    host.post(stage="judge")
    assert list(host.service.usage("a~s")) == ["judge"]


def test_tokens_of_every_kind_are_read(serve, upstream):
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 40},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    upstream.default = Play(completion(**usage))
    host = serve()
    host.post()
    row = host.row()
    assert (row.tokens_in, row.tokens_out, row.cached, row.reasoning) == (100, 50, 40, 30)
    assert row.bytes_out == len(upstream.default.body)


def test_a_streamed_response_says_its_tokens_in_its_last_event(serve, upstream):
    usage = {"input_tokens": 9, "output_tokens": 4, "input_tokens_details": {"cached_tokens": 3}}
    events = [{"type": "response.created", "response": {}}, {"type": "response.output_text.delta", "delta": "a"}]
    done = {"type": "response.completed", "response": {"output": [{}], "usage": usage}}
    upstream.default = Play(parts=sse(*events, done))
    host = serve()
    assert host.post("/responses", input="hi", stream=True).content == b"".join(upstream.default.parts)
    row = host.row()
    assert (row.tokens_in, row.tokens_out, row.cached, row.estimated, row.errors) == (9, 4, 3, 0, 0)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": None}, 3])
def test_usage_that_is_missing_or_zero_is_estimated_and_marked(serve, upstream, usage):
    body = completion("one two three")
    body["usage"] = usage
    upstream.default = Play(body)
    host = serve()
    host.post(messages=[{"role": "user", "content": "four words are here"}])
    row = host.row()
    assert (row.tokens_in, row.tokens_out, row.estimated) == (5, 4, 1), "a word of 5 letters counts 2"


def test_usage_that_a_stream_does_not_say_is_estimated_from_its_pieces(serve, upstream):
    upstream.default = Play(parts=sse(chunk("one "), chunk("two "), chunk("six", finish="stop"), "[DONE]"))
    host = serve()
    host.post(stream=True)
    assert (host.row().tokens_in, host.row().tokens_out, host.row().estimated) == (1, 3, 1)


def test_cost_comes_from_the_price_table_with_its_own_price_for_cached_tokens():
    prices = PriceTable({"gpt-*": Price(input=2.0, output=8.0, cached=0.5)})
    assert prices.cost("gpt-x", 1_000_000, 500_000, 400_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)


def test_an_unknown_price_makes_the_cost_unknown_and_never_zero():
    account = Account(PriceTable({"m": Price(input=1.0)}))
    account.add(spent())
    assert account.usage("a~s")["write"] == Usage(calls=1, tokens_in=10, tokens_out=2, cost=1e-5)
    account.add(spent(model="other"))
    assert account.usage("a~s")["write"] == Usage(calls=2, tokens_in=20, tokens_out=4, cost=None)


def test_the_embedded_model_costs_nothing():
    assert PriceTable({}).cost("offline", 1e6, 1e6, 0) == 0


def test_the_account_adds_up_over_all_sessions_in_one_folder(tmp_path):
    file = tmp_path / "usage.jsonl"
    for _ in range(2):
        account = Account(PriceTable({}), file)
        account.add(spent())
        account.save()
        account.add(spent())
        account.close()
    rows = list(read_account(file))
    assert [(row.session, row.calls, row.tokens_in) for row in rows] == [(1, 2, 20), (2, 2, 20)]
    assert len(file.read_text(encoding="utf-8").splitlines()) == 4, "each saving appends what changed"


def test_a_line_that_a_killed_process_left_half_written_is_dropped(tmp_path):
    file = tmp_path / "usage.jsonl"
    account = Account(PriceTable({}), file)
    account.add(spent())
    account.close()
    with file.open("ab") as stream:
        stream.write(b'{"session":1,"cell_')
    account = Account(PriceTable({}), file)
    account.add(spent())
    account.close()
    assert [row.session for row in read_account(file)] == [1, 2]


def test_a_row_says_quantiles_of_its_times():
    account = Account(PriceTable({}))
    for place in range(100):
        account.add(spent(seconds=(place + 1) / 100))
    (row,) = account.rows()
    assert row.p50 == pytest.approx(0.50, rel=0.02)
    assert row.p95 == pytest.approx(0.95, rel=0.02)
    assert row.p99 == pytest.approx(0.99, rel=0.02)
    assert row.seconds == pytest.approx(50.5)


@given(st.lists(st.floats(1e-4, 1e4), min_size=1, max_size=200), st.sampled_from([0.5, 0.95, 0.99, 1.0]))
def test_quantiles_are_within_two_percent_of_an_exact_one(values, share):
    quantiles = Quantiles()
    for value in values:
        quantiles.add(value)
    ranked = sorted(values)
    exact = ranked[max(1, -(-int(share * 100) * len(ranked) // 100)) - 1]
    assert quantiles.at(share) == pytest.approx(exact, rel=0.02)


def test_quantiles_take_no_more_room_for_more_values():
    quantiles = Quantiles()
    for place in range(100_000):
        quantiles.add(0.001 * (1 + place % 1000))
    assert len(quantiles._classes) < 360
    assert quantiles.count == 100_000


@pytest.mark.parametrize("usage", [None, 5, [], {}, {"prompt_tokens": "7"}, {"prompt_tokens": -1}])
def test_what_is_no_usage_is_none(usage):
    assert stated(usage) is None


ODD = st.none() | st.integers() | st.text(max_size=3) | st.floats() | st.lists(st.integers(), max_size=1)
NAMES = st.sampled_from(["prompt_tokens", "input_tokens", "completion_tokens", "prompt_tokens_details", "x"])


@given(st.dictionaries(NAMES, ODD | st.dictionaries(st.just("cached_tokens"), ODD)))
def test_no_usage_whatever_its_shape_breaks_the_reading(usage):
    found = stated(usage)
    assert found is None or found.tokens_in > 0


def test_embeddings_without_usage_are_estimated_from_their_texts(serve, upstream):
    upstream.default = Play({"data": [{"embedding": [0.1]}]})
    host = serve()
    host.post("/embeddings", input=["one two", "six"])
    assert (host.row().tokens_in, host.row().tokens_out, host.row().estimated) == (3, 0, 1)


def test_the_account_on_disk_holds_no_text_of_a_call(serve, tmp_path):
    host = serve(tmp_path)
    host.post(messages=[{"role": "user", "content": "a very private sentence"}])
    host.stop()
    (line,) = (tmp_path / "usage.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["tokens_in"] == 10
    assert "private" not in line
