"""What can be asked of the referee, and how it answers. See docs/python.md.

An operation is a function of a caller; it gives an answer with data of its own type and the
sentences that tell it. The command line and the service are two doors to the same operations.
"""
