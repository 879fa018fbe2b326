"""One file a family, `fNN_name.py` with `FAMILY`; none imports another."""
