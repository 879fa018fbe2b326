"""One module a kind of picture, or for a few that are alike; each has several designs, chosen by the picture's seed."""
