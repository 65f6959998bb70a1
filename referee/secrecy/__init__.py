"""Who may see and ask what."""
