"""The rules, a module for each heading of the rulebook; a clause is named where it is applied."""
