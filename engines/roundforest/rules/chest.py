"""Le coffre au trésor et la clé: an apple at any decision of the player's own turn."""

from __future__ import annotations

from engines.kernel import Hearing, with_player
from engines.roundforest.actions import OpenChest
from engines.roundforest.kit import Box
from engines.roundforest.rules.book import leave_end, reopened, rules
from engines.roundforest.rules.characters import still_usable
from engines.roundforest.rules.goods import gain_apples
from engines.roundforest.rules.spirit import call_spirit
from engines.roundforest.state import Tableau, into_bag, without

CHEST_AND_KEY = ("chest", "key")


def owns_chest_and_key(state: Tableau, seat: str) -> bool:
    pack = state.players[seat].pack
    return "chest" in pack and "key" in pack


def can_open(state: Tableau, seat: str) -> bool:
    return owns_chest_and_key(state, seat) and state.supply.apples > 0


@rules.hears(OpenChest)
def open_chest(state: Tableau, action: OpenChest, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    pack = state.players[seat].pack
    if rule("RND-CHEST-1", owns_chest_and_key(state, seat), pack=pack):
        rule("RND-CHEST-2", state.agenda.owes("chest", seat) is not None, seat=seat)
    left = without(pack, *CHEST_AND_KEY)
    opened = into_bag(with_player(state, seat, pack=left), *without(pack, *left))
    opened = gain_apples(opened, seat, 1)
    usable = still_usable(state, opened, seat, rule)
    rule("RND-CHEST-4", usable, character=state.here(seat))
    rule("RND-SUP-1", state.supply.apples > 0, wanted="apple")
    return call_spirit(leave_end(opened, seat), rule)
