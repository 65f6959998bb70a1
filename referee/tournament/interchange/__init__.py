"""Import and export of tournaments in the formats of other programs."""
