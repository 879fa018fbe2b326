"""What a person may edit: a schema pack a domain, in TOML, and how it is read and checked."""
