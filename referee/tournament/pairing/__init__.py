"""Pairing: one module for each method."""
