"""`memarena data show --html`: one sample as a page."""

from __future__ import annotations

import base64
from html.parser import HTMLParser
from pathlib import Path

import pytest

from memarena.cli.data_html import sample_html
from memarena.records import Attachment, Checkpoint, Evidence, GoldPoint, Question, Sample, Session, Turn

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ALONE = {"meta", "img", "br", "hr"}
"""Elements without an end."""


class Reader(HTMLParser):
    """What a page holds; raises where its elements do not nest."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if tag == "a" else []
        self.pictures += [found["src"] or ""] if tag == "img" else []
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    path = tmp_path / "a.png"
    path.write_bytes(PIXEL)
    shown = Attachment(image_id="S0_img_1", path=str(path), caption="a badge")
    gone = Attachment(image_id="S0_img_2", missing=True, caption="a lost badge")
    turn = Turn(
        turn_id="S0:T0", session_id="S0", index=0, body="<b>I live in Porto</b> & work", attachments=(shown, gone)
    )
    point = GoldPoint(
        memory_id="m 1", content="Lives in Porto.", session_id="S0", kind="update", replaces=("In Lyon.",)
    )
    evidence = (
        Evidence(evidence_id="m 1", content="Lives in Porto.", session_id="S0"),
        Evidence(evidence_id="S0_img_1", image_id="S0_img_1", content="image_id: S0_img_1"),
        Evidence(evidence_id="m9"),
    )
    question = Question(
        question_id="C0:Q001", text="Where?", reference="Porto", type="DU", evidence=evidence, stale_answers=("Lyon",)
    )
    stop = Checkpoint(checkpoint_id="C0", covered=("S0",), after_session="S0", questions=(question,))
    return Sample(
        sample_id="one",
        sessions=(Session(session_id="S0", turns=(turn,), points=(point,)), Session(session_id="S1")),
        checkpoints=(stop,),
    )  # fmt: skip


def test_the_page_has_what_was_said_what_is_gold_and_what_is_asked(sample: Sample) -> None:
    text = Reader(sample_html(sample)).text
    for part in (
        "one",
        "S0",
        "Lives in Porto.",
        "in place of: In Lyon.",
        "Where?",
        "Porto",
        "never: Lyon",
        "unresolved",
    ):
        assert part in text


def test_what_a_data_set_says_is_text_and_never_markup(sample: Sample) -> None:
    page = sample_html(sample)
    assert "<b>I live in Porto</b> & work" not in page
    assert "<b>I live in Porto</b> & work" in Reader(page).text


def test_pictures_are_part_of_the_page_and_missing_ones_are_named(sample: Sample) -> None:
    found = Reader(sample_html(sample))
    (source,) = found.pictures
    assert source == f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}"
    assert "missing" in found.text and "a lost badge" in found.text


def test_evidence_leads_to_its_point_and_to_its_picture(sample: Sample) -> None:
    found = Reader(sample_html(sample))
    targets = {link.removeprefix("#") for link in found.links}
    assert {"m-m_1", "i-S0_img_1", "s-S0"} <= targets
    assert targets - set(found.ids) == {"m-m9"}
    assert len(found.ids) == len(set(found.ids))


def test_only_the_sessions_that_are_wanted_are_shown(sample: Sample) -> None:
    found = Reader(sample_html(sample, ["S1"]))
    assert "Porto" not in found.text and "S1" in found.text and "Where?" not in found.text


def test_nothing_is_loaded_from_elsewhere(sample: Sample) -> None:
    page = sample_html(sample)
    assert "http" not in page and "<script" not in page and "<link" not in page
