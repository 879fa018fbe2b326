"""Which statement takes the place of which."""

from __future__ import annotations

import pytest

from memarena_models.offline_changes import supersedes


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("A finished book now brings her 3 crowns instead of 2.", "Pocket money is 5 a week, plus 2 for every book."),
        ("Nora's car is a Fiat Panda.", "The car of Nora is a Skoda Yeti."),
        ("Red Ferry has Ottilie Brandt as its captain.", "For Red Ferry the captain is Milo Sand."),
        ("As a car Nora has taken a Fiat.", "Nora's car is a Skoda."),
        ("Heating costs 2,350 euros a month.", "Heating may cost 1,900 euros a month."),
        ("I walk route 11 these weeks.", "I walk route 6."),
        ("Call it q3_orders_checked.xlsx.", "Save it as q3_orders_final.xlsx."),
        ("We meet on May 12.", "We meet on April 28."),
        ("The switch old-fares is gone.", "A switch called old-fares keeps the prices."),
    ],
)
def test_another_value_for_the_same_or_a_word_of_change_takes_the_place(new: str, old: str) -> None:
    assert supersedes(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Nora's car is a Fiat.", "Milo's car is a Skoda."),
        ("Nora's car is a Fiat.", "Nora's boat is a Skoda."),
        ("If we meet on May 12, I am late.", "We meet on April 28."),
        ("The invoice is invoice_march.pdf.", "Save it as q3_orders_final.xlsx."),
        ("The code of door 11 is 1111.", "The code of door 3 is 3333."),
        ("Line 11 is late.", "Line 6 goes to the harbour."),
        ("The dog is three years old.", "The dog is three years old."),
        ("I ran 5 miles instead of 4.", "The house has 4 rooms."),
    ],
)
def test_another_thing_a_condition_or_the_same_takes_no_place(new: str, old: str) -> None:
    assert not supersedes(new, old)
