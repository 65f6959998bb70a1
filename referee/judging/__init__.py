"""What judges do: disputes, rulings, precedents, other readings tried."""
