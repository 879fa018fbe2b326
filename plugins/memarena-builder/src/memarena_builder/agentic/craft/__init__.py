"""Crafter: a valley in which an expert gathers, builds and makes tools, task after task."""
