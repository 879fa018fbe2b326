"""Graphiti as a memory system under test: the library `graphiti-core` on FalkorDB or Neo4j."""
