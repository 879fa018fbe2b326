"""Gold against an independent replay of the hidden log."""

from __future__ import annotations

from memarena_builder.gold.state import states
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
    every = set()
    for sample in on_disk:
        events = [row["event"] for row in sample.log("event")]
        silent = [each for each in events if "fact" not in each and each["kind"] != "distractor"]
        kinds = {each["kind"] for each in silent}
        every |= kinds
        assert {"E15", "announced"} <= kinds <= {"E6", "E7", "E15", "announced"}
        assert sum(map(len, sample.points().values())) == len(events) - len(silent)
    assert "E7" in every


def replays(sample):
    """After each session: its id, and by key the rank, the id and the value of what holds, by taking in one event after
    the other; a key that was never told is not there."""
    live: dict[tuple[str, ...], tuple[tuple[str, int], str, str | None]] = {}
    for session in sample.points():
        for row in (each for each in sample.log("event") if each["session"] == session):
            fact = row["event"].get("fact")
            if fact is not None:
                key, rank = tuple(fact["key"]), (fact["since"], fact.get("authority", 1))
                if key not in live or rank >= live[key][0]:
                    live[key] = rank, fact["fact_id"], fact["value"]
        yield session, dict(live)


def test_the_state_after_each_session_is_what_a_replay_of_the_events_holds(on_disk):
    for sample in on_disk:
        states = sample.log("state")
        for state, (session, live) in zip(states, replays(sample), strict=True):
            assert state["session_id"] == session
            assert state["facts"] == [fact_id for _, fact_id, value in live.values() if value is not None]


def test_what_follows_from_a_change_and_is_not_said_is_what_is_known_of_one_and_of_the_other(on_disk, built):
    seen = 0
    for sample, made in zip(on_disk, built, strict=True):
        facts = [row["event"]["fact"] for row in sample.log("event") if "fact" in row["event"]]
        relations = {fact["fact_id"]: (*fact["key"],) for fact in facts}
        names = [each.name for each in made.pack.attributes if each.form in ("plain", "date")]
        before: dict[tuple[str, ...], tuple[object, str, str | None]] = {}
        for state, (session, live) in zip(sample.log("state"), replays(sample), strict=True):
            wanted = set()
            for event in (row["event"] for row in sample.log("event") if row["session"] == session):
                if event["kind"] == "E7":
                    led = [(rows, value_in(rows, relations[event["mentions"]])) for rows in (before, live)]
                    known = {name: [value_in(rows, (who, name, "")) for rows, who in led] for name in names}
                    wanted |= {(event["event_id"], name, *two) for name, two in known.items() if two[0] != two[1]}
            found = [(each["event_id"], each["attribute"], each["old"], each["new"]) for each in state["derived"]]
            assert len(found) == len(wanted) and set(found) == wanted
            seen += len(found)
            before = live
    assert seen > 5


def value_in(live, key):
    return live[key][2] if key in live else None


def test_a_rumour_is_in_dispute_until_a_paper_settles_it(built):
    kinds = 0
    for each in built:
        facts = {fact.fact_id: fact for fact in each.plan.facts()}
        told: list[str] = []
        settled: set[object] = set()
        for session, state in zip(each.plan.sessions, states(each.pack, each.plan), strict=True):
            told += [event.fact.fact_id for event in session.events if event.kind == "E5" and event.fact]
            papers = [event for event in session.events if event.kind == "E6"]
            settled |= {(event.fact or facts[event.mentions]).key for event in papers}
            assert list(state.disputed) == [name for name in told if facts[name].key not in settled]
            kinds += len(state.disputed)
    assert kinds


def test_chit_chat_is_what_users_say_that_tells_nothing_and_makes_no_point(on_disk):
    for sample in on_disk:
        rows = {row["session"]: row["turns"] for row in sample.log("chit-chat")}
        assert list(rows) == list(sample.points()) and all(rows.values())
        for session in sample.raw["sessions"]:
            name = session["_v2_session_id"]
            telling = {place for row in sample.log("event") if row["session"] == name for place in row["turns"]}
            users = {place for place, turn in enumerate(session["dialogue"]) if turn["role"] == "user"}
            assert set(rows[name]) == users - telling


def test_visual_points_are_in_no_text(on_disk):
    for sample in on_disk:
        said = "\n".join(turn["content"] for session in sample.raw["sessions"] for turn in session["dialogue"]).lower()
        hidden = [
            field["value"] for row in sample.log("picture") for field in row["picture"]["fields"] if field.get("hidden")
        ]
        assert hidden and not [value for value in hidden if says(plain(said), plain(value))]
