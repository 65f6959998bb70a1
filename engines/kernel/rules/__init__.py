"""What rules are written with: actions, agenda, clauses, hearings, audits, holdings."""
