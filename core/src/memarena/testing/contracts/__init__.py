"""The checks, one module a kind of plugin (an adapter has three)."""
