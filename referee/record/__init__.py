"""The record of one game: its entries, their fold, and what can be read from it."""
