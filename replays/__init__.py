"""Stepping through a record, annotating it, and carrying it elsewhere."""
