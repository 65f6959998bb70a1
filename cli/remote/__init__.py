"""A service as the store of the command line."""
