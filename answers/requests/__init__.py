"""What requests say: the models of bodies and queries, with their limits."""
