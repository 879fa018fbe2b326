"""What happens in which session: events and distractors, by quotas; no words yet."""

from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.plan.planner import make_plan
from memarena_builder.plan.quota import Quota

__all__ = ["Event", "Plan", "Quota", "SessionPlan", "make_plan"]
