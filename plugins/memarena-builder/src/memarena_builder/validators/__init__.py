"""Checks of a built sample (V1-V11): each tells what is wrong and which unit has to be made again."""
