"""Every statement that is sent to the graph, in the Cypher that Neo4j 5 and ArcadeDB share.

(:MemArenaName)-[:NAMES]->(:MemArenaEntity)<-[:SUBJECT|OBJECT]-(:MemArenaFact)-[:FROM]->(:MemArenaTurn), and
(:MemArenaFact)-[:REPLACES]->(:MemArenaFact). Every node has the `cell` that it belongs to.
"""

from __future__ import annotations

SCHEMA = (
    "CREATE CONSTRAINT memarena_fact IF NOT EXISTS FOR (f:MemArenaFact) REQUIRE (f.cell, f.id) IS UNIQUE",
    "CREATE CONSTRAINT memarena_entity IF NOT EXISTS FOR (e:MemArenaEntity) REQUIRE (e.cell, e.id) IS UNIQUE",
    "CREATE CONSTRAINT memarena_turn IF NOT EXISTS FOR (t:MemArenaTurn) REQUIRE (t.cell, t.id) IS UNIQUE",
    "CREATE INDEX memarena_facts IF NOT EXISTS FOR (f:MemArenaFact) ON (f.cell)",
    "CREATE INDEX memarena_slots IF NOT EXISTS FOR (f:MemArenaFact) ON (f.cell, f.slot)",
    "CREATE INDEX memarena_names IF NOT EXISTS FOR (n:MemArenaName) ON (n.cell, n.key)",
)
"""What makes ids unique within a cell, and look-ups fast."""

LABELS = ("MemArenaName", "MemArenaFact", "MemArenaEntity", "MemArenaTurn")

CLEAR = "MATCH (n:{label} {{cell: $cell}}) WITH n LIMIT $most DETACH DELETE n RETURN count(*) AS gone"
"""Deletes up to `most` nodes of a cell; `label` is one of LABELS."""

# -- writing a round, in one transaction ------------------------------------------------------

TURNS = """UNWIND $rows AS row
MERGE (t:MemArenaTurn {cell: $cell, id: row.id}) SET t += row"""

ENTITIES = """UNWIND $rows AS row
MERGE (e:MemArenaEntity {cell: $cell, id: row.id}) SET e.name = row.name"""

NAMES = """UNWIND $rows AS row
MATCH (e:MemArenaEntity {cell: $cell, id: row.entity})
MERGE (n:MemArenaName {cell: $cell, key: row.key, entity: row.entity}) SET n.whole = row.whole
MERGE (n)-[:NAMES]->(e)"""

FACTS = """UNWIND $rows AS row
MERGE (f:MemArenaFact {cell: $cell, id: row.id}) SET f += row"""

ENDS = """UNWIND $rows AS row
MATCH (f:MemArenaFact {cell: $cell, id: row.id})
MATCH (s:MemArenaEntity {cell: $cell, id: row.subject_id})
MATCH (o:MemArenaEntity {cell: $cell, id: row.object_id})
MERGE (f)-[:SUBJECT]->(s)
MERGE (f)-[:OBJECT]->(o)"""

SOURCES = """UNWIND $rows AS row
MATCH (f:MemArenaFact {cell: $cell, id: row.id})
MATCH (t:MemArenaTurn {cell: $cell, id: row.turn})
MERGE (f)-[:FROM]->(t) SET f.revision = row.revision"""

CLOSE = """UNWIND $rows AS row
MATCH (f:MemArenaFact {cell: $cell, id: row.id})
MATCH (g:MemArenaFact {cell: $cell, id: row.by})
SET f.current = false, f.invalid_since = row.since, f.replaced_by = row.by, f.revision = row.revision
MERGE (g)-[:REPLACES]->(f)"""

# -- reading for a round ----------------------------------------------------------------------

NAMED = """UNWIND $keys AS key
MATCH (n:MemArenaName {cell: $cell, key: key})
RETURN n.key AS key, n.whole AS whole, n.entity AS entity"""

_FACT = "f.id AS fact_id, f.slot AS slot, f.object_id AS object, f.text AS text, f.valid_from AS valid_from"

ABOUT = f"""UNWIND $entities AS entity
MATCH (e:MemArenaEntity {{cell: $cell, id: entity}})<-[:SUBJECT|OBJECT]-(f:MemArenaFact)
WHERE f.current
WITH DISTINCT f ORDER BY f.seq DESC LIMIT $most
RETURN {_FACT}"""
"""The newest facts of some entities that are true."""

ALIKE = f"""MATCH (f:MemArenaFact {{cell: $cell}})
WHERE f.current
WITH f, size([word IN $words WHERE word IN f.words]) AS shared
WHERE shared >= $fewest
WITH f ORDER BY shared DESC, f.seq DESC LIMIT $most
RETURN {_FACT}"""
"""The true facts that have most of some words, at least `fewest`."""

IN_SLOTS = f"""UNWIND $slots AS slot
MATCH (f:MemArenaFact {{cell: $cell, slot: slot}})
WHERE f.current
RETURN {_FACT} ORDER BY f.seq"""

# -- reading for a question -------------------------------------------------------------------

NEAREST = """MATCH (f:MemArenaFact {cell: $cell})
WHERE f.current OR $history
RETURN f.id AS id, f.seq AS seq, vector.similarity.cosine(f.vector, $vector) AS score
ORDER BY score DESC, seq DESC LIMIT $most"""

HOLDING = """MATCH (f:MemArenaFact {cell: $cell})
WHERE f.current OR $history
WITH f, [word IN $words WHERE word IN f.words] AS found
WHERE size(found) > 0
RETURN f.id AS id, f.seq AS seq, found, size(f.words) AS length"""

OF_ENTITIES = """UNWIND $entities AS entity
MATCH (e:MemArenaEntity {cell: $cell, id: entity})<-[:SUBJECT|OBJECT]-(f:MemArenaFact)
WHERE f.current OR $history
RETURN f.id AS id, f.seq AS seq, count(DISTINCT entity) AS shared
ORDER BY shared DESC, seq DESC LIMIT $most"""

AROUND = """UNWIND $seeds AS seed
MATCH (s:MemArenaFact {cell: $cell, id: seed})-[:SUBJECT|OBJECT]->(e)<-[:SUBJECT|OBJECT]-(f:MemArenaFact)
WHERE f.id <> seed AND (f.current OR $history)
WITH seed, e, collect(f) AS near
WHERE size(near) <= $hub
UNWIND near AS f
RETURN seed, f.id AS id, f.seq AS seq, size(near) AS crowd"""
"""One hop: the facts that share an entity with a seed, unless that entity has more than `hub` of them."""

_ITEM = """OPTIONAL MATCH (f)-[:FROM]->(t:MemArenaTurn)
WITH f, t ORDER BY f.seq, t.seq
RETURN f.id AS id, f.text AS text, f.current AS current, f.relation AS relation, f.subject AS subject,
f.object AS object, f.valid_from AS valid_from, f.invalid_since AS invalid_since, f.told AS told,
f.replaced_by AS replaced_by, f.session AS session, f.image_id AS image_id, f.image_path AS image_path,
f.seq AS seq, collect(t.id) AS turns
ORDER BY seq"""

ITEMS = "UNWIND $ids AS id\nMATCH (f:MemArenaFact {cell: $cell, id: id})\n" + _ITEM
CHANGED = "MATCH (f:MemArenaFact {cell: $cell})\nWHERE f.revision > $revision\n" + _ITEM
