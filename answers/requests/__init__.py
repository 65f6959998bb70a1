"""Request models: the bodies and queries of the API, with their limits."""
