"""JSON Schemas of everything that leaves the program."""
