"""The command line: parse arguments, call an operation of ``answers``, print its answer."""
