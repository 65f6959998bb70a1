"""The pages: what people see of the service. No web framework is known here.

A page is a function of a ``PageContext`` that gives a ``Shown``: a model, and the template that
sets it out. Whatever stands on it was answered by an operation, asked in the reader's name.
"""
