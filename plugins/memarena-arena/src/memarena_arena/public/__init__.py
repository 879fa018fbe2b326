"""Public benchmarks from local files: a module a data set, and what they share. None of their data is shipped."""
