"""What lies openly: the cards of both columns at each Grove, and those at the Druids.

The game has no board: cards are seen where they are shown, not where they lie.
"""

from engines.kernel import Sight

SIGHT = Sight(("grove1", "grove2", "grove3", "druid", "beside"))
