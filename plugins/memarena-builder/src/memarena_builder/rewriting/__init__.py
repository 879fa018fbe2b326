"""Other words for what is said, by a model: what is told, asked and right stays as the rules made it."""
