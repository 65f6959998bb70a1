"""Operations for whoever administers a store."""
