"""Immutable values and small helpers that know nothing of rules."""
