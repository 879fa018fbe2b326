"""Traces that exist become samples: read from their logs, annotated by rules or by a model, reviewed by people."""
