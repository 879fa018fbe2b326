"""The prompts of this package: text files with a name and a revision, and how data is put beside them.

A prompt is sent as the system message, whole and unchanged. What a system wrote (memories, answers) and what a data
set holds (questions, references, dialogue) goes into the user message, fenced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from inspect import cleandoc
from typing import Any, TypeVar

from memarena.records import Record
from memarena_models.prompts.fence import fenced

C = TypeVar("C", bound=type[Any])

PROMPT_REVISION = 2
"""Rises with every change of any prompt."""


class Prompt(Record, frozen=True, kw_only=True):
    """The system message of one task."""

    name: str
    text: str
    revision: int = PROMPT_REVISION

    @property
    def hash(self) -> str:
        """What tells this text from any other, whatever its revision says."""
        return blake2b(self.text.encode(), digest_size=8).hexdigest()

    @property
    def title(self) -> str:
        """The first line, by which the model `offline` knows the task."""
        return self.text.partition("\n")[0]

    def messages(self, parts: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """The messages of a request; `parts` is the data, by name, in the order in which it is shown."""
        data = fenced(parts)
        return [
            {"role": "system", "content": f"{self.text}\nThe mark of this request is {data.mark}."},
            {"role": "user", "content": f"{data.text}\n\nReply with the JSON object."},
        ]


@cache
def load(name: str) -> Prompt:
    """The prompt in `NAME.md`, with the rules about data that all share."""
    folder = files(__name__)
    own, shared = ((folder / f"{each}.md").read_text(encoding="utf-8").strip() for each in (name, "data"))
    return Prompt(name=name, text=f"memarena task {name}, revision {PROMPT_REVISION}\n\n{own}\n\n{shared}")


def with_prompts(*names: str) -> Any:
    """A class decorator: the prompts stand at the end of the docstring, where `memarena describe` prints them.

    Their hashes are the class's `prompt_hashes`, under which labels are kept.
    """

    def extend(cls: C) -> C:
        prompts = [load(name) for name in names]
        texts = [f"Prompt {one.name}, revision {one.revision}, hash {one.hash}:\n\n{one.text}" for one in prompts]
        cls.prompt_hashes = tuple(one.hash for one in prompts)
        cls.__doc__ = "\n\n".join([cleandoc(cls.__doc__ or ""), *texts])
        return cls

    return extend
