"""The record of a game: what was logged, by whom, what counts now; rulings; the store."""
