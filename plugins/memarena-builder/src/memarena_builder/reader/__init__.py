"""A symbolic reader: recovers facts from the words of a sample and answers its questions, without gold."""
