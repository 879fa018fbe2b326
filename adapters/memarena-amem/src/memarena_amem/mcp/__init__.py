"""`amem-mcp`: the library `a-mem` of PyPI (import name `agentic_memory`), which is not the paper's own code."""
