"""Who plays whom: one module for each way to pair."""
