"""Puce bleue, puce jaune, les jetons-objets: drawing, keeping, leaving, putting."""

from __future__ import annotations

from engines.kernel import Hearing, ParseError, RuleContext, Step, evolve, with_player
from engines.roundforest.actions import Coin, Draw, Keep, Leave, Put
from engines.roundforest.kit import CHIPS, OBJECTS, Box
from engines.roundforest.rules.book import (
    called_for,
    leave_end,
    phase,
    reopened,
    rules,
    who_drew,
)
from engines.roundforest.rules.characters import still_usable
from engines.roundforest.rules.garnishing import lay
from engines.roundforest.rules.goods import pack_clause, room
from engines.roundforest.rules.setup import check_draw
from engines.roundforest.state import (
    Held,
    Tableau,
    Turn,
    clear_content,
    did,
    into_bag,
    without,
)

_SOURCES = {"decide": "blue", "lay_down": "yellow", "choose": "prince"}
"""The step that waits for a draw says what the draw is for."""


@rules.hears(Draw)
def draw(state: Tableau, action: Draw, rule: Hearing[Box]) -> Tableau:
    blue, objects = state.bags.blue, action.objects
    state = called_for(state, "draw", rule)
    waiting = state.agenda.top
    source = _SOURCES.get(getattr(waiting, "name", ""))
    if state.agenda.owes("gift") is not None:
        source = "prince"
    if source == "prince":
        wanted = min(rule.kit.services.prince_draws, blue.size)
        clause = "RND-PRI-1" if wanted == rule.kit.services.prince_draws else "RND-PRI-3"
        rule(clause, len(objects) == wanted, drawn=len(objects), wanted=wanted)
    else:
        clause = "RND-YEL-1" if source == "yellow" else "RND-BLUE-1"
        rule(clause, len(objects) == 1, drawn=len(objects))
    check_draw(state, objects, blue, rule)
    rule.heard_out()
    if state.held is not None:
        state = rule.stage(evolve(into_bag(state, *state.held.objects), held=None))
    state = evolve(
        state,
        bags=evolve(state.bags, blue=state.bags.blue.take(*objects)),
        held=Held(objects, source or "blue"),
    )
    if source:
        return state
    turn = Turn(who_drew(state, action))
    return evolve(state, agenda=state.agenda.push(phase(state, "object", rule, turn)))


@rules.derives("decide")
def decide(state: Tableau, rule: Hearing[Box]) -> Tableau:
    return evolve(state, agenda=state.agenda.push(phase(state, "object", rule)))


def object_in_question(state: Tableau, seat: str) -> str | None:
    """The object drawn, or the one that lies on the tile reached."""
    if state.held is not None:
        return state.held.objects[0]
    here = state.here(seat)
    return here if here in OBJECTS else None


# keeping and leaving


@rules.hears(Keep)
def keep(state: Tableau, action: Keep, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    me = state.players[seat]
    thing = _chosen(state, action, seat, rule)
    if thing is None:
        return state
    pack = me.pack
    if action.dropped is not None:
        swaps = rule.reading("full_pack") == "swap_on_tile" and not room(pack, thing, rule.kit)
        rule("RND-PACK-5", swaps and action.dropped in pack, object=action.dropped)
        pack = without(pack, action.dropped)
    check_left(state, seat, rule)
    _check_room(state, pack, thing, action.coin, rule)
    state = _out_of_question(state, seat, thing)
    if action.dropped in me.pack and me.pos is not None:
        state = with_player(state, seat, pack=pack)
        state = lay(state, me.pos, action.dropped, rule)
    state = did(state, seat, "object")
    return receive(state, seat, thing, action.coin, rule)


def _chosen(state: Tableau, action: Keep, seat: str, rule: Hearing[Box]) -> str | None:
    """Of the prince's objects one is named, otherwise there is nothing to choose."""
    if state.held is None or state.held.source != "prince":
        there = object_in_question(state, seat)
        if there is None:  # not due; what is named came out of the bag
            return action.object if state.bags.blue[action.object or ""] else None
        if action.object not in (None, there):
            raise ParseError("nothing_to_choose", object=there)
        return there
    if action.object is None:
        raise ParseError("say_which", objects=state.held.objects)
    rule("RND-PRI-1", action.object in state.held.objects, drawn=state.held.objects)
    return action.object if action.object in state.held.objects else None


def check_left(state: Tableau, seat: str, rule: Hearing[Box]) -> None:
    """Whether a player may come back for an object left before."""
    if state.held is None and state.forest.left_by.get(state.players[seat].pos or "") == seat:
        rule("RND-BLUE-5", rule.reading("own_left_object") == "anyone", seat=seat)


def _check_room(
    state: Tableau, pack: tuple[str, ...], thing: str, coin: bool, rule: Hearing[Box]
) -> None:
    kit = rule.kit
    full = len(pack) >= kit.pack.objects
    source = state.held.source if state.held is not None else "tile"
    if coin and full:
        clause = "RND-COIN-3"
    elif source == "tile":
        clause = "RND-OBJ-3" if full else "RND-OBJ-2"
    else:
        clause = "RND-PRI-1" if source == "prince" else "RND-BLUE-3"
    fits = room(pack, thing, kit)
    if coin and not fits and thing in kit.objects.coins:
        fits = rule.reading("coin_needs_slot") == "no"
    rule(clause, fits, object=thing, pack=pack, general=pack_clause(pack, kit))


def _out_of_question(state: Tableau, seat: str, thing: str) -> Tableau:
    """The object is no longer held, nor on the tile; what else the prince offered goes back."""
    if object_in_question(state, seat) is None:
        return evolve(state, bags=evolve(state.bags, blue=state.bags.blue.take(thing)))
    if state.held is not None:
        rest = without(state.held.objects, thing)
        return evolve(into_bag(state, *rest), held=None)
    pos = state.players[seat].pos
    return clear_content(state, pos) if pos is not None else state


def receive(state: Tableau, seat: str, thing: str, coin: bool, rule: Hearing[Box]) -> Tableau:
    """An object comes into the pack; a coin token may be replaced by its coin at once."""
    me = state.players[seat]
    if coin and check_coin(state, thing, rule):
        return _replaced(state, seat, thing, rule.kit)
    return with_player(state, seat, pack=(*me.pack, thing))


def check_coin(state: Tableau, thing: str, rule: Hearing[Box]) -> bool:
    coins = rule.kit.objects.coins
    shown = rule("RND-COIN-1", thing in coins, object=thing)
    left = not shown or getattr(state.supply, coins[thing]) > 0
    return rule("RND-COIN-6", left, object=thing) and shown


def _replaced(state: Tableau, seat: str, token: str, kit: Box) -> Tableau:
    """The token goes into the blue bag, its coin from the supply to the player."""
    metal = kit.objects.coins[token]
    state = into_bag(state, token)
    state = with_player(state, seat, **{metal: getattr(state.players[seat], metal) + 1})
    return evolve(state, supply=evolve(state.supply, **{metal: getattr(state.supply, metal) - 1}))


@rules.hears(Coin)
def change_coin(state: Tableau, action: Coin, rule: Hearing[Box]) -> Tableau:
    """A stored coin token is replaced, where the table reads the rule so."""
    seat, token = action.seat, action.object
    pack = state.players[seat].pack
    if token not in pack:
        rule("RND-COIN-1", False, token=token, pack=pack)
        return state
    if not check_coin(state, token, rule):
        return state
    rule("RND-COIN-2", rule.reading("coin_later") == "own_turn", object=token)
    after = _replaced(with_player(state, seat, pack=without(pack, token)), seat, token, rule.kit)
    usable = still_usable(state, after, seat, rule)
    rule("RND-CHAR-14", usable, cell=state.players[seat].pos, unusable=state.here(seat))
    return leave_end(after, seat)


def can_change_coin(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    kit, pack = table.kit, state.players[seat].pack
    if kit.coin_tokens.isdisjoint(pack) or table.reading("coin_later") == "no":
        return False
    coins = kit.objects.coins
    return any(getattr(state.supply, coins[thing]) > 0 for thing in pack if thing in coins)


@rules.hears(Leave)
def leave(state: Tableau, action: Leave, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    held, pos = state.held, state.players[seat].pos
    state = did(state, seat, "object")
    if held is None:
        return state
    state = evolve(state, held=None)
    if held.source == "prince":
        fits = any(room(state.players[seat].pack, thing, rule.kit) for thing in held.objects)
        may_leave = not fits or rule.reading("prince_must") == "no"
        rule("RND-PRI-3", may_leave, kept=held.objects)
        return into_bag(state, *held.objects)
    under = state.forest.contents.get(pos or "")
    if pos is None or under not in (None, *CHIPS):  # it lies nowhere
        return into_bag(state, *held.objects)
    left, *others = held.objects
    state = lay(into_bag(state, *others), pos, left, rule)
    if rule.reading("own_left_object") == "others_only":
        left_by = {**state.forest.left_by, pos: seat}
        state = evolve(state, forest=evolve(state.forest, left_by=left_by))
    return state


# the yellow chip


def put_targets(state: Tableau, table: RuleContext[Box]) -> tuple[str, tuple[str, ...]]:
    """The colour of chips on which an object may be put now, and their cells."""
    colours = ["yellow", "blue"]
    if table.reading("yellow_nowhere") == "red":
        colours.append("red")
    under_pawns = table.reading("yellow_under_pawn") == "allow"
    for colour in colours:
        cells = tuple(
            cell
            for cell, thing in state.forest.contents.items()
            if thing == colour and (under_pawns or state.pawn_on(cell) is None)
        )
        if cells:
            return colour, cells
    return "none", ()


@rules.derives("lay_down")
def lay_down(state: Tableau, rule: Hearing[Box]) -> Tableau:
    _, cells = put_targets(state, rule)
    if cells or state.held is None:
        return evolve(state, agenda=state.agenda.push(phase(state, "put", rule)))
    pos = state.players[state.turn.seat].pos
    thing, *others = state.held.objects
    state = evolve(into_bag(state, *others), held=None)
    if rule.reading("yellow_nowhere") == "own_tile" and pos is not None:
        return lay(state, pos, thing, rule)
    rule.effect("RND-YEL-7", True, object=thing)
    return into_bag(state, thing)


@rules.derives("reconsider")
def reconsider(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """The spirit may have come where an object lay that was in question, or was to be put."""
    agenda = state.agenda
    if agenda.owes("put") is not None:
        return evolve(state, agenda=agenda.pop().push(Step("lay_down")))
    owed = agenda.owes("object")
    if owed is not None and owed.seat and object_in_question(state, owed.seat) is None:
        return evolve(state, agenda=agenda.pop())
    return state


@rules.hears(Put)
def put(state: Tableau, action: Put, rule: Hearing[Box]) -> Tableau:
    colour, cells = put_targets(state, rule)
    clause = "RND-YEL-3" if colour == "yellow" else "RND-YEL-6"
    rule(clause, action.cell in cells, cell=action.cell, cells=cells, colour=colour)
    if state.held is None:
        return state
    thing, *others = state.held.objects
    chip = state.forest.contents.get(action.cell)
    state = lay(into_bag(state, *others), action.cell, thing, rule)
    rule.effect("RND-YEL-4", True, cell=action.cell, chip=chip)
    return did(evolve(state, held=None), action.seat, "object")
