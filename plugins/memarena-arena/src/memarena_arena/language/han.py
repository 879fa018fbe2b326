"""Numbers and times of day as Chinese writes them, put into digits: `三百五十`, `一万二`, `两成`, `下午三点半`."""

from __future__ import annotations

import re

_DIGIT_SIGNS = ("零〇", "一壹", "二两贰兩貳", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
_DIGITS = {sign: value for value, signs in enumerate(_DIGIT_SIGNS) for sign in signs}
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_BIG = {"亿": 10**8, "億": 10**8, "万": 10**4, "萬": 10**4}
"""The larger first: a smaller one can stand before it, as in `一万亿`."""
_LONGEST = 40
_MANY = 4
"""Digits side by side that are a number without a unit, as years are; fewer are only with a zero among them."""
_MEASURES = (
    "小时", "分钟", "公里", "公斤", "毫克", "毫升", "个", "次", "天", "年", "月", "周", "点", "元", "块", "人", "位",
    "名", "张", "台", "本", "件", "只", "条", "间", "层", "岁", "倍", "遍", "号", "日", "份", "家", "套", "辆", "杯",
    "盒", "包",
)  # fmt: skip
_EARLY, _LATE = ("凌晨", "清晨", "早上", "上午"), ("中午", "下午", "傍晚", "晚上")
"""Parts of the day before noon, and those in which a small hour is one after it."""

_DIGIT, _SIGN = f"[{''.join(_DIGITS)}]", f"[{''.join((*_DIGITS, *_UNITS, *_BIG))}]"
_ALONE = f"(?<!{_SIGN})[二两兩三四五六七八九十]"
_VAGUE = "(?<![0-9几数])"
"""Not behind what makes a number one of about that size, nor inside another."""
HINT = re.compile(f"{_SIGN}|点")
"""A text without any of these has nothing for this module."""
NUMBER = re.compile(
    rf"{_VAGUE}(?!(?<=[周期拜])[一二三四五六][十拾]{_DIGIT}?点)[{''.join(_DIGITS)}十拾]{_SIGN}++(?![0-9几])"
)
"""Characters side by side that can be a number; not those of `周三十点`."""
_DECIMAL = re.compile(rf"{_VAGUE}(?<!{_SIGN})({_SIGN}+)点({_DIGIT}++)(?![分刻点十])")
_PERCENT = re.compile(rf"百分之({_SIGN}+)(?:点({_DIGIT}+))?")
_TENTHS = re.compile(rf"({_ALONE})成([一二三四五六七八九])?(?![员不功为了本果年立绩长熟交分])|(?<!{_SIGN})一半")
_TIME = re.compile(
    rf"({'|'.join((*_EARLY, *_LATE))})?((?<![0-9])[0-9]{{1,2}}|(?<!{_SIGN})[{''.join(_DIGITS)}十])点"
    rf"(?:(半)|([一三])刻|([0-9]{{2}})分?(?![0-9])|({_DIGIT}|十|[0-9])分|(钟|整))?"
)
_COUNTED = re.compile(rf"{_VAGUE}(?<![第周期拜])({_ALONE})(个半)?(?={'|'.join(_MEASURES)})")


def in_digits(text: str) -> str:
    """`text` with every number of several characters in digits."""
    return NUMBER.sub(_written, text) if HINT.search(text) else text


def plain(text: str) -> str:
    """`text` with shares and times of day in digits too, and single characters before a measure word, as in `三个`:
    anywhere else they are mostly part of a word."""
    if not HINT.search(text):
        return text
    text = _DECIMAL.sub(_decimal, _TENTHS.sub(_tenths, _PERCENT.sub(_percent, text)))
    return _TIME.sub(_time, _COUNTED.sub(_counted, in_digits(text)))


def number(run: str) -> int | None:
    """The number that characters make together; None where they do not (`二三十`)."""
    if len(run) > _LONGEST:
        return None
    if all(sign in _DIGITS for sign in run):
        is_one = len(run) == 1 or len(run) >= _MANY or any(_DIGITS[sign] == 0 for sign in run)
        return int(_one_by_one(run)) if is_one else None
    return _whole(run)


def _one_by_one(run: str) -> str:
    return "".join(str(_DIGITS[sign]) for sign in run)


def _whole(run: str, *, short: bool = True) -> int | None:
    """The number of characters with units, or of a lone one; `short`: the last unit may be left out (`三百五`)."""
    for sign, size in _BIG.items():
        head, found, tail = run.partition(sign)
        if found:
            whole, rest = _whole(head, short=False), _behind(tail, size)
            return None if not whole or rest is None else whole * size + rest
    return _below_ten_thousand(run, short=short)


def _behind(tail: str, size: int) -> int | None:
    """What stands behind a unit of a size: of a lone digit so many tenths of it."""
    if not tail:
        return 0
    if len(tail) == 1 and _DIGITS.get(tail):
        return _DIGITS[tail] * size // 10
    rest = _whole(tail[1:] if _DIGITS.get(tail[0]) == 0 else tail)
    return rest if rest and rest < size else None


def _below_ten_thousand(run: str, *, short: bool) -> int | None:
    total, last, digit, gap = 0, 10**4, 0, False
    for sign in run:
        size, value = _UNITS.get(sign, 0), _DIGITS.get(sign, 0)
        if size:
            bare = size == 10 and not total and not gap
            if size >= last or not (digit or bare):
                return None
            total, last, digit, gap = total + (digit or 1) * size, size, 0, False
        elif digit or (not value and (gap or not total)):
            return None
        else:
            digit, gap = value, gap or not value
    if not digit:
        return None if gap else total
    if gap or last in (10, 10**4):
        return total + digit
    return total + digit * last // 10 if short else None


def _written(found: re.Match[str]) -> str:
    value = number(found[0])
    if value is None:
        return found[0]
    return _one_by_one(found[0]) if all(sign in _DIGITS for sign in found[0]) else str(value)


def _decimal(found: re.Match[str]) -> str:
    whole = number(found[1])
    return found[0] if whole is None else f"{whole}.{_one_by_one(found[2])}"


def _percent(found: re.Match[str]) -> str:
    share = 100 if found[1] == "百" else number(found[1])
    if share is None:
        return found[0]
    return f"{share}{f'.{_one_by_one(found[2])}' if found[2] else ''}%"


def _tenths(found: re.Match[str]) -> str:
    if not found[1]:
        return "50%"
    return f"{_small(found[1])}{_DIGITS.get(found[2] or '', 0)}%"


def _time(found: re.Match[str]) -> str:
    part, at, half, quarter, minutes, few, sharp = found.groups()
    hour = _small(at)
    if hour > 24 or not (part or half or quarter or minutes or few or sharp):
        return found[0]
    if part and hour <= 12:
        midnight = part in ("凌晨", "晚上") and hour == 12
        hour = 0 if midnight else hour + 12 * (part in _LATE and hour < 12)
    minute = 30 if half else {"一": 15, "三": 45}[quarter] if quarter else _small(minutes or few or "0")
    return found[0] if minute > 59 else f"{hour % 24}:{minute:02}"


def _small(written: str) -> int:
    """A number in digits, or of one character."""
    return int(written) if written.isascii() else _UNITS.get(written) or _DIGITS[written]


def _counted(found: re.Match[str]) -> str:
    return f"{_small(found[1])}{'.5个' if found[2] else ''}"
