"""Who is ahead: points, tie-breaks, standings."""
