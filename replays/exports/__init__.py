"""Exports: one module for each format or group of formats."""
