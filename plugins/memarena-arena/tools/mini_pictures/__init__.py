"""The pictures of the data set `mini`, drawn with Pillow and nothing else."""
