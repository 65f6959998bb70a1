"""What can be rebuilt from the entries: read models and snapshot files."""
