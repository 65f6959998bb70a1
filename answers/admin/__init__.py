"""What the keeper of a store asks."""
