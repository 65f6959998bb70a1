"""The engine of a game: judging, options, positions, behind one facade."""
