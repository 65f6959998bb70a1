"""Untrusted input: safe JSON and TOML, a work budget; and packages that may be missing."""
