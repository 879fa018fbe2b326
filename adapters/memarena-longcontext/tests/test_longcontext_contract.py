from memarena.testing import AdapterContract
from memarena_longcontext import LongContext, LongContextOptions


class TestLongContext(AdapterContract):
    make = LongContext


class TestLongContextMiddle(AdapterContract):
    def make(self) -> LongContext:
        return LongContext(LongContextOptions(truncate="middle"))
