"""Porter's stem as NLTK finds it, without importing the whole of NLTK.

`import nltk` loads scipy's statistics where they are installed: about 0.8 s of CPU, in every process that stems. The
stemmer needs none of it, so it is imported from bare packages, which are taken away again at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_BARE = ("nltk", "nltk.stem")


def _stemmer_class() -> Any:
    if "nltk" in sys.modules:
        from nltk.stem.porter import PorterStemmer

        return PorterStemmer
    spec = find_spec("nltk")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'nltk'", name="nltk")
    root = spec.submodule_search_locations[0]
    for name in _BARE:
        package = ModuleType(name)
        package.__path__ = [root + name.removeprefix("nltk").replace(".", "/")]
        sys.modules[name] = package
    try:
        from nltk.stem.porter import PorterStemmer

        return PorterStemmer
    finally:
        for name in [name for name in sys.modules if name == "nltk" or name.startswith("nltk.")]:
            del sys.modules[name]


porter_stem: Callable[[str], str] = _stemmer_class()().stem
"""The stem of a lower-case word, as NLTK's `PorterStemmer()` finds it in its default mode."""
