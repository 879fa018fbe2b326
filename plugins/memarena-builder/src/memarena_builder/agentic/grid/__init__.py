"""MiniGrid and BabyAI: a house that stays, an expert that runs errands in it."""
