"""What the model offline makes of pictures in the `messages` of a request for embeddings."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from memarena.meter import estimate_tokens
from memarena_models import offline
from memarena_models.calls import pictures, read_call
from memarena_models.offline import BadRequest
from memarena_models.offline_pictures import look_at


def url(picture: Image.Image, form: str = "PNG") -> str:
    stream = BytesIO()
    picture.save(stream, form)
    return f"data:image/{form.lower()};base64,{base64.b64encode(stream.getvalue()).decode()}"


def plain(colour: str) -> str:
    return url(Image.new("RGB", (40, 30), colour))


def halves(left: str, right: str) -> str:
    picture = Image.new("RGB", (40, 30), left)
    picture.paste(right, (20, 0, 40, 30))
    return url(picture)


def messages(*parts: str) -> list[dict[str, Any]]:
    """As vLLM is asked: an instruction, what is embedded, and an empty answer to go on from."""
    content = [
        {"type": "image_url", "image_url": {"url": part}}
        if part.startswith("data:")
        else {"type": "text", "text": part}
        for part in parts
    ]
    return [
        {"role": "system", "content": [{"type": "text", "text": "Represent the user's input."}]},
        {"role": "user", "content": content},
        {"role": "assistant", "content": [{"type": "text", "text": ""}]},
    ]


def vector(*parts: str) -> list[float]:
    (row,) = offline.embeddings({"messages": messages(*parts), "continue_final_message": True})["data"]
    found = row["embedding"]
    assert isinstance(found, list)
    return found


def near(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_a_text_in_messages_has_the_vector_that_it_has_as_input() -> None:
    (row,) = offline.embeddings({"input": "a red boat"})["data"]
    assert vector("a red boat") == row["embedding"]


def test_the_same_picture_has_the_same_vector_whatever_its_format() -> None:
    assert vector(plain("red")) == vector(url(Image.new("RGB", (40, 30), "red"), "BMP"))


def test_pictures_that_look_alike_are_nearer() -> None:
    there = vector(halves("red", "blue"))
    assert near(there, there) == pytest.approx(1, abs=1e-6)
    assert near(there, vector(halves("crimson", "blue"))) > 0.8
    assert near(there, vector(halves("blue", "red"))) < 0.5


def test_a_picture_is_nearer_to_a_text_that_names_its_colour() -> None:
    asked = vector("Where is the red boat?")
    assert near(asked, vector(plain("red"))) > near(asked, vector(plain("green"))) + 0.1


def test_a_text_and_a_picture_are_one_vector_between_both() -> None:
    both = vector(plain("red"), "a boat")
    assert near(both, vector(plain("red"))) > 0.6
    assert near(both, vector("a boat")) > 0.6


def test_colours_are_shares_of_the_pixels() -> None:
    assert look_at(halves("red", "blue")).colours == {"red": 0.5, "blue": 0.5}


def test_what_is_transparent_is_white() -> None:
    assert look_at(url(Image.new("RGBA", (8, 8), (255, 0, 0, 0)))).colours == {"white": 1.0}


def test_all_texts_are_counted_and_pictures_are_not() -> None:
    used = offline.embeddings({"messages": messages(plain("red"), "a boat")})["usage"]
    assert used["prompt_tokens"] == estimate_tokens("a boat") + estimate_tokens("Represent the user's input.")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"messages": []}, "at least one message"),
        ({"messages": [{"role": "system", "content": "x"}]}, "one of the user"),
        ({"messages": messages("a"), "input": "a"}, "cannot be mixed"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "a url is needed"),
        ({"messages": messages("data:image/png,abc")}, "fetches nothing"),
        ({"messages": messages("data:image/png;base64,?")}, "image_url: "),
        ({"messages": messages("data:image/png;base64,AAAA")}, "cannot be read"),
        ({"messages": messages(plain("red")), "model": "offline-minilm"}, "reads no pictures"),
        ({"messages": messages(url(Image.new("1", (8000, 8000))))}, "64,000,000 pixels are too many"),
    ],
)
def test_messages_that_cannot_be_embedded_are_refused(body: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadRequest, match=problem):
        offline.embeddings(body)


def test_the_gateway_counts_the_pictures_of_messages_to_embed() -> None:
    raw = b'{"model": "m", "messages": [{"role": "user", "content": [{"type": "image_url"}, {"type": "text"}]}]}'
    assert pictures(read_call("embeddings", raw, "cell", "write", {})) == 1
