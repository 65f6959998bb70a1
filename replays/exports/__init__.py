"""One module per format; each is imported when it is asked for."""
