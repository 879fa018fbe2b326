"""Gold against an independent replay of the hidden log."""

from __future__ import annotations

from memarena_builder.validators.problem import plain, says


def test_every_fact_has_a_point_that_says_its_value_and_its_subject(on_disk):
    for sample in on_disk:
        points = sample.points()
        for row in sample.log("event"):
            fact = row["event"].get("fact")
            if fact is None:
                continue
            text = [point["memory_content"] for point in points[row["session"]]]
            subject, _, element = fact["key"]
            values = list(fact.get("slots", {}).values()) or [element] * bool(element)
            assert any(subject in each and all(value in each for value in values) for each in text)


def test_updates_are_those_whose_key_had_a_live_value_in_a_replay(on_disk):
    for sample in on_disk:
        points = sample.points()
        live: dict[tuple[str, ...], tuple[tuple[str, int], str | None]] = {}
        members: set[tuple[str, str]] = set()
        numbers = {name: iter(each) for name, each in points.items()}
        for row in sample.log("event"):
            event = row["event"]
            fact = event.get("fact")
            if fact is None and event["kind"] != "distractor":
                continue
            point = next(numbers[row["session"]])
            if fact is None:
                assert point["memory_source"] == "interference"
                continue
            key = tuple(fact["key"])
            held = live.get(key)
            late, hearsay = "until" in event, fact.get("source") == "hearsay"
            replaces = held is not None and held[1] is not None and not late and not hearsay
            added = bool(key[2]) and fact["value"] is not None and key[:2] in members and fact["kind"] == "E18"
            assert point["is_update"] == str(replaces or added), point
            assert bool(point["original_memories"]) is replaces
            rank = (fact["since"], fact.get("authority", 1))
            if held is None or rank >= held[0]:
                live[key] = (rank, fact.get("value"))
            members.add(key[:2])


def test_what_an_update_replaces_was_a_point_of_an_earlier_session(on_disk):
    for sample in on_disk:
        told: set[str] = set()
        for points in sample.points().values():
            assert all(old in told for point in points for old in point["original_memories"])
            told |= {point["memory_content"] for point in points if point["memory_source"] != "interference"}


def test_a_point_of_interference_says_what_was_never_so_or_is_so_no_more(on_disk):
    for sample in on_disk:
        facts = [row["event"]["fact"] for row in sample.log("event") if row["event"].get("fact")]
        for row in sample.log("event"):
            event = row["event"]
            if event["kind"] != "distractor":
                continue
            values = {fact["value"] for fact in facts if fact["key"] == event["claim"]}
            old = event["distraction"] in ("story", "stale")
            assert (event["slots"]["V"] in values) is old


def test_a_mention_of_a_known_fact_makes_no_point(on_disk):
    for sample in on_disk:
        kinds = [row["event"]["kind"] for row in sample.log("event")]
        silent = sum(kind in ("E7", "E15", "announced") for kind in kinds)
        assert silent and sum(map(len, sample.points().values())) == len(kinds) - silent


def test_visual_points_are_in_no_text(on_disk):
    for sample in on_disk:
        said = "\n".join(turn["content"] for session in sample.raw["sessions"] for turn in session["dialogue"]).lower()
        hidden = [
            field["value"] for row in sample.log("picture") for field in row["picture"]["fields"] if field.get("hidden")
        ]
        assert hidden and not [value for value in hidden if says(plain(said), plain(value))]
