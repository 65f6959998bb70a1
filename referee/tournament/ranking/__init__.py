"""Ranking: points, tie-breaks, standings."""
