"""The HTML report: one file, nothing loaded, nothing of the data taken for markup."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace
from report_runs import Plan, write_run

from memarena import codec
from memarena.store import RunStore
from memarena_report import html, page
from memarena_report.html import HtmlReport
from memarena_report.scores import Scores
from memarena_report.splits import splits_seen
from memarena_report.traces import CLIP, pack

NASTY = (
    '<script>alert(1)</script><img src=x onerror="alert(2)">\'"`{{ 7 * 7 }}${1}]]>--><!--'
    "</textarea></style><a href='javascript:alert(3)'>\u202emoc.elpmaxe\u2028 "
)


class Page(HTMLParser):
    """The elements of a page and the texts of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.open = []
        self.texts = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "br", "link", "img"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def having(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    plan = Plan(
        shares={"<b onclick=x>": 0.5, "bm25": 0.7, "nothing": 0.1},
        text=lambda text: NASTY + text,
        failed=[("bm25", "sample-00")],
        known_wrong=1,
    )
    path = HtmlReport().write(write_run(tmp_path_factory.mktemp("html") / "run", plan))
    return path.read_text(encoding="utf-8")


def island(text):
    return json.loads(Page(text).texts["script"][0])


def inflated(blob):
    return json.loads(gzip.decompress(b64decode(blob)))


def test_the_page_is_well_formed(nasty):
    assert Page(nasty).open == []


def test_nothing_of_the_data_becomes_markup(nasty):
    page = Page(nasty)
    assert len(page.having("script")) == 2
    assert not page.having("img")
    assert not [attrs for _, attrs in page.elements if any(name.startswith("on") for name in attrs)]
    assert "alert(2)" not in " ".join(page.texts["script"][1])


def test_every_link_stays_in_the_page(nasty):
    assert {attrs["href"][:1] for attrs in Page(nasty).having("a")} == {"#"}


def test_nothing_is_loaded_from_anywhere(nasty):
    page = Page(nasty)
    assert not [tag for tag, attrs in page.elements if {"src", "srcset", "action", "data", "poster"} & set(attrs)]
    assert not page.having("link")
    assert not page.having("iframe")
    assert not re.search(r"@import|url\(", page.texts["style"][0])
    assert "http" not in page.texts["script"][1]


def test_the_policy_allows_exactly_the_script_and_the_style_of_the_page(nasty):
    page = Page(nasty)
    policy = next(attrs["content"] for attrs in page.having("meta") if "http-equiv" in attrs)
    digests = [
        b64encode(sha256(text.encode("utf-8")).digest()).decode()
        for text in (page.texts["style"][0], page.texts["script"][1])
    ]
    assert policy == f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'"


def test_no_style_attribute_is_used_since_the_policy_forbids_it(nasty):
    assert not [attrs for _, attrs in Page(nasty).elements if "style" in attrs]


def test_the_traces_are_whole_and_hold_the_texts_as_they_are(nasty):
    found = island(nasty)
    trace = inflated(found["blobs"]["sample-01"])
    question = trace["q"]["C0:Q001"]
    assert question["r"] == f"{NASTY}3"
    assert trace["t"][question["e"][0][3]].startswith(NASTY)
    assert found["systems"] == ["<b onclick=x>", "bm25", "nothing"]


def test_a_trace_shows_what_was_written_retrieved_shown_and_answered(tmp_path):
    store = write_run(tmp_path / "run", Plan(shares={"bm25": 1.0}))
    packed = pack(Scores(store))
    trace = inflated(packed.blobs["sample-00"])
    seen = trace["q"]["C1:Q001"]["y"]["0"]
    texts = trace["t"]
    op, text, share = seen["d"][0][0]
    assert (op, texts[text], share) == ("add", "Ana bought 3 red bicycles in town 11", 100)
    first = seen["g"][0]
    assert (texts[first[0]], first[1], first[2], first[3]) == ("Ana bought 4 red bicycles in town 12", 1.0, [0], True)
    assert seen["a"] == "3"
    assert seen["j"] == "values differ"
    assert [row[3] for row in packed.index[0]["q"]] == ["C"] * 18


def test_a_system_that_did_not_finish_a_sample_has_no_trace_there(nasty):
    trace = inflated(island(nasty)["blobs"]["sample-00"])
    assert set(trace["q"]["C0:Q001"]["y"]) == {"0", "2"}
    row = inflated(island(nasty)["index"])[0]["q"][0]
    assert row[3][1] == "."


def test_long_texts_are_cut_and_say_so(tmp_path):
    store = write_run(tmp_path / "run", Plan(samples=1, text=lambda text: f"{text} {'x' * 5000}"))
    trace = inflated(pack(Scores(store)).blobs["sample-00"])
    assert max(map(len, trace["t"])) < CLIP + 40
    assert any("characters)" in text for text in trace["t"])


def test_traces_that_do_not_fit_are_a_seeded_draw_of_samples(tmp_path):
    scores = Scores(write_run(tmp_path / "run", Plan(samples=6)))
    whole = pack(scores)
    one = len(next(iter(whole.blobs.values())))
    some = pack(scores, budget=5 * one)
    assert 0 < len(some.blobs) < 6
    assert some.blobs == {name: whole.blobs[name] for name in some.blobs}
    assert [row["id"] for row in some.index] == sorted(some.blobs)
    text = html.render(scores, some).decode()
    assert f"holds the traces of {len(some.blobs)} of 6 samples" in text


def test_a_report_that_would_be_too_large_leaves_the_traces_out(tmp_path, monkeypatch):
    store = write_run(tmp_path / "run", Plan(samples=1))
    monkeypatch.setattr(html, "LARGEST", 1000)
    text = HtmlReport().write(store).read_text(encoding="utf-8")
    assert 'id="questions"' not in text


def test_equal_runs_give_equal_reports(tmp_path):
    texts = [HtmlReport().write(write_run(tmp_path / name, Plan())).read_bytes() for name in ("one", "two")]
    assert texts[0] == texts[1]


def test_an_undefined_number_is_a_dash_with_its_reason(tmp_path):
    plan = Plan(failed=[("log", f"sample-{place:02d}") for place in range(4)])
    text = HtmlReport().write(write_run(tmp_path / "run", plan)).read_text(encoding="utf-8")
    assert "<li><b>log</b> Recall, Update, Recall@10, QA-C, QA-H, QA-O, F1: no cell finished</li>" in text
    assert "the index is gone" in text


def test_a_run_of_one_system_and_one_sample_has_a_report(tmp_path):
    text = HtmlReport().write(write_run(tmp_path / "run", Plan(shares={"bm25": 0.5}, samples=1))).read_text("utf-8")
    assert "1 memory system on example" in text
    assert 'id="pairs"' not in text


def test_the_headline_says_what_cannot_be_told_from_chance(tmp_path):
    plan = Plan(shares={"one": 0.5, "two": 0.5, "nothing": 0.1})
    text = HtmlReport().write(write_run(tmp_path / "run", plan)).read_text("utf-8")
    assert re.search(r"(one|two) answers best: [\d.]+ points ahead of (one|two) \(which these data cannot tell", text)
    assert "ahead of the floor nothing" in text


def test_the_colours_of_text_have_enough_contrast():
    style = html._asset("report.css")
    for block in (
        style.partition("@media (prefers-color-scheme: dark)")[0],
        style.partition("dark) {")[2].partition("* {")[0],
    ):
        colours = dict(re.findall(r"--(bg|card|ink|muted|accent|bad|good): (#[0-9a-f]{3,6})", block))
        for name in ("ink", "muted", "accent", "bad", "good"):
            for ground in ("bg", "card"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)


def contrast(one, other):
    """WCAG 2.1 contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_report_says_which_splits_its_run_saw(tmp_path):
    store = write_run(tmp_path / "run", Plan(samples=3))
    assert splits_seen(Scores(store)) == ""
    for place, split in enumerate(("dev", "test", "test")):
        sample = store.sample(f"sample-{place:02d}")
        file = store.path / "samples" / f"{sample.sample_id}.json"
        file.write_bytes(codec.encode(replace(sample, meta={"split": split})))
    seen = Scores(RunStore.open(store.path))
    assert splits_seen(seen) == "dev 1, test 2"
    assert ("samples by split", "dev 1, test 2") in page.context(seen, pack(seen))["facts"]
