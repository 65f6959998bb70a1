"""Application services: the operations that can be called, and their typed answers.

An operation is a function of a caller (the request context); it returns an answer with data of its
own type and a renderer for text. The command line and the HTTP service are two front ends to the
same operations. See docs/python.md.
"""
