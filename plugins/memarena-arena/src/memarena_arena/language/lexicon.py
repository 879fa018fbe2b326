"""Word lists: what is skipped, what counts as the same word, what negates, what marks a change."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP = _words(
    "a an the and or but nor so yet of in on at to for from by with into onto upon about as than then also too "
    "am is are was were be been being isn aren wasn weren has have had having do does did doing done "
    "will would shall should can could may might must i me my mine myself we us our ours ourselves you your yours "
    "yourself he him his himself she her hers herself it its itself they them their theirs themselves this that "
    "these those there here who whom whose which what when where why how if because while just really very quite "
    "s t d ll re ve m oh hey wow yeah yep ok okay well like such some any each both all own same other another "
    "one ones up out off over again more most only ever even still already now get got getting go going "
    "been let lets us im ive youre thats theyre hes shes whats dont didnt thing things something someone "
    "since during per until mr mrs ms dr user assistant agent "
    "i'm i've i'll i'd it's that's he's she's there's let's you're we're they're what's "
    "的 了 是 在 我 你 他 她 们 們 有 和 吗 嗎 呢 也 就 都 这 這 那 吧 啊 "
    "把 被 给 到 从 与 或 着 之 将 由 于 对 向 个 您 它 呀 嘛 啦 及 但 而 则 若 很 还 又 再 才 让 "
    "に は が を の で と も"
)
"""Words that carry no content of their own; negations are not among them."""

PERSONAL = _words("i i'm i've i'd i'll me my mine we us our he him his she her hers they them their user 我 他 她")
"""Words that may stand for the one whom a sentence is about."""

SPEAKING = _words("i me my we us our you your i'm i've i'd i'll we're we've you're 我 你")
"""Words of the first and second person."""

FIRST = _words("i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'd we'll 我")
"""Words of the first person."""

SECOND = _words("you your yours yourself you're you've you'd you'll u ur congrats congratulations 你")
"""Words by which somebody is spoken to."""

BEING = _words("am is are was were be been being get gets got getting i'm you're he's she's it's we're they're")
"""Words before `used to` that make it mean a habit that goes on."""

NOW = _words("now currently nowadays")
"""Words for how things are after a change."""

NEGATIONS = _words(
    "not no never cannot neither nor none nobody nothing without hardly n't nope isn't aren't wasn't weren't don't "
    "doesn't didn't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't mustn't ain't unable "
    "refuses refused denies denied declines declined"
)
"""Words that turn the clause around."""

NEGATIONS_HAN = frozenset("不没沒未无無非别")
"""Characters that do the same in Chinese."""

NOT_NEGATING = (
    "not only", "not just", "can't wait", "cannot wait", "couldn't wait", "can't help", "couldn't help",
    "can't believe", "couldn't believe", "no doubt", "no wonder", "no problem", "no worries", "don't worry",
    "don't forget", "never forget", "nothing but", "couldn't be happier", "why not", "can't imagine",
    "can't go wrong", "can't thank", "can't stop", "不错", "不但", "不仅", "不同", "未来", "非常", "无论", "不久",
)  # fmt: skip
"""Phrases with a negation that deny nothing."""

HEDGES = _words(
    "joked jokes joking joke kidding jokingly hypothetically hypothetical imagine imagined pretend pretended "
    "supposedly rumour rumor rumoured rumored allegedly falsely wrongly mistakenly unconfirmed cancelled canceled "
    "rejected dismissed if"
)
"""Words of a clause that tells something without holding it to be true."""

CHANGES = _words(
    "moved move moves moving cut changed change changes switched switch switches went raised raise increased "
    "increase decreased decrease dropped drop lowered revised updated reduced transferred renamed shifted postponed "
    "rescheduled extended relocated upgraded downgraded migrated converted rose fell grew slipped amended corrected"
)
"""Verbs after which `from X to Y` retires X."""

TELLING = _words("move live now switch change become begin stop work currently use prefer like")
"""Verbs by which a change is told; they tell no two facts apart."""

LIGHT = _words(
    "plan want use take call begin mostly usual current together both several also name part give keep make come "
    "look need hold new old still first final next least entire whole place happen occur"
)
"""Words that say little by themselves."""

OPPOSITES = (
    ("buy", "sell"), ("begin", "end"), ("open", "close"), ("win", "lose"), ("arrive", "leave"),
    ("accept", "refuse"), ("lend", "borrow"), ("hire", "fire"), ("brother", "sister"), ("son", "daughter"),
    ("husband", "wife"), ("mother", "father"), ("uncle", "aunt"), ("morning", "evening"),
    ("cheap", "expensive"), ("hot", "cold"), ("warm", "cold"), ("early", "late"), ("increase", "decrease"),
    ("raise", "lower"), ("rise", "fall"), ("gain", "lose"), ("north", "south"), ("east", "west"),
    ("first", "last"), ("up", "down"), ("more", "less"), ("above", "below"), ("before", "after"),
    ("inside", "outside"), ("front", "back"), ("top", "bottom"), ("male", "female"), ("pass", "fail"),
    ("enable", "disable"), ("lock", "unlock"), ("marry", "divorce"), ("hate", "love"), ("hate", "like"),
    ("hate", "enjoy"), ("add", "remove"), ("start", "stop"), ("increase", "reduce"),
)  # fmt: skip
"""Words of which one denies the other."""

SETTLING = _words("move live settle")
"""Who moved to a place lives there."""

SHOWING = _words("answer reply id ids name give list find")
"""Words by which a question says that it wants a picture named."""

PICTURED = _words("picture photo show share see painting draw")
"""Words by which a question speaks of what a picture shows."""

RETIRING = _words("formerly previously originally initially")
"""Words that retire the rest of their clause, or all of it where they end it."""

NUMBERS = {
    "zero": "0", "one": "1", "once": "1", "single": "1", "two": "2", "twice": "2", "couple": "2", "pair": "2",
    "three": "3", "thrice": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "dozen": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "hundred": "100", "thousand": "1000",
}  # fmt: skip
"""Number words; `one` and its like count only where nothing else is asked for."""

WEAK_NUMBERS = _words("one once single couple pair")
"""Number words that are mostly something else."""

IRREGULAR = {
    "went": "go", "gone": "go", "goes": "go", "bought": "buy", "brought": "bring", "taught": "teach",
    "thought": "think", "caught": "catch", "made": "make", "met": "meet", "won": "win", "lost": "lose",
    "left": "leave", "felt": "feel", "kept": "keep", "said": "say", "told": "tell", "gave": "give",
    "given": "give", "took": "take", "taken": "take", "saw": "see", "seen": "see", "wrote": "write",
    "written": "write", "ran": "run", "swam": "swim", "began": "begin", "begun": "begin", "sang": "sing",
    "drove": "drive", "driven": "drive", "rode": "ride", "ridden": "ride", "spoke": "speak",
    "spoken": "speak", "broke": "break", "broken": "break", "chose": "choose", "chosen": "choose",
    "grew": "grow", "grown": "grow", "knew": "know", "known": "know", "flew": "fly", "ate": "eat",
    "eaten": "eat", "slept": "sleep", "built": "build", "sold": "sell", "found": "find", "held": "hold",
    "led": "lead", "paid": "pay", "sent": "send", "spent": "spend", "stood": "stand", "understood": "understand",
    "became": "become", "came": "come", "fell": "fall", "fallen": "fall", "got": "get", "gotten": "get",
    "had": "have", "heard": "hear", "hid": "hide", "lent": "lend", "lit": "light",
    "meant": "mean", "rose": "rise", "sought": "seek", "shot": "shoot", "shown": "show",
    "stole": "steal", "stuck": "stick", "threw": "throw", "thrown": "throw", "wore": "wear", "worn": "wear",
    "woke": "wake", "drew": "draw", "drawn": "draw", "drank": "drink", "forgot": "forget",
    "men": "man", "women": "woman", "children": "child", "kids": "child", "kid": "child",
    "feet": "foot", "teeth": "tooth", "mice": "mouse", "geese": "goose", "wives": "wife",
    "lives": "live", "knives": "knife", "leaves": "leave", "better": "good", "best": "good", "worse": "bad",
}  # fmt: skip
"""Forms that no suffix rule finds."""

SAME = {
    "mom": "mother", "mum": "mother", "mama": "mother", "dad": "father", "papa": "father", "grandma": "grandmother",
    "grandpa": "grandfather", "granny": "grandmother", "photo": "picture", "photograph": "picture",
    "image": "picture", "pic": "picture", "purchase": "buy", "start": "begin", "commence": "begin",
    "film": "movie", "automobile": "car", "vehicle": "car", "bike": "bicycle", "present": "gift", "job": "work",
    "employer": "work", "doctor": "physician", "puppy": "dog", "pup": "dog", "kitten": "cat",
    "kitty": "cat", "reside": "live", "dwell": "live", "relocate": "move", "big": "large", "huge": "large",
    "tiny": "small", "little": "small", "fast": "quick", "rapid": "quick", "quickly": "quick", "joyful": "happy",
    "glad": "happy", "buddy": "friend", "pal": "friend", "lawyer": "attorney",
    "tv": "television", "phone": "telephone", "cellphone": "telephone", "smartphone": "telephone",
    "favourite": "favorite", "colour": "color", "grey": "gray", "theatre": "theater", "centre": "center",
    "require": "need", "assist": "help", "aid": "help", "repair": "fix", "mend": "fix", "finish": "complete",
    "trip": "travel", "journey": "travel", "trek": "hike", "meal": "food", "dish": "food", "scared": "afraid",
    "fear": "afraid", "trans": "transgender", "supper": "dinner",
    "weekly": "week", "monthly": "month", "yearly": "year", "annual": "year", "daily": "day", "hourly": "hour",
    "euros": "euro", "eur": "euro", "usd": "dollar", "gbp": "pound", "km": "kilometer", "kilometre": "kilometer",
    "metre": "meter", "litre": "liter", "kg": "kilogram", "hrs": "hour", "mins": "minute", "kid": "child",
    "vacation": "holiday", "holidays": "holiday", "flat": "apartment", "shop": "store", "boss": "manager",
    "lease": "rent", "acquire": "buy", "obtain": "buy", "choose": "pick", "select": "pick", "speak": "talk",
    "chat": "talk", "injure": "hurt", "depart": "leave", "instruct": "teach", "ill": "sick", "couch": "sofa",
    "cash": "money", "error": "mistake", "launch": "begin", "wed": "marry", "wedding": "marry", "marriage": "marry",
    "married": "marry", "amend": "change", "alter": "change", "modify": "change", "gather": "collect",
    "pricey": "expensive", "costly": "expensive", "cheerful": "happy", "delete": "remove",
    "erase": "remove", "postpone": "delay", "permit": "allow", "forbid": "ban", "prohibit": "ban", "reply": "answer",
    "respond": "answer", "attempt": "try", "reserve": "book", "colleague": "coworker", "workmate": "coworker",
    "infant": "baby", "owner": "own", "toddler": "child", "youngster": "child",
    "advertisement": "ad", "advert": "ad", "exam": "test", "spouse": "partner", "workout": "exercise",
}  # fmt: skip
"""Words taken for the same: each stands for its group's one word."""

FRAMING = _words(
    "kind type sort many much long often time date day month year name specific specifically according mention "
    "memory conversation list recently currently now current latest following"
)
"""Words of a question that frame what is asked for."""

REASONS = _words("cause reason motivate inspire")
"""Words by which a reason is told or asked for."""

CHANGING = _words("change changed turn first last history evolve starting over far plan planned")
"""Words that frame a question for how something changed."""

NO_NAMES = _words(
    "i i'm i've i'll i'd the a an it he she they we you my your his her our this that these those there here what when "
    "where who why how and but or so if in on at to for of with yes no hey wow oh thanks monday tuesday wednesday "
    "thursday friday saturday sunday january february march april may june july august september october november "
    "december"
)
"""Words that have a capital without being a name."""

ABSTAINING = (
    "not mentioned", "no mention", "isn't mentioned", "wasn't mentioned", "never mentioned", "not been mentioned",
    "no information", "not enough information", "insufficient information", "no relevant information",
    "i don't know", "i do not know", "we don't know", "i am not sure", "i'm not sure", "unsure", "cannot answer",
    "can't answer", "unable to answer", "unable to determine", "cannot determine", "can't determine",
    "cannot be determined", "can't be determined", "could not find", "couldn't find", "cannot find", "can't find",
    "not specified", "not stated", "not provided", "not available", "not recorded", "no record",
    "no memory of", "no memories", "nothing in memory", "no data", "is unknown", "not known", "not in memory",
    "no evidence", "not discussed", "no details", "not in the conversation",
    "not found in", "none mentioned", "don't have any information", "do not have any information",
    "don't have information", "do not have information", "don't have enough", "do not have enough",
    "没有提到", "未提及", "沒有提到", "不知道", "没有相关", "无法确定", "无法回答", "没有信息", "没有提及",
    "記載なし", "わかりません",
)  # fmt: skip
"""Phrases by which an answer abstains."""

ABSTAINING_WHOLE = frozenset(
    {"unknown", "don't know", "not sure", "no clue", "n/a", "no idea", "unanswerable", "unclear", "未知", "不明"}
)
"""Whole answers that abstain."""

GUESSING = _words("probably likely perhaps possibly maybe presumably guess guessing assume assuming might")
"""Words that make an answer of an abstention after all."""
