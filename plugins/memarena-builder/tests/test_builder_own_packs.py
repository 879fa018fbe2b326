"""Dialogues from a pack that is no part of the package."""

from __future__ import annotations

import hashlib

import pytest
from builder_on_disk import OnDisk
from builder_orders import QUOTA, order
from builder_own_packs import FOLDER, TEXT, changed, found, written
from click.testing import CliRunner
from test_builder_reader import answers

from memarena.cli import cli
from memarena.errors import DataError, UsageError
from memarena_builder import build as building
from memarena_builder import manifest
from memarena_builder.advice import advice
from memarena_builder.dataset import _packs
from memarena_builder.layout import write_sample
from memarena_builder.lifelong import build_sample, streams_of
from memarena_builder.packs.load import domains_of, in_register, languages, load
from memarena_builder.packs.overlap import overlaps
from memarena_builder.presets import Variant, orders
from memarena_builder.probes.finished import finished
from memarena_builder.wording.persona import persona_of

OWN = ("run", "feed", "walker", "pickup")
EVERY_PACK = [(domain, language) for language in languages() for domain in domains_of(language)]


@pytest.fixture(scope="module", params=["", "formal"])
def sample(request, tmp_path_factory):
    """A sample of the kennels in a register, as it lies on disk, with what the reader makes of its questions."""
    with found(FOLDER):
        made = (order("kennels", seed) for seed in range(100))
        one = next(each for each in made if persona_of(streams_of(each).at("wording")).register == request.param)
        built = build_sample(one)
        root = tmp_path_factory.mktemp("kennels")
        write_sample(built, root)
        on_disk = OnDisk(root, built)
        return built, list(answers(on_disk, pictures=True))


def test_a_sample_is_whole_and_the_reader_answers_all_its_questions(sample):
    built, answered = sample
    assert built.left == () and len(answered) > 25
    assert [each for each in answered if each[1] != each[2]] == []


def test_a_sample_tells_what_only_its_domain_has(sample):
    built, _ = sample
    keys = [fact.key for fact in built.plan.facts()]
    boarders = {each.name for each in built.plan.cast.of("boarder")}
    assert boarders and {key.subject for key in keys if key.attribute in OWN} <= boarders
    told = {key.attribute for key in keys}
    assert len(told & set(OWN)) >= 3 and "naming" not in told


def test_words_of_its_file_are_said(sample):
    built, _ = sample
    said = [line.text for spoken in built.spoken.values() for line in spoken.lines]
    formal = built.pack.register == "formal"
    first = "boarding kennel, and I would be glad" if formal else "boarding kennel"
    assert first in said[0] or "I keep the book at a boarding kennel" in said[0]
    reasons = () if formal else ("The runs are swept", "Feeding is done", "The phone is quiet at last")
    assert formal or any(reason in text for reason in reasons for text in said)


def test_its_scripts_are_among_those_that_a_sample_follows(sample):
    built, _ = sample
    assert {"a stay", "picky eater"} < {script.name for script in built.pack.scripts}


def test_no_word_of_its_questions_is_in_what_is_said_formally():
    with found(FOLDER):
        shared = overlaps(in_register("kennels", "en", register="formal"))
    assert [each for each in shared if each.attribute in OWN] == []


def test_a_preset_has_as_many_samples_of_one_domain_as_of_all():
    with found(FOLDER):
        made = orders("tiny", 7, variant=Variant(domains=("kennels",)))
        both = orders("tiny", 7, variant=Variant(domains=("kennels", "health", "kennels")))
    assert [each.sample_id for each in made] == [f"kennels_{number:02}" for number in range(1, 7)]
    assert {each.place for each in made} == {"lifelong/project/kennels"}
    assert [each.domain for each in both] == ["kennels"] * 3 + ["health"] * 3


def test_a_pack_that_is_found_changes_nothing_of_a_data_set_that_does_not_ask_for_it():
    plain = orders("small", 7, "lifelong")
    with found(FOLDER):
        assert orders("small", 7, "lifelong") == plain


def test_whole_lives_are_a_domain_that_some_presets_do_not_have():
    assert [each.domain for each in orders("small", 7, variant=Variant(domains=("personal",)))] == ["personal"] * 2
    with pytest.raises(UsageError, match=r"tiny\+personal has no such samples"):
        orders("tiny", 7, variant=Variant(domains=("personal",)))


def test_a_variant_is_read_as_it_is_written():
    with found(FOLDER):
        made = Variant.read(["kennels", "twins2"])
        assert made == Variant(domains=("kennels",), twins=2) and str(made) == "+kennels+twins2"
        with pytest.raises(UsageError, match=r"\+kenels: .*did you mean 'kennels'"):
            Variant.read(["kenels"])


@pytest.fixture
def one_small_order(monkeypatch):
    """Builds are of one small sample."""
    small = order("kennels", quota=QUOTA.__class__(sessions=3, points=5, updates=1, rounds=6, checkpoints=1))
    monkeypatch.setattr(building, "orders", lambda *_: (small,))


def test_a_data_set_keeps_a_hash_of_the_pack_and_does_not_go_on_with_another(tmp_path, one_small_order):
    folder, out = written(tmp_path / "packs", TEXT), tmp_path / "sim"
    with found(folder):
        building.build(out, "tiny", 7)
        kept = manifest.read(out)
        assert kept.packs == {"en/kennels": hashlib.sha256(TEXT.encode()).hexdigest()}
        assert [each for each in manifest.elsewhere(kept) if "kennels" in each] == []
        assert len(building.build(out, "tiny", 7)) == 1
    assert next(each for each in manifest.elsewhere(kept) if "kennels" in each).endswith("here is none")
    again = pytest.raises(UsageError, match=r"holds another data set \(.*a pack of another state\)")
    with found(written(folder, changed("The blanket", "The pillow"))), again:
        building.build(out, "tiny", 7)


def test_the_cache_keeps_apart_what_was_built_from_another_state_of_a_pack(tmp_path):
    made = set()
    for text in (TEXT, changed("The blanket", "The pillow"), TEXT):
        with found(written(tmp_path, text)):
            made.add(_packs(Variant(domains=("kennels", "health"))))
            assert _packs(Variant(domains=("health",))) == ""
    assert len(made) == 2 and all(made)


def test_whoever_reads_a_data_set_without_its_pack_is_told_where_it_is_looked_for(tmp_path, one_small_order):
    with found(FOLDER):
        building.build(tmp_path / "sim", "tiny", 7)
        assert len(finished(tmp_path / "sim")) == 1
    with found(), pytest.raises(DataError, match=r"en/kennels.toml: there is no such .* folders of MEMARENA_PACKS"):
        finished(tmp_path / "sim")


def test_the_packs_of_a_folder_are_looked_at():
    with found():
        done = CliRunner().invoke(cli, ["data", "packs", str(FOLDER)])
    assert done.exit_code == 0
    assert done.output.startswith(f"{FOLDER / 'en' / 'kennels.toml'}: ") and "4 of them its own" in done.output


def test_a_folder_that_is_named_is_the_only_one_and_may_be_called_as_it_likes(tmp_path):
    folder = written(tmp_path / "mine:new", TEXT)
    with found(tmp_path / "nowhere"):
        done = CliRunner().invoke(cli, ["data", "packs", str(folder)])
    assert done.exit_code == 0 and done.output.startswith(f"{folder / 'en' / 'kennels.toml'}: ")
    with found():
        done = CliRunner().invoke(cli, ["data", "packs", str(tmp_path / "nowhere")])
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == f"{tmp_path / 'nowhere'}: there is no such folder of packs"


WEAK = {
    "run: 'night' stands in the question": ("It's the quiet side, away", "It's quiet at night, away"),
    "feed: the judge `lexical` does not find '{S} is fed {V}.' in": ("{S} likes to be fed", "{S} loves"),
    "friend": ("Where does {S} spend the night?", "Which friend does {S} have?"),
}  # fmt: skip


@pytest.mark.parametrize("what", WEAK)
def test_what_is_weak_is_a_line_and_an_exit_code_and_yet_a_pack(what, tmp_path):
    folder = written(tmp_path, changed(*WEAK[what]))
    with found():
        done = CliRunner().invoke(cli, ["data", "packs", str(folder)])
    lines = done.output.splitlines()
    assert done.exit_code == 1 and len(lines) >= 2 and all(line.startswith(str(folder)) for line in lines)
    assert any(what in line for line in lines[1:])


def test_a_value_that_only_pictures_show_is_not_to_be_in_an_exchange_that_tells_nothing(tmp_path):
    shown = changed('label = "Feed"', 'label = "Feed"\ncarriers = ["picture"]\npictures = ["label"]')
    folder = written(tmp_path, shown.replace("A radio at low volume helps", "Some tripe helps"))
    with found(folder):
        lines = list(advice(load("kennels"), OWN))
    assert [line for line in lines if line.startswith("feed: the exchange 'Some tripe helps some of them.' says")] != []


@pytest.mark.parametrize(("domain", "language"), EVERY_PACK)
def test_no_pack_that_comes_with_the_package_is_weak(domain, language):
    pack = load(domain, language)
    assert list(advice(pack, ["", *(each.name for each in pack.attributes)])) == []
