"""Tournaments: an event-sourced stream of their own, folded to a state by pure functions."""
