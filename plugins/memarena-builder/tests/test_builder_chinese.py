"""The Chinese pack reaches the bars of the English ones."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import date

import pytest
from builder_on_disk import OnDisk
from builder_orders import QUOTA
from msgspec.structs import replace
from test_builder_reader import VISUAL, answers

from memarena.records import AskedQuestion, Shown, ShownItem
from memarena_arena.lexical import LexicalJudge
from memarena_builder.layout import write_sample
from memarena_builder.lifelong import build_sample
from memarena_builder.order import LifelongOrder
from memarena_builder.packs.load import load
from memarena_builder.packs.schema import Slot
from memarena_builder.pictures import fonts
from memarena_builder.pictures.drawn import drawn
from memarena_builder.pictures.palette import COLOURS, COLOURS_HAN, palette
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Field, PictureSpec
from memarena_builder.presets import Variant, orders
from memarena_builder.probes.finished import Finished
from memarena_builder.probes.judging import agreement, cases, confusion
from memarena_builder.reader.answerer import SimReader
from memarena_builder.validators.problem import says
from memarena_builder.world.cast import short_name
from memarena_builder.world.values import NoValueLeftError, Values, number_of, unit_of

BARS = {"answer": 0.97, "coverage": 0.95, "recall": 0.95, "update": 0.95, "interference": 0.95}


def order(seed, split="test"):
    return LifelongOrder(
        sample_id="health_01", place="lifelong/project/health", domain="health", seed=seed, split=split,
        quota=replace(QUOTA, language="zh"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    made = []
    for seed, split in ((3, "test"), (4, "dev"), (5, "test")):
        root = tmp_path_factory.mktemp("zh")
        built = build_sample(order(seed, split))
        write_sample(built, root)
        made.append((built, OnDisk(root, built)))
    return made


def test_all_that_a_system_reads_is_chinese(chinese):
    for built, _ in chinese:
        words = [line.text for spoken in built.spoken.values() for line in spoken.lines]
        words += [spec.caption for spec in built.plan.pictures.values()]
        words += [question.text for stop in built.stops for question in stop.questions]
        assert [text for text in words if re.search("[A-Za-z]{3}", text)] == []


def test_no_validator_finds_anything_that_could_not_be_mended(chinese):
    assert [problem for built, _ in chinese for problem in built.problems if not problem.repaired] == []


def test_every_question_is_answered_from_words_and_pictures_and_none_on_pictures_without_them(chinese):
    for _, sample in chinese:
        for kind, reference, answer in answers(sample, pictures=True, language="zh"):
            assert answer == reference, kind
        for kind, reference, answer in answers(sample, pictures=False, language="zh"):
            assert (answer == reference) is (kind not in VISUAL), kind


def test_the_lexical_judge_agrees_with_what_is_known_by_construction(chinese):
    found = {}
    for built, sample in chinese:
        name = built.order.sample_id
        read = Finished(sample.folder / f"{name}.json", sample.root / "hidden" / f"{name}.jsonl")
        for task, table in confusion(LexicalJudge(), cases(read, random.Random(1))).items():
            found[task] = found.get(task, Counter()) + table
    assert {task: agreement(found[task]) >= bar for task, bar in BARS.items()} == dict.fromkeys(BARS, True), found


def test_the_answerer_knows_the_language_from_the_question():
    def ask(text, *shown):
        items = tuple(ShownItem(rank=n, memory_id=f"m{n}", text=each) for n, each in enumerate(shown, 1))
        return SimReader().answer(AskedQuestion(question_id="Q", text=text), Shown(items=items)).text

    old = "[Jan 02, 2026, 09:00:00] user: 对了，找林晓梅就拨分机号4417。"
    new = "[Mar 02, 2026, 09:00:00] user: 情况变了。晓梅的分机号是5120。"
    assert ask("林晓梅的内线是多少？", new, old) == "5120"
    assert ask("2026年2月1日当天，林晓梅的内线是什么？", new, old) == "4417"
    joke = "[Mar 03, 2026, 09:00:00] user: 周志强又逗我，开玩笑说林晓梅的分机号是3001。"
    assert ask("林晓梅的内线是多少？", new, joke) == "5120"


def test_a_chinese_amount_has_no_blank_before_its_unit_and_no_two_have_a_number_in_common():
    values = Values({}, date(2026, 1, 5), "zh")
    slot = Slot(kind="money", low=9, high=12, unit="卷")
    drawn_here = {values.draw(slot, random.Random(seed)) for seed in range(3)}
    assert drawn_here < {"9卷", "10卷", "11卷", "12卷"} and len(drawn_here) == 3
    values.reserve("12", "11", "10")
    with pytest.raises(NoValueLeftError):
        [values.draw(slot, random.Random(seed)) for seed in range(2)]
    assert (number_of("12卷"), unit_of("12卷")) == (12, "卷")
    assert (number_of("4,200 euros"), unit_of("4,200 euros")) == (4200, "euros")
    with pytest.raises(ValueError, match="W14"):
        number_of("W14")


def test_the_words_of_two_things_in_a_question_are_told_apart():
    held = ("安睡工程的人数是309。", "稳步计划的人数是198。")
    items = tuple(
        ShownItem(rank=n, memory_id=f"m{n}", text=f"[Mar 09, 2026, 17:30:00] {each}") for n, each in enumerate(held)
    )
    pack = load("health", "zh")
    what = pack.attribute("headcount").what
    for frame in pack.asking.total:
        text = frame.format(what_a=what.format(S="稳步计划"), what_b=what.format(S="安睡工程"))
        asked = AskedQuestion(question_id="Q", text=text)
        assert SimReader().answer(asked, Shown(items=items)).text == "507", frame


def test_the_first_name_of_a_chinese_name_is_what_follows_the_family():
    pack = load("health", "zh")
    assert short_name(pack, "林晓梅") == "晓梅"
    assert short_name(pack, "白杨超声仪") == "白杨超声仪"
    assert short_name(load("health"), "Mara Okafor") == "Mara"


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("分机号是2011。", "2011", True),
        ("分机号是12011。", "2011", False),
        ("家在苏州了", "苏州", True),
        ("a2011", "2011", False),
    ],
)
def test_letters_of_a_script_without_blanks_end_a_value(text, value, found):
    assert says(text, value) is found


def spec(kind, *fields):
    return PictureSpec(
        image_id="S00_img_1", kind=kind, subject="林晓梅", fields=fields, caption="", caption_full="",
        day=date(2026, 3, 12), seed=5,
        language="zh",
    )  # fmt: skip


def test_amounts_are_written_without_a_blank_and_marks_are_those_of_chinese(chinese):
    for built, _ in chinese:
        texts = [line.text for spoken in built.spoken.values() for line in spoken.lines]
        texts += [point.content for points in built.points.values() for point in points]
        assert any(re.search("[0-9](?:元|毫克)", text) for text in texts)
        assert [text for text in texts if re.search("[0-9] [\u4e00-\u9fff]|[\u4e00-\u9fff][,!?;:]", text)] == []


def test_no_small_talk_and_no_word_around_a_fact_names_a_value_of_another():
    pack = load("health", "zh")
    said = [text for exchange in (*pack.chat, *pack.own_chat) for text in exchange]
    said += [text for attribute in pack.attributes for text in attribute.around]
    values = [value for values in pack.pools.values() for value in values if len(value) > 1]
    assert [(value, text) for value in values for text in said if value in text] == []


def test_every_attribute_brings_what_is_said_around_its_facts():
    for each in load("health", "zh").attributes:
        assert len(set(each.occasions)) >= 5 and len(set(each.asides)) >= 6 and len(set(each.acks)) >= 6, each.name
        assert bool(each.sent) is each.visual, each.name


def test_every_letter_of_the_packs_can_be_drawn():
    pack = load("health", "zh")
    texts = [value for values in pack.pools.values() for value in values]
    texts += [attribute.label for attribute in pack.attributes]
    assert [text for text in texts if not fonts.typed(text)] == []


def test_chinese_type_stands_in_for_each_face_and_a_letter_that_none_has_is_named():
    assert fonts.instead("sans-bold", "工牌") == "han-bold" and fonts.instead(fonts.HAND, "工牌") == "kai"
    assert fonts.instead("serif", "é€") == "sans" and fonts.instead("sans", "\u0e01") == ""


def test_a_line_of_chinese_breaks_between_letters_and_never_before_a_comma():
    sheet = Sheet(spec("note", Field(label="家", value="苏州")), 200, 200)
    lines = sheet.lines("请用正楷填写，请用深色笔填写。", Style("sans", 20), 100)
    assert len(lines) > 2 and "".join(lines) == "请用正楷填写，请用深色笔填写。"
    assert not [line for line in lines if line[0] in "，。"]


@pytest.mark.parametrize("value", ["绯红", "靛蓝"])
def test_a_colour_is_read_back_by_its_chinese_name(value):
    made = drawn(spec("badge", Field(label="工牌", value=value, fact_id="F001", shown="colour", hidden=True)))
    assert made.unread == ()


def test_colours_have_one_name_in_each_language():
    assert list(COLOURS_HAN.values()) == list(COLOURS.values())
    assert set(COLOURS_HAN) == set(load("health", "zh").pools["colours"]) and palette("绯红") is COLOURS_HAN


def test_a_preset_has_as_many_projects_in_a_language_with_one_domain():
    made = orders("tiny", 7, variant=Variant(language="zh"))
    assert [each.sample_id for each in made] == [f"health_{n:02}" for n in range(1, 7)]
    assert {each.quota.language for each in made} == {"zh"}
