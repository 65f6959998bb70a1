"""How many lines of legal actions there are from fixed positions: the perft of chess programs."""
