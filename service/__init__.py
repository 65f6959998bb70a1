"""The HTTP front end: parses a request, calls an operation of ``answers``, sends the response."""
