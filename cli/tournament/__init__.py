"""The commands of a tournament's desk; ``cli.commands.tournament`` puts them together."""
