"""What judges ask: disputes, rulings, penalties, other readings."""
