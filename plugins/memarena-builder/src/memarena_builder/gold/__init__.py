"""Gold points of a session, by construction: new, update, interference."""
