"""The door over HTTP: parse, ask an operation of ``answers``, answer."""
