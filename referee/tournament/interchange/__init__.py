"""Tournaments as other programs read and write them."""
