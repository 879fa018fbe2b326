"""Questions about a dialogue of several days, with answers that a person expects; written before they were run."""

from __future__ import annotations

from memarena.records import NOT_MENTIONED, AskedQuestion, JudgementRequest, Shown, ShownItem
from memarena_arena.extractive import ExtractiveAnswerer
from memarena_arena.lexical import LexicalJudge


def talk(when: str, said: str, reply: str) -> str:
    """A round: what the user says and the reply, both with the time."""
    return f"[{when}:00] user: {said}\n[{when}:00] assistant: {reply}"


LOG = (
    talk(
        "Jan 08, 2024, 09:00",
        "Hello, I'm Irma Kask, I run the harbour museum in Parnu.",
        "Welcome, Irma. When is the museum open?",
    ),
    talk(
        "Jan 08, 2024, 09:04",
        "Wednesdays to Sundays, and the guided tour is on Fridays at 14:00. Entry costs 6 euros.",
        "Fridays at 14:00, 6 euros.",
    ),
    talk(
        "Feb 12, 2024, 16:30",
        "The roof repair begins on March 4. Our carpenter Juhan says that it takes five weeks.",
        "March 4 and five weeks, noted.",
    ),
    talk(
        "Feb 26, 2024, 11:00",
        "We moved the guided tour to Saturdays at 15:30, because the school groups leave then.",
        "Saturdays at 15:30.",
    ),
    talk(
        "Mar 18, 2024, 10:00",
        "Entry costs 8 euros from today on. My sister Liis painted the new sign.",
        "8 euros, noted. How often does she help?",
    ),
    talk(
        "Apr 15, 2024, 08:45",
        "The roof repair ended on April 12. We celebrated with smoked eel.",
        "Congratulations to Juhan and to you!",
    ),
    talk(
        "Apr 22, 2024, 12:00",
        "Our new exhibition shows 42 ship models. I feed the museum cat twice a day.",
        "And who built the models?",
    ),
    talk(
        "Apr 22, 2024, 12:05",
        "A retired pilot, Oskar Lember, built them over thirty years.",
        "Thirty years of patience.",
    ),
    "[May 06, 2024, 18:00:00] user: Here is the poster.\n\nimage:\nimage_id: S07_img_1\n"
    "image_caption: Poster with a sailing ship and a lighthouse",
)
CASES = [
    ("When is the guided tour?", "Saturdays at 15:30"),
    ("When was the guided tour at first?", "Fridays at 14:00"),
    ("How much does entry cost now?", "8 euros"),
    ("How much did entry cost originally?", "6 euros"),
    ("How did the price of the entry change?", "from 6 to 8 euros"),
    ("When did the roof repair begin?", "4 March 2024"),
    ("When did the roof repair end?", "12 April 2024"),
    ("How many days passed between the beginning of the roof repair and the end of the roof repair?", "39 days"),
    ("How long does the roof repair take?", "five weeks"),
    ("Who built the ship models?", "Oskar Lember"),
    ("How many ship models does the exhibition show?", "42"),
    ("How often does Irma feed the museum cat?", "twice a day"),
    ("Who painted the new sign?", "Liis"),
    ("Why was the guided tour moved?", "the school groups leave then"),
    ("Which picture shows a sailing ship?", "S07_img_1"),
    ("What did they celebrate with?", "smoked eel"),
    ("At what time does the guided tour begin?", "15:30"),
    ("How did the time of the guided tour change?", "from Fridays at 14:00 to Saturdays at 15:30"),
    ("Who is the carpenter?", "Juhan"),
    ("Does Liis paint?", "Yes"),
    ("What is Juhan's favourite song?", NOT_MENTIONED),
    ("When is Liis's birthday?", NOT_MENTIONED),
    ("Which university did Oskar Lember attend?", NOT_MENTIONED),
    ("How much does the boat of Juhan cost?", NOT_MENTIONED),
]


def label(question: str, reference: str) -> str | None:
    items = tuple(ShownItem(rank=at, memory_id=f"m{at}", text=text) for at, text in enumerate(LOG, 1))
    given = ExtractiveAnswerer().answer(AskedQuestion(question_id="q", text=question), Shown(items=items))
    request = JudgementRequest(task="answer", question=question, reference=reference, answer=given.text)
    [found] = LexicalJudge().label([request])
    assert found is not None
    return found.verdicts[0]


def test_three_of_four_questions_about_a_dialogue_of_months_are_answered() -> None:
    right = [label(question, reference) == "Correct" for question, reference in CASES]
    assert sum(right) / len(right) >= 0.75
