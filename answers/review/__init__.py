"""What reviewers ask: notes, replays, exports and imports."""
