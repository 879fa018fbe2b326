from __future__ import annotations

from memarena_builder.streams import Streams


def test_a_stream_depends_on_its_seed_and_path_alone():
    assert Streams(7).rng("plan", 3).random() == Streams(7, ("plan",)).rng(3).random()


def test_another_seed_or_another_name_gives_another_stream():
    numbers = {Streams(7).at("a").number, Streams(8).at("a").number, Streams(7).at("b").number}
    assert len(numbers) == 3


def test_names_are_not_run_together():
    assert Streams(1).at("ab", "c").number != Streams(1).at("a", "bc").number


def test_the_number_of_a_stream_is_pinned():
    assert Streams(7).at("software_01", "plan").number == 8589218412768371606
