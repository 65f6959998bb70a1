"""The terminal tour of a physical box."""
