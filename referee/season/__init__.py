"""Seasons: leagues and ratings over several tournaments."""
