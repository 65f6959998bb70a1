"""Access to hidden information: redaction, and questions that would leak it."""
