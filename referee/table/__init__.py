"""What a table does: the bench that hears it, and the entries its commands make."""
