"""Samples from environments: trajectories become sessions, and what the agent learns becomes gold."""
