"""All games of a store: lists, and records that come and go."""
