"""What the Makefile measures."""
