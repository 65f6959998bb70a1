"""The remote client: a service used as the store of the command line."""
