"""The parts as servers of the Model Context Protocol, so that any agent that knows it can play."""
