"""What an author is told of a game: ``check_game`` finds what is wrong with it, and where."""
