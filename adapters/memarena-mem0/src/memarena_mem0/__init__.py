"""Mem0 as a memory system under test: the library `mem0ai`, in the versions 2.x and 1.0.11."""
