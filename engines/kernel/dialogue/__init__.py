"""Understanding a line in its context, and wording a verdict."""
