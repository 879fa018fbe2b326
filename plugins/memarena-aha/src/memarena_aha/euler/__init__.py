"""Aha-Euler: families of number puzzles with a taught and a held-out side, each with two solvers."""
