"""Statistics, tables, comparison and a one-file HTML report for memarena runs."""
