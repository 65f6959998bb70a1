"""How well the referee sees: tables that are drawn here, photographed, and looked at by it."""
