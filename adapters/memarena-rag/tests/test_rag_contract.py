from memarena.testing import AdapterContract
from memarena_rag.bm25 import Bm25, Bm25Options


class TestBm25(AdapterContract):
    make = Bm25


class TestBm25OverTurnsWithoutCaptions(AdapterContract):
    def make(self) -> Bm25:
        return Bm25(Bm25Options(unit="turn", captions=False))
