"""What can be asked of the rules and boxes themselves."""
