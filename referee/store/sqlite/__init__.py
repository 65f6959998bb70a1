"""The store in one SQLite file: recorder, group commit, and the witness beside it."""
