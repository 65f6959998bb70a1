"""What a record proves: heads, keys, signatures, seals, verification."""
