"""Multimodal dense retrieval as a memory: texts and pictures as separate vectors of one space."""
