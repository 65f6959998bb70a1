"""The commands of a table: the bench that records, and the functions that make the entries."""
