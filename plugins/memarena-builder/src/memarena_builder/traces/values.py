"""What a value may be: where it ends in a clause, and whether it tells something that can be asked for."""

from __future__ import annotations

import re

MOST_WORDS = {"doing": 9}
"""Words of a value, at most, where it is another number than usual."""
USUAL_WORDS = 7
CLEAR = 3
"""Words of a thing with `the`, at least."""
THINGS = frozenset({"thing", "place", "name", "job", "act"})
"""Kinds that end before what a thing is for, or with whom."""


def _any(*rows: str) -> str:
    """A pattern for one of the words in `rows`; `_` stands for a blank."""
    return "(?:" + "|".join(re.escape(word).replace("_", r"\ ") for row in rows for word in row.split()) + ")"


_END = re.compile(
    r"\s*[,;:!?()\[\]{}\"“”…]|\s+[-–—]+\s|—|\s+"
    + _any(
        "but because since so which who whom that when whenever while where if after before until till though",
        "although as thanks cause hoping thinking and_then",
    )
    + r"\b|\s+and\s+(?!(?:a|an|the|some|my|our|his|her|their|two|three|\d+)\s|(?-i:[A-Z]))|\s+"
    + _any("is are was were has have had will would can could help helps make makes made reminded felt")
    + r"\s",
    re.IGNORECASE,
)
"""Where the value is over."""
_END_OF_THING = re.compile(
    rf"\s+{_any('for with without during about by from using like together just')}\s|"
    r"\s+to\s+(?!(?:the|a|an|my|our|his|her)\s|[A-Z])"
)
"""What follows a thing and is more than it: with whom, for whom, how."""
_DAYS = _any(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun january",
    "february march april may june july august september october november december",
)
_SPANS = _any("minute hour day week month year night weekend summer winter spring fall autumn morning evening time")
_WHEN = re.compile(
    r"\s+(?:(?:about|around|almost|over) )?(?:"
    + _any(
        "yesterday today tonight tomorrow now again recently lately too also already yet once twice soon",
        "together myself ourselves instead though actually anymore as_well right_now there here at_the_moment",
        "these_days so_far for_now",
    )
    + rf"|(?:last|this|next|every|each|that|the (?:other|next|past|last)) (?:\w+ )?(?:{_SPANS}|{_DAYS})"
    rf"|(?:(?:an?|one|two|three|four|five|six|ten|some|\d+)(?: few| couple of)?|few) (?:\w+ )?{_SPANS}s? (?:ago|back)"
    rf"|(?:earlier|later)(?: \w+)?|(?:on|in|since) (?:{_DAYS}|\d{{4}})(?: \d+)?"
    rf"|(?:in|for) (?:the )?(?:last |past )?(?:\w+ )?{_SPANS}s)$",
    re.IGNORECASE,
)
"""When it was, behind the value."""
_DANGLING = re.compile(
    rf"(?:\s+{_any('of by to with for at in on and or the a an my first more even online')})+$", re.I
)
"""What is left at the end where a clause was cut."""
_ARTICLE = re.compile(
    rf"{_any('a an the my our his her their some two three four five six seven eight nine ten another new')}\s|\d+\s",
    re.I,
)
_EMPTY = re.compile(
    _any(
        "it this that these those them they him her he she you me us there here one ones something anything",
        "everything nothing someone somebody everyone stuff things a_lot lots more most much many what how why",
        "all so too very really just not never always like such quite pretty super been being going gonna doing",
        "having getting about up out off away over down back on in at to into of with for by from well good",
        "great nice fun amazing awesome the_same a_bit a_little a_while a_few a_couple a_ton a_bunch the_best",
        "the_way the_one the_right my_way way ways sure a_good a_great an_amazing an_awesome a_big_deal a_huge",
        "a_blast no any each every both myself themselves others other people time",
    )
    + r"\b",
    re.IGNORECASE,
)
"""How values begin that tell nothing by themselves."""
_VAGUE = re.compile(
    rf"(?:the|an?|another|any) {_any('idea thought concept notion way look feeling example chance opportunity')}\b|"
    rf"(?:(?:the|a|an|my|our|some|new|this) )?(?:\w+ )?{_any('weekend day_out')}$|"
    r"(?:(?:the|a|an|my|our|some|new|this) )?"
    + _any(
        "thing things stuff one ones place bit lot way time day moment fun idea experience journey blast break",
        "look chance difference step point part kind sort talk chat call walk picture pictures photo photos pic",
        "pics impact progress effort sense memories memory mind heart feeling feelings setback working caring",
        "doing being going learning trying living helping",
    )
    + "$",
    re.IGNORECASE,
)
"""What is too little to be asked for."""
_POINTS = re.compile(
    r"\b"
    + _any("it this that these those them him her you your something anything things stuff there here they we I he she")
    + r"\b"
)
"""Words that mean something only by what was said before."""
_NO_VERB = re.compile(
    _any(
        "be have see hear do get say know keep a an the my our his her some more go_back try make_sure share",
        "show tell ask thank let take_a give learn_more chat talk catch_up help feel stay remember",
        "make_a_difference",
    )
    + r"\b"
)
"""What says nothing of a plan: no verb, or one that says little."""
_JOB = re.compile(
    r"an? (?:[a-z]+(?:ing)? ){0,2}(?:[a-z]{2,}(?:er|or|ist|ian|eer|yst|ect)|"
    + _any("nurse chef coach student pilot clerk intern assistant consultant accountant freelancer CEO CTO dev")
    + ")"
)
_NO_JOB = re.compile(
    r"\b"
    + _any(
        "lover beginner member mother father brother sister survivor supporter believer winner stranger",
        "teenager matter reminder number other another better loser newcomer partner dreamer thinker fighter",
        "keeper helper follower owner over super never ever bigger wonder former water color door floor",
        "disaster quarter letter winter summer major minor error chapter",
    )
    + "$"
)
_AGE = re.compile(
    r"(?:\d{1,2}|[a-z]+teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-[a-z]+)?)(?P<so> years old)?"
)
_STATE = re.compile(
    "(?:un)?"
    + _any(
        "open closed locked broken empty full done ready canceled cancelled postponed delayed approved rejected",
        "paid sold lost found booked confirmed pending shipped delivered failed running stopped down offline",
        "online active inactive expired valid invalid finished complete completed missing fixed merged deployed",
        "signed overdue clean dirty on off red green blue yellow black white gray grey brown pink purple orange",
        "hot cold wet dry sliced cooked washed installed published released archived deprecated",
    ),
    re.IGNORECASE,
)
"""Words that are a state by themselves."""
_NAME = re.compile(r"\b[A-Z][\w’'-]+")
_NO_NAMES = frozenset({"I'm", "I've", "I'll", "I’m", "I’ve", "I’ll"})


def cut_value(text: str, kind: str) -> str:
    """The value at the beginning of `text`, to the end of what it is."""
    text = text.strip()
    end = _END.search(text)
    found = text[: end.start()] if end else text
    if kind in THINGS:
        more = _END_OF_THING.search(found)
        found = found[: more.start()] if more else found
    found = found.strip(" .!'’*_")
    while when := _WHEN.search(found):
        found = found[: when.start()].strip(" .!")
    return _DANGLING.sub("", found)


def fits(value: str, kind: str) -> bool:
    """Whether a value of this kind tells something that can be asked for."""
    words = value.split()
    if not 0 < len(words) <= MOST_WORDS.get(kind, USUAL_WORDS) or len(value) < 2 or not value.isprintable():
        return False
    if _VAGUE.match(value):
        return False
    return _CHECKS[kind](value, words)


def _is_age(value: str, words: list[str]) -> bool:
    found = _AGE.fullmatch(value)
    return found is not None and (found["so"] is not None or words[0].isdecimal())


def _is_job(value: str, _: list[str]) -> bool:
    return _JOB.fullmatch(value) is not None and _NO_JOB.search(value) is None


def _is_fact(value: str, _: list[str]) -> bool:
    return _EMPTY.match(value) is None and (_STATE.fullmatch(value) is not None or _tells(value))


def _is_deed(value: str, words: list[str]) -> bool:
    """Whether it is what somebody may do: it begins with a verb, and points to nothing outside of it."""
    return len(words) > 1 and words[0].islower() and not (_NO_VERB.match(value) or _POINTS.search(value))


def _is_thing(value: str, words: list[str]) -> bool:
    named = _tells(value) or (_ARTICLE.match(value) is not None and len(words) > 1)
    return named and not (_EMPTY.match(value) or _POINTS.search(value))


def _is_clear(value: str, words: list[str]) -> bool:
    """A thing that does not rest on what was said before: `the name` does, `the name of the street` does not."""
    bare = value.lower().startswith("the ") and len(words) < CLEAR and not _tells(value)
    return _is_thing(value, words) and not bare


def _is_act(value: str, words: list[str]) -> bool:
    doing = words[0].endswith("ing") and words[0].islower() and _EMPTY.match(value.removeprefix("going ")) is None
    return (doing and not _POINTS.search(value)) or _is_clear(value, words)


def _is_named(value: str, words: list[str]) -> bool:
    return _is_thing(value, words) and _tells(value)


def _is_any(value: str, _: list[str]) -> bool:
    return _EMPTY.match(value) is None


_CHECKS = {
    "number": _is_age, "job": _is_job, "fact": _is_fact, "doing": _is_deed, "act": _is_act, "thing": _is_clear,
    "place": _is_thing, "whole": _is_thing, "name": _is_named, "any": _is_any,
}  # fmt: skip
"""By kind of a value: whether it is one."""


def _tells(value: str) -> bool:
    """Whether there is a number or a name in it."""
    return any(sign.isdigit() for sign in value) or any(name not in _NO_NAMES for name in _NAME.findall(value))
