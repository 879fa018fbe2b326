"""What holds for any data set: each check finds its fault, and nothing where there is none."""

from __future__ import annotations

import msgspec
import pytest

from memarena.datachecks import BROUGHT, CHECKS, check, check_all, marks
from memarena.records import Attachment, Checkpoint, Evidence, Finding, GoldPoint, Question, Sample, Session, Turn


def turn(name: str, text: str, *pictures: str) -> Turn:
    attachments = tuple(Attachment(image_id=each) for each in pictures)
    session, _, index = name.partition(":T")
    return Turn(turn_id=name, session_id=session, index=int(index), text=text, attachments=attachments)


def point(name: str, content: str, *replaces: str, **more) -> GoldPoint:
    kind = "update" if replaces else "new"
    return GoldPoint(
        **{"memory_id": name, "content": content, "session_id": "S0", "kind": kind, "replaces": replaces, **more}
    )


def question(name: str, text: str, *evidence: Evidence, **more) -> Question:
    return Question(question_id=name, text=text, reference="Porto", evidence=evidence, **more)


LYON = Evidence(evidence_id="m1", content="Mara lives in Lyon.", session_id="S0")
PORTO = Evidence(evidence_id="m2", content="Mara lives in Porto.", session_id="S1")
GOOD = Sample(
    sample_id="good",
    sessions=(
        Session(
            session_id="S0",
            turns=(turn("S0:T0", "Since 1,200 days I, Mara, live in Lyon."),),
            points=(point("m1", "Mara lives in Lyon."),),
        ),
        Session(
            session_id="S1",
            turns=(turn("S1:T0", "I moved to Porto."),),
            points=(point("m2", "Mara lives in Porto.", "Mara lives in Lyon."),),
        ),
    ),
    checkpoints=(
        Checkpoint(
            checkpoint_id="C0", covered=("S0",), after_session="S0", questions=(question("C0:Q1", "Where?", LYON),)
        ),
        Checkpoint(
            checkpoint_id="C1",
            covered=("S1",),
            after_session="S1",
            questions=(question("C1:Q1", "Where now?", PORTO), question("C1:Q2", "Who?", answerable=False)),
        ),
    ),
)


def found(sample: Sample) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in check(sample)]


def with_points(*points: GoldPoint) -> Sample:
    first, second = GOOD.sessions
    return msgspec.structs.replace(GOOD, sessions=(msgspec.structs.replace(first, points=points), second))


def with_questions(*questions: Question, covered: tuple[str, ...] = ("S0",)) -> Sample:
    stop = Checkpoint(checkpoint_id="C0", covered=covered, after_session="S0", questions=questions)
    return msgspec.structs.replace(GOOD, checkpoints=(stop,))


def test_nothing_is_found_where_all_is_well():
    assert found(GOOD) == []


def test_names_and_numbers_are_marks_and_the_first_word_of_a_sentence_is_none():
    assert marks("The budget of Aster is 1,200 euros. It grew.") == {"aster", "1200"}
    assert marks("Dogs like Rex's friend. Eva Galanis has 2 of them.") == {"rex", "eva galanis", "2"}


def test_of_a_full_name_one_part_is_enough():
    assert found(with_points(point("m1", "Mara lives in Lyon."), point("m3", "Mara Okafor lives in Old Lyon."))) == []


@pytest.mark.parametrize("content", ["Who lives there is Ines.", "It costs 1,300 euros."])
def test_a_point_that_nobody_told_is_found(content):
    assert found(with_points(point("m1", content), point("m0", "Mara lives in Lyon.")))[0] == ("V1", "m1")


def test_a_number_is_the_same_with_and_without_separators():
    assert found(with_points(point("m1", "Mara lives in Lyon."), point("m3", "It is 1200 days."))) == []


def test_what_a_picture_may_show_is_not_missed():
    first, second = GOOD.sessions
    shown = msgspec.structs.replace(first, turns=(turn("S0:T0", "Mara, see this. In Lyon.", "i1"),))
    sample = msgspec.structs.replace(GOOD, sessions=(shown, second))
    assert found(sample) == []


@pytest.mark.parametrize(
    ("odd", "path"),
    [
        (point("m3", "Mara lives in Lyon.", "Mara lives in Lyon."), "m3"),
        (point("m3", "Mara lives there.", "Mara lives nowhere."), "m3"),
        (point("m3", "Mara lives there.", kind="update"), "m3"),
        (point("m3", "Mara lives there.", "Mara lives in Porto."), "m3"),
    ],
)
def test_an_update_that_is_no_link_of_a_chain_is_found(odd, path):
    assert found(with_points(point("m1", "Mara lives in Lyon."), odd)) == [("V4", path)]


def test_an_update_that_adds_to_what_is_there_replaces_nothing():
    added = point("m3", "Mara lives in Old Lyon too.", kind="update", update_type="Append")
    assert found(with_points(point("m1", "Mara lives in Lyon."), added)) == []


def test_a_distractor_is_nothing_that_an_update_can_replace():
    joke = point("m0", "Mara lives on Mars.", kind="interference")
    sample = with_points(point("m1", "Mara lives in Lyon."), joke, point("m3", "She does.", "Mara lives on Mars."))
    assert ("V4", "m3") in found(sample)


def test_evidence_that_is_told_after_the_question_is_found():
    assert found(with_questions(question("Q1", "Where?", PORTO))) == [("V7", "Q1")]


def test_evidence_that_is_not_there_is_found():
    assert found(with_questions(question("Q1", "Where?", Evidence(evidence_id="m9")))) == [("V10", "Q1")]


def test_a_question_that_can_be_answered_from_nothing_is_found():
    assert found(with_questions(question("Q1", "Where?"))) == [("V10", "Q1")]


def test_of_a_sample_whose_questions_all_have_no_evidence_that_is_said_once():
    sample = with_questions(question("Q1", "Where?"), question("Q2", "Who?"), question("Q3", "Why?", answerable=False))
    assert found(sample) == [("V10", "good")]
    assert [finding.message for finding in check(sample)] == ["none of its 3 questions has evidence"]


def test_questions_that_nobody_can_answer_need_no_evidence():
    sample = with_questions(*(question(name, name, answerable=False) for name in ("Q1", "Q2")))
    assert found(sample) == []


def test_a_question_that_is_asked_twice_at_once_is_found():
    assert found(with_questions(question("Q1", "Where?", LYON), question("Q2", "Where?", LYON))) == [("V10", "Q2")]


@pytest.mark.parametrize("other", [{"path": "/b.png"}, {"image_id": "i2"}, {"caption_full": "A dog."}])
def test_the_same_words_about_another_picture_are_another_question(other):
    picture = Attachment(path="/a.png", image_id="i1", caption_full="A cat.")
    twice = question("Q1", "What is this?", LYON, attachments=(picture,))
    again = msgspec.structs.replace(twice, question_id="Q2")
    assert found(with_questions(twice, again)) == [("V10", "Q2")]
    apart = msgspec.structs.replace(again, attachments=(msgspec.structs.replace(picture, **other),))
    assert found(with_questions(twice, apart)) == []


def test_a_checkpoint_that_covers_what_is_not_there_is_found():
    assert found(with_questions(question("Q1", "Where?", LYON), covered=("S0", "S7"))) == [("V10", "C0")]


def test_an_id_that_is_there_twice_is_found():
    assert found(with_points(point("m1", "Mara lives in Lyon."), point("m1", "Mara lives there."))) == [("V10", "m1")]


def test_every_check_has_its_line():
    assert set(CHECKS) == {"V1", "V4", "V7", "V10"}


class Brought:
    """A row of the catalog whose check says the same of each sample."""

    def __init__(self, *found: Finding) -> None:
        self.found = found

    def load(self):
        return lambda opened, sample: iter(self.found) if opened == "a data set" else iter(())


def test_a_package_brings_checks_and_what_two_find_in_one_place_is_said_once(monkeypatch):
    early = with_questions(question("Q1", "Where?", PORTO))
    own = list(check(early))
    assert [(each.code, each.path) for each in own] == [("V7", "Q1")]
    again = Finding(code="V7", level="note", message="in other words", path="Q1")
    more = Finding(code="V5", level="note", message="less is enough", path="Q1")
    monkeypatch.setattr("memarena.catalog.entries", lambda group: [Brought(again, more)] * (group == BROUGHT))
    assert list(check_all("a data set", early)) == [*own, more]
    assert list(check_all("another", early)) == own


def test_further_sets_of_evidence_are_looked_at_as_the_first_is():
    def asked(*sets):
        one = question("C0:Q1", "Where?", LYON, evidence_alternatives=sets)
        stop = msgspec.structs.replace(GOOD.checkpoints[0], questions=(one,))
        return found(msgspec.structs.replace(GOOD, checkpoints=(stop, GOOD.checkpoints[1])))

    late, gone = PORTO, Evidence(evidence_id="gone")
    assert asked((late,)) == [("V7", "C0:Q1")]
    assert asked((gone,)) == [("V10", "C0:Q1")]
    assert asked((LYON,)) == asked((LYON, LYON)) == [("V10", "C0:Q1")]
