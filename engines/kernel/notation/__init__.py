"""Reading and writing actions as lines of text."""
