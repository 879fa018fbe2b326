"""Labels that a person gave to answers in free wording; the lexical judge need not share all of them."""

from __future__ import annotations

from memarena.records import NOT_MENTIONED, JudgementRequest
from memarena_arena.lexical import LexicalJudge

C, H, O = "Correct", "Hallucination", "Omission"  # noqa: E741

FREE = [
    ("Where did Nadia grow up?", "in a village near Porto", "She grew up close to Porto, in a village.", C),
    ("Where did Nadia grow up?", "in a village near Porto", "In Lisbon.", H),
    ("What did Omar give his sister?", "a silver bracelet", "He gave her a bracelet made of silver.", C),
    ("What did Omar give his sister?", "a silver bracelet", "a golden ring", H),
    ("What did Omar give his sister?", "a silver bracelet", "Something nice for her birthday.", H),
    ("Why did Lena quit?", "The commute was too long", "Because her commute took too long.", C),
    ("Why did Lena quit?", "The commute was too long", "Because she disliked her boss.", H),
    ("How often does the band rehearse?", "twice a week", "Two times a week", C),
    ("How often does the band rehearse?", "twice a week", "Every day", H),
    ("How tall is the fence?", "1.8 metres", "It is 1.80 metres tall.", C),
    ("How tall is the fence?", "1.8 metres", "18 metres", H),
    ("What did they eat?", "lentil soup and bread", "They had bread with lentil soup.", C),
    ("What did they eat?", "lentil soup and bread", "lentil soup", O),
    ("What did they eat?", "lentil soup and bread", "lentil soup and steak", H),
    ("Which instruments does Ivo play?", "cello and piano", "the piano and the cello", C),
    ("Which instruments does Ivo play?", "cello and piano", "He plays the piano.", O),
    ("Which instruments does Ivo play?", "cello and piano", "He plays the drums.", H),
    ("When was the roof repaired?", "in March 2024", "March 2024", C),
    ("When was the roof repaired?", "in March 2024", "on 12 March 2024", C),
    ("When was the roof repaired?", "in March 2024", "in April 2024", H),
    ("When was the roof repaired?", "in March 2024", "last spring", O),
    ("When does the course begin?", "13 January 2026", "It begins on Jan 13, 2026.", C),
    ("When does the course begin?", "13 January 2026", "13 January 2025", H),
    ("Who repaired the roof?", "Mr. Ortega", "It was repaired by Ortega.", C),
    ("Who repaired the roof?", "Mr. Ortega", "It was repaired by Mr. Silva.", H),
    ("Does Nadia have children?", "No", "She has no children.", C),
    ("Does Nadia have children?", "No", "Yes, two daughters.", H),
    ("Would Omar like a desert trip?", "Likely yes, he loves heat", "Yes", C),
    ("What is Lena allergic to?", "peanuts", "She has an allergy to peanuts.", C),
    ("What is Lena allergic to?", "peanuts", "She is not allergic to peanuts.", H),
    ("What is Lena allergic to?", "peanuts", "I could not find this in the memories.", O),
    ("What is Lena allergic to?", "peanuts", "Lena is allergic.", O),
    ("What is Lena allergic to?", NOT_MENTIONED, "No mention of an allergy was found.", C),
    ("What is Lena allergic to?", NOT_MENTIONED, "Possibly peanuts, but that is a guess.", H),
    ("What is Lena allergic to?", NOT_MENTIONED, "She avoids nuts.", H),
    ("What is Lena allergic to?", NOT_MENTIONED, "That isn't mentioned anywhere.", C),
    ("Which files were saved?", "report_final.docx, data_v2.xlsx", "data_v2.xlsx and report_final.docx", C),
    ("Which files were saved?", "report_final.docx, data_v2.xlsx", "report_final.docx", O),
    ("Which port does the server use?", "8443", "Port 8443.", C),
    ("Which port does the server use?", "8443", "Port 8080.", H),
    ("What did the doctor advise?", "to rest and drink water", "Rest, and drink plenty of water.", C),
    ("What did the doctor advise?", "to rest and drink water", "To rest.", O),
    ("How did the budget change?", "from 900 to 1,200 euros", "It rose from 900 to 1200 euros.", C),
    ("How did the budget change?", "from 900 to 1,200 euros", "It is 1200 euros.", O),
    ("How did the budget change?", "from 900 to 1,200 euros", "It fell from 1200 to 900 euros.", H),
    ("What colour is the door?", "dark green", "The door is green.", O),
    ("What colour is the door?", "dark green", "dark-green", C),
    ("What colour is the door?", "dark green", "red", H),
    ("谁修了屋顶？", "王先生", "是王先生修的", C),
    ("谁修了屋顶？", "王先生", "李女士", H),
    ("会议几点开始？", "下午3点", "下午3点开始", C),
    ("What made Ivo happy?", "winning the regional contest", "He was delighted to win the contest of the region.", C),
    ("What made Ivo happy?", "winning the regional contest", "He came first in the local competition.", C),
    ("What pet does Omar have?", "a parrot", "Omar keeps a parrot named Kiko.", C),
    ("What pet does Omar have?", "a parrot", "Omar had a parrot, but now he has a cat.", H),
    ("How many rooms are there?", "four", "There are 4 rooms.", C),
    ("How many rooms are there?", "four", "There are between 3 and 9 rooms.", H),
    ("What did she study?", "marine biology", "biology", O),
    ("What did she study?", "marine biology", "She studied the biology of the sea.", C),
    ("Which team won?", "the red team", "The red team beat the blue team.", C),
]


def test_the_judge_shares_most_labels_of_a_person() -> None:
    requests = [
        JudgementRequest(task="answer", question=question, reference=reference, answer=answer)
        for question, reference, answer, _ in FREE
    ]
    labels = [found.verdicts[0] for found in LexicalJudge().label(requests) if found]
    agreed = sum(found == row[3] for found, row in zip(labels, FREE, strict=True))
    assert agreed / len(FREE) >= 0.85


def test_the_judge_seldom_accepts_a_wrong_answer() -> None:
    wrong = [row for row in FREE if row[3] != C]
    requests = [
        JudgementRequest(task="answer", question=question, reference=reference, answer=answer)
        for question, reference, answer, _ in wrong
    ]
    accepted = [found for found in LexicalJudge().label(requests) if found and found.verdicts[0] == C]
    assert len(accepted) / len(wrong) <= 0.1
