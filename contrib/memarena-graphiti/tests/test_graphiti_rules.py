from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("memarena_models", reason="the rules are for the model offline of memarena-models")
pytest.importorskip("memarena_graphiti", reason="memarena-graphiti is not installed here")

from memarena_graphiti.decisions import contradicted, repeats
from memarena_models.offline_requests import Request, Said
from memarena_models.rules import rules

FACT = "The locker code of Zanetti is 4711."


def reply(system: str, asked: str) -> Any:
    request = Request(messages=(Said(role="system", text=system), Said(role="user", text=asked)), json=True)
    rule = next(rule for rule in rules() if rule.matches(request))
    assert type(rule).__module__ == "memarena_graphiti.rules"
    return json.loads(str(rule.reply(request)))


def test_what_says_less_repeats_and_what_says_more_does_not():
    assert repeats("The code of Zanetti is 4711.", FACT)
    assert not repeats(FACT, "The code of Zanetti is 4711.")


def test_another_value_for_the_same_contradicts():
    assert contradicted("The locker code of Zanetti is 9320.", {0: "Bees sleep.", 1: FACT}) == 1


def test_what_is_denied_is_contradicted():
    assert contradicted("Ana doesn't have a dog called Bruno.", {3: "Ana has a dog called Bruno."}) == 3


def test_what_speaks_of_a_change_contradicts_the_nearest_only():
    old = {0: "Wen is on call.", 1: "Wen is on call Monday to Friday, Priscila takes the weekends."}
    assert contradicted("From now on Wen and Priscila alternate, weekends included.", old) == 1


@pytest.mark.parametrize(
    "new",
    [FACT, "Ben keeps bees.", "If the locker code of Zanetti is 9320, tell me.", "image_id: 1\nimage_caption: 9320"],
)
def test_what_is_the_same_or_of_something_else_or_supposed_or_a_picture_contradicts_nothing(new: str):
    assert contradicted(new, {0: FACT}) is None


def test_entities_are_who_speaks_and_what_is_spoken_of():
    found = reply(
        "You are an entity extraction specialist for conversational messages. ",
        f"<PREVIOUS MESSAGES>\n[]\n</PREVIOUS MESSAGES>\n<CURRENT MESSAGE>\nAna: {FACT}\n</CURRENT MESSAGE>\n"
        '<EXAMPLE>\nMessage: "Mary: I forgot it."\n</EXAMPLE>',
    )
    assert [row["name"] for row in found["extracted_entities"]] == ["Ana", "Zanetti"]


def test_facts_hold_from_the_time_of_the_message():
    found = reply(
        "You are an expert fact extractor that extracts fact triples from text. ",
        f"<CURRENT_MESSAGE>\nuser: {FACT} Is it?\n</CURRENT_MESSAGE>\n"
        "<REFERENCE_TIME>\n2025-01-02 09:00:00+00:00  # ISO 8601 (UTC)\n</REFERENCE_TIME>",
    )
    assert found["edges"] == [
        {
            "source_entity_name": "user",
            "target_entity_name": "Zanetti",
            "relation_type": "SAYS",
            "fact": FACT,
            "valid_at": "2025-01-02T09:00:00Z",
            "invalid_at": None,
        }
    ]


def test_numbers_of_facts_go_on_over_both_lists():
    found = reply(
        "You are a fact deduplication assistant. ",
        f"<EXISTING FACTS>\n{[{'idx': 0, 'fact': 'Zanetti has a locker.'}]}\n</EXISTING FACTS>\n"
        f"<FACT INVALIDATION CANDIDATES>\n{[{'idx': 1, 'fact': FACT}]}\n</FACT INVALIDATION CANDIDATES>\n"
        "<NEW FACT>\nThe locker code of Zanetti is 9320.\n</NEW FACT>",
    )
    assert found == {"duplicate_facts": [], "contradicted_facts": [1]}


def test_entities_of_one_name_are_one():
    found = reply(
        "You are an entity deduplication assistant. ",
        '<ENTITIES>\n[{"id": 0, "name": "ana"}, {"id": 1, "name": "Ben"}]\n</ENTITIES>\n'
        '<EXISTING ENTITIES>\n[{"candidate_id": 5, "name": "Ana"}]\n</EXISTING ENTITIES>\n',
    )
    assert [row["duplicate_candidate_id"] for row in found["entity_resolutions"]] == [5, -1]


def test_a_fact_alone_holds_from_its_reference_time():
    found = reply(
        "You extract temporal bounds from facts. NEVER hallucinate dates.",
        f"<FACT>\n{FACT}\n</FACT>\n\n<REFERENCE TIME>\n2025-01-02T09:00:00+00:00\n</REFERENCE TIME>",
    )
    assert found == {"valid_at": "2025-01-02T09:00:00Z", "invalid_at": None}


def test_a_summary_goes_on_from_the_one_before():
    found = reply(
        "You are a helpful assistant that generates concise entity summaries from provided context.",
        f'<MESSAGES>\n[]\n"Ana: {FACT}"\n</MESSAGES>\n'
        '<ENTITIES>\n[{"name": "Ana", "summary": "Ana keeps many bees."}]\n</ENTITIES>',
    )
    assert found == {"summaries": [{"name": "Ana", "summary": f"Ana keeps many bees. Ana: {FACT}"}]}
