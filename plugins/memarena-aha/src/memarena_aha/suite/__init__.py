"""The protocol of the experience suite: a plan, then an evaluation, with a memory system as the only thing between."""
