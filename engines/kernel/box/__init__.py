"""The physical components as data: kits, their provenance, and the tour that asks for them."""
