"""Models for memarena: the gateway, the embedded model `offline`, and the LLM answerer and judges."""
