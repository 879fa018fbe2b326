"""Aha-Vending: a year of running a vending machine, with incidents, seeded and exact to the cent."""

from memarena_aha.vending.scenario import HORIZONS, INCIDENTS, VARIANTS, Scenario
from memarena_aha.vending.world import Outcome, World

__all__ = ["HORIZONS", "INCIDENTS", "VARIANTS", "Outcome", "Scenario", "World"]
