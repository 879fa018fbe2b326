"""Does a fixed agent act better after experience? Seeded, exact and replayable worlds to find out."""

__version__ = "1.0.0"
