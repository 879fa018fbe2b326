"""Models of real architectures with a few thousand random weights, saved as real ones are: Qwen3-VL, Qwen2-VL, CLIP."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

MARKS = {"vision_start": "<|vision_start|>", "vision_end": "<|vision_end|>", "image": "<|image_pad|>"}
MARKS |= {"video": "<|video_pad|>"}
TEMPLATE = """{%- for message in messages -%}
<|im_start|>{{ message.role }}
{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content -%}
{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>
{%- elif part.type == 'video' %}<|vision_start|><|video_pad|><|vision_end|>
{%- elif part.type == 'text' %}{{ part.text }}{% endif %}
{%- endfor %}{% endif %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}"""
SIZES = {"num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 32}


_LIBRARIES: list[Any] = []
"""An operator lives as long as the library that defined it."""


def _torchvision_problem() -> str:
    """Why torchvision, which Qwen's processors need, cannot be imported; "" where it can.

    One whose compiled operators are for another torch is good enough here: nothing calls them, so they are declared.
    """
    try:
        import_module("torchvision")
    except ImportError as error:
        return f"torchvision cannot be imported: {error}"
    except RuntimeError:
        import torch

        library = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _LIBRARIES.append(library)
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
        import_module("torchvision")
    return ""


NO_TORCHVISION = _torchvision_problem()
"""Found out before sentence-transformers is imported, which imports torchvision where it is installed."""


def qwen3_vl(folder: Path) -> str:
    """A Qwen3-VL without a configuration for embeddings, as the weights of the language model come."""
    import torch
    from transformers import Qwen3VLConfig, Qwen3VLModel, Qwen3VLProcessor, Qwen3VLVideoProcessor

    text = {**SIZES, "hidden_size": 32, "head_dim": 16, "max_position_embeddings": 4096}
    text["rope_parameters"] = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [4, 2, 2]}
    vision = {"depth": 2, "hidden_size": 32, "num_heads": 2, "intermediate_size": 32, "out_hidden_size": 32}
    vision |= {"num_position_embeddings": 64, "deepstack_visual_indexes": [0]}
    torch.manual_seed(0)
    tokenizer = _save_processor(folder, Qwen3VLProcessor, Qwen3VLVideoProcessor(), patch_size=16)
    Qwen3VLModel(Qwen3VLConfig(**_config(tokenizer, text, vision))).save_pretrained(folder)
    return str(folder)


def qwen2_vl(folder: Path) -> str:
    """The same of Qwen2-VL, on which GME is built."""
    import torch
    from transformers import Qwen2VLConfig, Qwen2VLModel, Qwen2VLProcessor, Qwen2VLVideoProcessor

    text = {**SIZES, "hidden_size": 32, "max_position_embeddings": 4096}
    text["rope_parameters"] = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [4, 2, 2]}
    vision = {"depth": 2, "embed_dim": 32, "hidden_size": 32, "num_heads": 2, "mlp_ratio": 1}
    torch.manual_seed(0)
    tokenizer = _save_processor(folder, Qwen2VLProcessor, Qwen2VLVideoProcessor(), patch_size=14)
    Qwen2VLModel(Qwen2VLConfig(**_config(tokenizer, text, vision))).save_pretrained(folder)
    return str(folder)


def for_embeddings(bare: str, folder: Path) -> str:
    """The model in `bare` with last token and unit length, as embedding models are published."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Normalize
    from sentence_transformers.sentence_transformer.modules import Pooling

    loaded = SentenceTransformer(bare, device="cpu")
    pooling = Pooling(loaded.get_embedding_dimension(), pooling_mode="lasttoken")
    SentenceTransformer(modules=[loaded[0], pooling, Normalize()]).save(str(folder))
    return str(folder)


def clip(folder: Path) -> str:
    """A CLIP that reads single letters and pictures of 32 x 32."""
    import torch
    from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor, CLIPTokenizer

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
    return str(folder)


def _config(tokenizer: Any, text: Mapping[str, Any], vision: Mapping[str, Any]) -> dict[str, Any]:
    """Of either Qwen."""
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    return {
        "text_config": {**text, **ends, "vocab_size": len(tokenizer)},
        "vision_config": {**vision, "spatial_merge_size": 2, "temporal_patch_size": 2},
        **{f"{name}_token_id": tokenizer.convert_tokens_to_ids(token) for name, token in MARKS.items()},
    }


def _save_processor(folder: Path, kind: Any, videos: Any, patch_size: int) -> Any:
    """The tokenizer of the processor: a token a byte, then the special ones."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import Qwen2TokenizerFast, Qwen2VLImageProcessor

    # The byte alphabet is a set; sorted, each token has the same number in each run.
    alphabet = {letter: place for place, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    letters = Tokenizer(models.BPE(vocab=alphabet, merges=[]))
    letters.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters.decoder = decoders.ByteLevel()
    tokenizer = Qwen2TokenizerFast(
        tokenizer_object=letters,
        pad_token="<|endoftext|>",
        eos_token="<|im_end|>",
        additional_special_tokens=["<|im_start|>", *MARKS.values()],
        model_max_length=4096,
    )
    size = {"shortest_edge": 32 * 32, "longest_edge": 128 * 128}
    pictures = Qwen2VLImageProcessor(patch_size=patch_size, merge_size=2, temporal_patch_size=2, size=size)
    kind(pictures, tokenizer, videos, chat_template=TEMPLATE).save_pretrained(folder)
    return tokenizer
