"""The rules: a small kernel and one folder per game. Pure: no clock, no chance, no files."""
