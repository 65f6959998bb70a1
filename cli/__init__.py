"""The command line: parse words, call the bench, print."""
