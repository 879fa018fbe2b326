"""WorldMemArena and LoCoMo for memarena: data sets, metrics, stage scorers, the embedded judge and answerer."""
