"""From events to turns: mentions, clauses, openers, chit-chat."""
