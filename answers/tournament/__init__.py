"""Operations of a tournament."""
