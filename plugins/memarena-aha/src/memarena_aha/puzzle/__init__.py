"""Situation puzzles: a host knows what lies behind a strange story, and yes or no is nearly all it says."""

from memarena_aha.puzzle.course import PuzzleOptions, PuzzlePart
from memarena_aha.puzzle.episode import PuzzleEpisode
from memarena_aha.puzzle.loader import load_puzzle, puzzle_ids

__all__ = ["PART", "PuzzleEpisode", "PuzzleOptions", "PuzzlePart", "load_puzzle", "puzzle_ids"]

PART = PuzzlePart()
