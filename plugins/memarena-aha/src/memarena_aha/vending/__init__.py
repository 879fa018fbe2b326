"""Aha-Vending: a year of running a vending machine, with incidents, seeded and exact to the cent."""

from memarena_aha.vending.part import PART
from memarena_aha.vending.scenario import HORIZONS, INCIDENTS, VARIANTS, Scenario
from memarena_aha.vending.world import Outcome, World

__all__ = ["HORIZONS", "INCIDENTS", "PART", "VARIANTS", "Outcome", "Scenario", "World"]
