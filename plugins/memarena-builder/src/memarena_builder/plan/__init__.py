"""What happens in which session: events and distractors, by quotas; no words yet."""
