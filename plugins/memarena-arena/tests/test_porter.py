"""The stemmer is NLTK's own, at a fraction of its cost, and leaves NLTK whole for others."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from memarena_arena.porter import porter_stem


@given(st.text("abcdefghijklmnopqrstuvwxyz'", max_size=20))
def test_it_stems_as_nltk_does(word: str) -> None:
    assert porter_stem(word) == PorterStemmer().stem(word)


def test_stemming_loads_neither_scipy_nor_the_rest_of_nltk_and_nltk_can_be_imported_after_it() -> None:
    code = (
        "import sys; from memarena_arena.porter import porter_stem; assert porter_stem('running') == 'run';"
        "assert not any(name.split('.')[0] in ('nltk', 'scipy') for name in sys.modules);"
        "import nltk; assert nltk.word_tokenize and nltk.stem.PorterStemmer().stem('running') == 'run'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
