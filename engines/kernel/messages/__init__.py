"""Message catalogues in two languages, localisable errors, and package data."""
