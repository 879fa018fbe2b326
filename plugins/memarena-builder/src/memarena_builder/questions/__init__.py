"""Questions as queries on facts: text, answer, minimal evidence."""
