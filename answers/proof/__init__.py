"""What proves a record: heads, signatures, keys, sealed values, round seals, verification."""
