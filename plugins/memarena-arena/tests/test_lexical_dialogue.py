"""Facts and the turns that tell them, labelled by a person before the judge saw them: how many it recalls.

A fact is a sentence about a named person; the turns speak in the first person, over several turns, in other words.
"""

from __future__ import annotations

import pytest

from memarena.records import JudgementRequest
from memarena_arena.lexical import LexicalJudge

Turns = tuple[str, ...]


def turns(*texts: str, day: str = "Mar 04, 2024") -> Turns:
    """A log of turns, by turns of `user` and `assistant`, two minutes apart."""
    roles = ("user", "assistant")
    return tuple(f"[{day}, 10:{2 * at:02}:00] {roles[at % 2]}: {text}" for at, text in enumerate(texts))


def verdicts(task: str, point: str, items: Turns, old: str = "") -> str | None:
    replaces = ((old,),) if old else ()
    request = JudgementRequest(task=task, points=(point,), items=items, replaces=replaces)  # type: ignore[arg-type]
    [found] = LexicalJudge().label([request])
    assert found is not None
    return found.verdicts[0]


HELLO = turns(
    "Hi, I'm Petra Lindqvist, a beekeeper from Uppsala.", "Nice to meet you, Petra. How many hives do you own?"
)
HIVES = turns("I'm Petra.", "How many hives are there?", "Fourteen, all of them behind the barn.", "Noted, 14.")
CHOIR = turns(
    "Our choir meets at half past seven in the evening now, on Mondays.",
    "Mondays, 19:30. Where?",
    "In the old chapel, because the school is being painted.",
)
BUDGET = turns(
    "The controller came back to me about the kitchen.",
    "And how much may the kitchen cost?",
    "8,400 euros, and no extras.",
    "Understood.",
)
TOLD = [
    ("Petra Lindqvist is a beekeeper from Uppsala.", HELLO),
    ("Petra owns fourteen hives.", HIVES),
    ("Petra owns 14 hives behind the barn.", HIVES),
    ("The choir meets on Mondays at 19:30.", CHOIR),
    ("The choir meets in the old chapel because the school is being painted.", CHOIR),
    ("The kitchen may cost 8,400 euros.", BUDGET),
    ("The budget for the kitchen is 8,400 euros.", BUDGET),
    ("Petra sold twenty-two jars of honey.", turns("I sold 22 jars of honey at the fair.", "Well done!")),
    ("Petra has rented a stall since May 1, 2023.", turns("I rent a stall there since the first of May.", "Good.")),
    (
        "The fair takes place from June 3 to June 5, 2024.",
        turns("When is the fair?", "You tell me.", "From June 3 to 5."),
    ),
    (
        "Petra's brother Nils moved to Oslo.",
        turns("My brother Nils has relocated to Oslo.", "That is quite a distance."),
    ),
    ("Petra bought a second-hand van.", turns("I purchased a van, second-hand, and it already leaks.", "Oh dear.")),
    ("Petra gave up coffee in February 2024.", turns("Last month I gave up coffee.", "Brave!")),
    ("Petra saw the doctor on March 3, 2024.", turns("I saw the doctor yesterday.", "And?")),
    ("Petra does not eat fish.", turns("I don't eat fish, please remember.", "I will.")),
    ("Petra's daughter no longer plays the violin.", turns("My daughter no longer plays the violin.", "A pity.")),
    (
        "Petra pays the gardener 30 euros an hour.",
        turns("The gardener wants more.", "How much?", "I pay him 30 euros an hour from today on."),
    ),
    ("The password hint is stored in file KX-204.", turns("The password hint lies in file KX-204.", "Okay.")),
    ("The train leaves at 6:45 am.", turns("My train leaves at quarter to seven in the morning.", "Early.")),
    ("Petra has lived in Uppsala for three years.", turns("I've lived in Uppsala for 3 years.", "So long?")),
    (
        "If a hive weighs less than 12 kilograms, Petra feeds the bees.",
        turns("If a hive weighs less than 12 kilograms I feed the bees.", "A clear rule."),
    ),
    (
        "Petra and Nils will visit the island of Gotland.",
        turns("Nils and I have plans.", "Tell me.", "We'll visit Gotland, the island."),
    ),
    ("The vet's telephone number is 555-0142.", turns("The vet can be reached at 555-0142.", "Saved.")),
    ("Petra is allergic to penicillin.", turns("I'm allergic to penicillin, by the way.", "That is important.")),
    (
        "The agent picked up the knife from the counter.",
        turns("A Knife_1 lies on the counter.", "Action: pick up Knife_1", "Success, you hold Knife_1."),
    ),
    (
        "The agent put the mug into the sink.",
        turns("You hold a mug.", "Action: put the mug in the sink", "Last action succeeded."),
    ),
    ("The drawer is locked.", turns("Last action failed: the drawer is locked.", "I will look for the key.")),
    (
        "The agent failed to open the drawer because it is locked.",
        turns("Action feedback: failed to open the drawer, it is locked.", "I will look for the key."),
    ),
    ("The inventory holds 6 planks.", turns("Inventory: 2 wood, 6 planks.", "I craft a table.")),
    (
        "The agent wrote the total 4,310 into cell D12.",
        turns("The sheet is open.", "I type 4310 into D12.", "D12 shows 4310."),
    ),
    ("The agent opened the fridge.", turns("The fridge is closed.", "Action: open the fridge")),
    (
        "The agent crafted a stone pickaxe.",
        turns("You have 3 cobblestone and 2 sticks.", "I craft a stone pickaxe."),
    ),
    ("The apple is on the kitchen table.", turns("You see an apple on the table in the kitchen.", "Good.")),
    ("The agent is at position 12, 64, -30.", turns("Position: x 12, y 64, z -30.", "I go on.")),
]

UNTOLD = [
    ("Petra Lindqvist is a baker from Uppsala.", HELLO),
    ("Petra owns fifteen hives.", HIVES),
    ("Petra owns twelve hives behind the barn.", HIVES),
    ("The choir meets on Tuesdays at 19:30.", CHOIR),
    ("The choir meets on Mondays at 18:30.", CHOIR),
    ("The kitchen may cost 9,400 euros.", BUDGET),
    ("The bathroom may cost 4,800 euros.", BUDGET),
    ("Petra sold twenty-three jars of honey.", turns("I sold 22 jars of honey at the fair.", "Well done!")),
    ("Petra has rented a stall since May 2, 2023.", turns("I rent a stall there since the first of May.", "Good.")),
    (
        "The fair takes place from June 4 to June 6, 2024.",
        turns("When is the fair?", "You tell me.", "From June 3 to 5."),
    ),
    ("Petra's brother Nils moved to Bergen.", turns("My brother Nils has relocated to Oslo.", "Far.")),
    ("Petra sold a second-hand van.", turns("I purchased a van, second-hand, and it already leaks.", "Oh dear.")),
    ("Petra gave up coffee in January 2024.", turns("Last month I gave up coffee.", "Brave!")),
    ("Petra saw the doctor on March 1, 2024.", turns("I saw the doctor yesterday.", "And?")),
    ("Petra eats fish.", turns("I don't eat fish, please remember.", "I will.")),
    ("Petra's daughter plays the violin.", turns("My daughter no longer plays the violin.", "A pity.")),
    ("The password hint is stored in file KX-240.", turns("The password hint lies in file KX-204.", "Okay.")),
    ("The train leaves at 7:15 am.", turns("My train leaves at quarter to seven in the morning.", "Early.")),
    ("Petra is allergic to pollen.", turns("I'm allergic to penicillin, by the way.", "That is important.")),
    ("Petra lives in Malmo.", turns("If I were rich I would live in Malmo.", "Who would not?")),
    ("Petra plans to keep goats and geese.", turns("I plan to keep goats next year.", "Goats need fences.")),
    ("Petra's course has twelve lessons.", turns("The course takes twelve weeks and has 30 lessons.", "Long.")),
    ("Anton Berg owns the red boat.", turns("Maja Holm owns the red boat, as my neighbour says.", "I see.")),
    ("Petra won the lottery.", turns("A colleague joked that I won the lottery.", "Ha!")),
    ("The kitchen may cost 8,400 euros.", ("The van costs 8,400 euros.",)),
    ("The inventory holds 2 planks.", turns("Inventory: 2 wood, 6 planks.", "I craft a table.")),
    (
        "The agent wrote the total 4,310 into cell D13.",
        turns("The sheet is open.", "I type 4310 into D12.", "D12 shows 4310."),
    ),
    ("The agent closed the fridge.", turns("The fridge is open.", "Action: go to the sink")),
    (
        "The agent crafted an iron pickaxe.",
        turns("You have 3 cobblestone and 2 sticks.", "I craft a stone pickaxe."),
    ),
]


def share(cases: list[tuple[str, Turns]]) -> float:
    found = [verdicts("recall", point, items) == "yes" for point, items in cases]
    return sum(found) / len(found)


def test_four_of_five_facts_that_turns_tell_are_recalled() -> None:
    assert share(TOLD) >= 0.8


def test_at_most_one_fact_in_ten_that_turns_do_not_tell_is_recalled() -> None:
    assert share(UNTOLD) <= 0.1


def test_facts_of_one_dialogue_are_not_recalled_from_another() -> None:
    others = [
        (point, items) for at, (point, _) in enumerate(TOLD) for place, (_, items) in enumerate(TOLD) if place != at
    ]
    different = [(point, items) for point, items in others if items not in [own for told, own in TOLD if told == point]]
    assert share(different) <= 0.03


def test_statements_side_by_side_are_not_read_together() -> None:
    facts = ("The kitchen may cost more.", "It is 8,400 euros.")
    assert verdicts("recall", "The kitchen may cost 8,400 euros.", facts) == "no"


def test_turns_of_two_days_are_not_read_together() -> None:
    items = (*turns("How much may the kitchen cost?"), *turns("8,400 euros, and no extras.", day="Mar 05, 2024"))
    assert verdicts("recall", "The kitchen may cost 8,400 euros.", items) == "no"


MOVED = [
    ("The choir meets on Mondays at 19:30.", "The choir meets on Thursdays at 18:00.", CHOIR, "updated"),
    (
        "The choir meets on Mondays at 19:30.",
        "The choir meets on Thursdays at 18:00.",
        (*turns("The choir meets on Thursdays at six in the evening.", day="Feb 05, 2024"), *CHOIR),
        "both",
    ),
    (
        "The choir meets on Mondays at 19:30.",
        "The choir meets on Thursdays at 18:00.",
        turns("The choir meets on Thursdays at six in the evening."),
        "outdated",
    ),
    (
        "The fair begins on June 10, 2024.",
        "The fair begins on June 3, 2024.",
        (*turns("The fair begins on June 3.", day="Feb 05, 2024"), *turns("The fair now begins on June 10.")),
        "both",
    ),
    ("The fair begins on June 10, 2024.", "The fair begins on June 3, 2024.", turns("It rains."), "missed"),
    ("Petra owns fourteen hives.", "Petra owns nine hives.", HIVES, "updated"),
]


@pytest.mark.parametrize(("new", "old", "items", "expected"), MOVED)
def test_an_update_told_in_turns_is_judged_by_its_values(new: str, old: str, items: Turns, expected: str) -> None:
    assert verdicts("update", new, items, old) == expected


REFUSED = [
    ("Petra won the lottery.", turns("A colleague joked that I won the lottery.", "Ha!"), "memorized"),
    ("Petra won the lottery.", ("Petra keeps bees.", "A colleague joked about Petra and the lottery."), "rejected"),
    ("Petra won the lottery.", ("Petra won the lottery.",), "memorized"),
    ("The fair begins in July 2024.", ("The fair begins in June 2024.",), "rejected"),
]


@pytest.mark.parametrize(("point", "items", "expected"), REFUSED)
def test_a_log_keeps_a_joke_and_a_statement_about_it_does_not(point: str, items: Turns, expected: str) -> None:
    assert verdicts("interference", point, items) == expected
