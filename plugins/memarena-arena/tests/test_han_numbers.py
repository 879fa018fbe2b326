"""Numbers as Chinese writes them: what they are worth, what is none, and what the lexical judge makes of them."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memarena.records import JudgementRequest
from memarena_arena.language.han import in_digits, number, plain
from memarena_arena.lexical import LexicalJudge

NUMBERS = [
    ("三百五十", 350), ("一百零五", 105), ("一百一十", 110), ("两千两百", 2200), ("一千零五", 1005),
    ("一千零五十", 1050),
    ("十二", 12), ("二十", 20), ("一万零二", 10_002), ("一万两千四百五十", 12_450), ("十万零十", 100_010),
    ("九十九万九千九百九十九", 999_999), ("一亿三千万", 130_000_000), ("一万亿", 10**12),
    ("三百五", 350), ("三千五", 3500), ("一万二", 12_000), ("两万五", 25_000),
    ("二〇二六", 2026), ("一九九八", 1998), ("壹万贰仟叁佰", 12_300), ("兩萬", 20_000),
]  # fmt: skip
NONE = [
    "二三十", "五六百", "三七二十一", "百万", "千万", "万一", "千千万万", "零八百", "三百零", "五百九万", "十百",
    "一百二百",
    "一二", "三四", "一万二万", "五万一零零", "",
]  # fmt: skip


@pytest.mark.parametrize(("said", "value"), NUMBERS)
def test_a_number_in_characters_has_its_value(said, value):
    assert number(said) == value


@pytest.mark.parametrize("said", NONE)
def test_characters_that_make_no_number_have_none(said):
    assert number(said) is None


def read_aloud(value: int) -> str:
    """Digit by digit with its unit, zeros as they come; then one zero for each gap and none at the end."""
    names, units = "零一二三四五六七八九", "千百十 "
    groups = [
        "".join(
            names[int(digit)] + (unit if digit != "0" else "") for digit, unit in zip(f"{each:04}", units, strict=True)
        )
        for each in divmod(value, 10_000)
    ]
    whole = re.sub("零+万", "万零", "万".join(groups).replace(" ", ""))
    return re.sub("零+", "零", whole).lstrip("零万").rstrip("零")


@given(st.integers(1, 99_999_999))
@example(20_000_000)
@example(10_000)
def test_every_number_that_is_read_aloud_is_read_back(value):
    said = read_aloud(value)
    assert number(said) == value
    assert number(said.replace("二千", "两千").replace("二百", "两百").replace("二万", "两万")) == value


@given(st.text("零一二三四五六七八九十百千万亿点成半分之两几", max_size=30))
def test_whatever_characters_stand_side_by_side_nothing_fails_and_no_sign_is_made_up(text):
    assert set(plain(text)) <= set(text) | set("0123456789.:%个")


@given(st.text(st.characters(codec="ascii")))
def test_a_text_without_chinese_stays_as_it_is(text):
    assert plain(text) == in_digits(text) == text


TEXTS = [
    ("剂量是三百五十毫克", "剂量是350毫克"), ("预算一万二千元左右", "预算12000元左右"), ("两成的人", "20%的人"),
    ("三成五", "35%"),
    ("百分之二十", "20%"), ("百分之三点五", "3.5%"), ("百分之百", "100%"), ("一半", "50%"), ("零点五", "0.5"),
    ("下午三点半", "15:30"), ("三点五十分", "3:50"), ("三点五分", "3:05"), ("三点一刻", "3:15"), ("晚上十二点", "0:00"),
    ("中午十二点", "12:00"), ("下午3点", "15:00"), ("15点30分", "15:30"), ("九点钟", "9:00"),
    ("三个", "3个"), ("两个半小时", "2.5个小时"), ("十分钟", "10分钟"), ("十月三日", "10月3日"),
    ("二〇二六年三月五日", "2026年3月5日"),
    ("零零七", "007"), ("第三十二页", "第32页"),
]  # fmt: skip
LEFT = [
    "一起去三亚", "万一下雨", "周三见", "星期五", "第三个", "一成不变", "三成员", "二三十个人", "几十万", "数十万",
    "三十几岁",
    "千万别忘", "一点一点来", "十分满意", "百里晴", "五金店", "周三十点",
]  # fmt: skip


@pytest.mark.parametrize(("said", "digits"), TEXTS)
def test_numbers_shares_and_times_are_put_into_digits(said, digits):
    assert plain(said) == digits


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_a_number_is_left(text):
    assert plain(text) == text


def test_where_numbers_alone_are_wanted_single_characters_stay():
    assert in_digits("晾上十分钟，三个人，一百二十天，三点半") == "晾上十分钟，三个人，120天，三点半"


@pytest.mark.parametrize("piece", ["三百五十点百分之", "零", "三点", "百分之一", "一", "万", "两成", "一点"])
def test_a_long_text_takes_little_time(piece):
    begin = process_time()
    plain(piece * 20_000)
    assert process_time() - begin < 5


ANSWERS = [
    ("350毫克", "三百五十毫克", "Correct"), ("350毫克", "剂量是三百五十毫克。", "Correct"),
    ("350毫克", "三百六十毫克", "Hallucination"),
    ("12,000元", "一万二千元", "Correct"), ("12,000元", "两万一千元", "Hallucination"), ("三个", "3个", "Correct"),
    ("20%", "两成", "Correct"), ("20%", "百分之三十", "Hallucination"), ("15:30", "下午三点半", "Correct"),
    ("2026年3月5日", "二〇二六年三月五日", "Correct"), ("2026年3月5日", "三月六日", "Hallucination"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer", "verdict"), ANSWERS)
def test_the_judge_reads_chinese_numbers_as_values(reference, answer, verdict):
    request = JudgementRequest(task="answer", question="多少才对？", reference=reference, answer=answer)
    [label] = LexicalJudge().label([request])
    assert label is not None and label.verdicts == (verdict,)


@pytest.mark.parametrize(
    ("kept", "verdict"), [("艾女士的剂量是三百五十毫克。", "yes"), ("艾女士的剂量是三百六十毫克。", "no")]
)
def test_the_judge_finds_a_point_in_a_memory_that_writes_its_number_in_words(kept, verdict):
    request = JudgementRequest(task="recall", points=("艾女士的剂量是350毫克。",), items=(kept,))
    [label] = LexicalJudge().label([request])
    assert label is not None and label.verdicts == (verdict,)
