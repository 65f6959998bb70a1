"""What a table asks: opening, logging, looking, going back, ending."""
