"""The whole history up to a token budget, answered over the whole: the long-context row of every table."""
