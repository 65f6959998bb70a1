"""What can be asked of a season: its events, standings, ratings and players."""
