"""Cases: questions about the rules with their answers, run as tests."""
