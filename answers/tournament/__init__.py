"""What is asked at the desk of a tournament."""
