"""A temporal knowledge graph through the Neo4j driver: facts that are true from one time to another."""
