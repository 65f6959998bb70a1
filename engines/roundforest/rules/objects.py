"""Puce bleue, puce jaune, les jetons-objets: drawing, keeping, leaving, putting."""

from __future__ import annotations

from engines.kernel import (
    Action,
    Agenda,
    Duty,
    Hearing,
    ParseError,
    RuleContext,
    evolve,
    with_player,
)
from engines.roundforest.actions import Coin, Draw, Keep, Leave, Put
from engines.roundforest.kit import CHIPS, OBJECTS, Box
from engines.roundforest.rules.book import (
    called_for,
    leave_end,
    nobody_owes,
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
    draws,
    held_in_all,
    into_bag,
    let_go,
    without,
)

_SOURCES = {"decide": "blue", "lay_down": "yellow", "choose": "prince"}
"""The step that waits for a draw says what the draw is for."""


@rules.hears(Draw)
def draw(state: Tableau, action: Draw, rule: Hearing[Box]) -> Tableau:
    objects = action.objects
    state = called_for(state, "draw", action, rule)
    source, seat = _expected(state)
    if source is None:
        seat = who_drew(state, action)
    if source == "prince":
        wanted = min(rule.kit.services.prince_draws, state.bags.blue.size)
        clause = "RND-PRI-1" if wanted == rule.kit.services.prince_draws else "RND-PRI-3"
        rule(clause, len(objects) == wanted, drawn=len(objects), wanted=wanted)
    elif source or not _of_prince(state, seat):
        clause = "RND-YEL-1" if source == "yellow" else "RND-BLUE-1"
        rule(clause, len(objects) == 1, drawn=len(objects))
    check_draw(state, objects, state.bags.blue, rule)
    rule.heard_out()
    bags = evolve(state.bags, blue=state.bags.blue.take(*objects))
    state = evolve(state, bags=bags)
    if source:
        return _hold(state, objects, source, seat)
    source = _drawn_once_more(state, seat)
    return _owing(_hold(state, objects, source, seat), source, Turn(seat), rule)


def _expected(state: Tableau) -> tuple[str | None, str]:
    """What a draw that is due is for, and who decides about it."""
    waiting, gift = state.agenda.top, state.agenda.owes("gift")
    if gift is not None and gift.seat and not _of_prince(state, gift.seat):
        return "prince", gift.seat
    return _SOURCES.get(getattr(waiting, "name", "")), state.turn.seat


def _drawn_once_more(state: Tableau, seat: str) -> str:
    """What a draw that nobody owed follows: the one before it, or the chip of the turn."""
    if held := state.held_by(seat):
        return held[0].source
    turn = state.turn_meant(seat)
    return (turn.chip if turn.seat == seat else None) or "blue"


def _hold(state: Tableau, objects: tuple[str, ...], source: str, seat: str) -> Tableau:
    """Objects drawn lie with a player; all those of the prince are one draw."""
    before = next(iter(_of_prince(state, seat)), None) if source == "prince" else None
    others = (held for held in state.drawn if held is not before)
    all_of_them = (*(before.objects if before else ()), *objects)
    return evolve(state, held=held_in_all((*draws(all_of_them, source, seat), *others)))


def _of_prince(state: Tableau, seat: str) -> tuple[Held, ...]:
    return tuple(held for held in state.held_by(seat) if held.source == "prince")


_DECIDED_IN = {"blue": "object", "yellow": "put", "prince": "gift"}
"""The duty of whoever holds an object, by what it was drawn for."""


def _owing(state: Tableau, source: str, turn: Turn, rule: Hearing[Box]) -> Tableau:
    """The player owes a decision for each object that was drawn so."""
    kind = _DECIDED_IN[source]
    held = sum(held.source == source for held in state.held_by(turn.seat))
    more = held - state.agenda.times_owed(kind, turn.seat)
    groups = (phase(state, kind, rule, turn) for _ in range(more))
    return evolve(state, agenda=state.agenda.push(*groups))


@rules.derives("decide")
def decide(state: Tableau, rule: Hearing[Box]) -> Tableau:
    return _owing(state, "blue", state.turn, rule)


@rules.reconsiders("draw", "gifts")
def nothing_to_draw(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    return state if state.bags.blue.size else nobody_owes(state)


@rules.reconsiders("object", "put", "gift")
def no_object_no_duty(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    """What may be done with an object is owed while somebody holds it, or stands on it."""
    seat = duty.seat or state.turn.seat
    held = [held for held in state.held_by(seat) if _DECIDED_IN[held.source] == duty.kind]
    too_many = state.agenda.times_owed(duty.kind, seat) - len(held)
    reached = duty.kind == "object" and seat == state.turn.seat
    if reached and state.here(seat) in OBJECTS:
        too_many -= 1
    if too_many > 0:
        return nobody_owes(state)
    if duty.kind == "put" and not put_targets(state, rule)[1]:
        return _put_nowhere(nobody_owes(state), held[0], rule)
    return state


def decided(state: Tableau, held: Held, rule: Hearing[Box], *objects: str) -> Tableau:
    """Objects that are no longer held; whoever held them owes nothing for them any more.

    Where that was not due, the duty has not been ticked off yet: it goes with its object.
    """
    kind, state = _DECIDED_IN[held.source], let_go(state, held, *objects)
    left = sum(other.source == held.source for other in state.held_by(held.seat))
    if not rule.breaches or state.agenda.times_owed(kind, held.seat) <= left:
        return state
    at = max(
        place for place, item in enumerate(state.agenda) if Agenda([item]).owes(kind, held.seat)
    )
    return evolve(state, agenda=Agenda((*state.agenda[:at], *state.agenda[at + 1 :])))


def in_hand(state: Tableau, seat: str, thing: str | None = None) -> Held | None:
    """What a player decides about: the object named, else what was drawn last.

    Whoever has drawn nothing decides about what another player holds.
    """
    mine = state.held_by(seat) or (() if state.here(seat) in OBJECTS else state.drawn)
    named = (held for held in mine if thing in held.objects)
    return next(named, next(iter(mine), None))


def object_in_question(state: Tableau, seat: str, thing: str | None = None) -> str | None:
    """The object drawn, or the one that lies on the tile reached."""
    if (held := in_hand(state, seat, thing)) is not None:
        return _meant(held, thing)
    here = state.here(seat)
    return here if here in OBJECTS else None


def _meant(held: Held, thing: str | None) -> str:
    first, *_ = held.objects
    return thing if thing in held.objects else first


@rules.spells(Keep, Leave, Put)
def spelt(state: Tableau, action: Keep | Leave | Put, kit: Box) -> Action:
    """Of several objects drawn the one is named that is meant."""
    mine = state.held_by(action.seat) if action.by else ()
    if len(mine) < 2 or action.object is not None or mine[0].source == "prince":
        return action
    (thing,) = mine[0].objects
    return action.model_copy(update={"object": thing})


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
    _check_room(in_hand(state, seat, thing), pack, thing, action.coin, rule)
    state = _out_of_question(state, seat, thing, rule)
    if action.dropped in me.pack and me.pos is not None:
        state = with_player(state, seat, pack=pack)
        state = lay(state, me.pos, action.dropped, rule)
    state = did(state, seat, "object")
    return receive(state, seat, thing, action.coin, rule)


def _chosen(state: Tableau, action: Keep, seat: str, rule: Hearing[Box]) -> str | None:
    """Of the prince's objects one is named, otherwise there is nothing to choose."""
    held = in_hand(state, seat, action.object)
    if held is None or held.source != "prince":
        there = object_in_question(state, seat, action.object)
        if there is None:  # not due; what is named came out of the bag
            return action.object if state.bags.blue[action.object or ""] else None
        if action.object not in (None, there):
            raise ParseError("nothing_to_choose", object=there)
        return there
    if action.object is None:
        thing, *others = held.objects
        if others:
            raise ParseError("say_which", objects=held.objects)
        return thing
    rule("RND-PRI-1", action.object in held.objects, drawn=held.objects)
    return action.object if action.object in held.objects else None


def check_left(state: Tableau, seat: str, rule: Hearing[Box]) -> None:
    """Whether a player may come back for an object left before."""
    left_by = state.forest.left_by.get(state.players[seat].pos or "")
    if in_hand(state, seat) is None and left_by == seat:
        rule("RND-BLUE-5", rule.reading("own_left_object") == "anyone", seat=seat)


def _check_room(
    held: Held | None, pack: tuple[str, ...], thing: str, coin: bool, rule: Hearing[Box]
) -> None:
    kit = rule.kit
    full = len(pack) >= kit.pack.objects
    source = held.source if held is not None else "tile"
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


def _out_of_question(state: Tableau, seat: str, thing: str, rule: Hearing[Box]) -> Tableau:
    """The object is no longer held, nor on the tile; what else the prince offered goes back."""
    if object_in_question(state, seat) is None:
        return evolve(state, bags=evolve(state.bags, blue=state.bags.blue.take(thing)))
    if (held := in_hand(state, seat, thing)) is not None:
        state = decided(state, held, rule, *held.objects)
        return into_bag(state, *without(held.objects, thing))
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
    decides = state.agenda.owes("coin", seat) is not None
    rule("RND-COIN-2", decides and rule.reading("coin_later") == "own_turn", object=token)
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
    held, pos = in_hand(state, seat, action.object), state.players[seat].pos
    there = object_in_question(state, seat, action.object)
    if there is not None and action.object not in (None, there):
        raise ParseError("nothing_to_choose", object=there)
    state = did(state, seat, "object")
    if held is None:
        return state
    undecided, state = state, decided(state, held, rule, *held.objects)
    if held.source == "prince":
        fits = any(room(state.players[seat].pack, thing, rule.kit) for thing in held.objects)
        may_leave = not fits or rule.reading("prince_must") == "no"
        rule("RND-PRI-3", may_leave, kept=held.objects)
        return into_bag(state, *held.objects)
    under = state.forest.contents.get(pos or "")
    if pos is None or under not in (None, *CHIPS):  # it lies nowhere
        return into_bag(state, *held.objects)
    (thing,) = held.objects
    laid = lay(undecided, pos, thing, rule)  # in hand until the chip has made room
    state = decided(laid, held, rule, thing)
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
    return _owing(state, "yellow", state.turn, rule)


def _put_nowhere(state: Tableau, held: Held, rule: Hearing[Box]) -> Tableau:
    """No chip is left on which the object could be put."""
    pos, (thing,) = state.players[held.seat].pos, held.objects
    state = let_go(state, held, thing)
    free = state.here(held.seat) in (None, *CHIPS)
    if rule.reading("yellow_nowhere") == "own_tile" and pos is not None and free:
        return lay(state, pos, thing, rule)
    rule.effect("RND-YEL-7", True, object=thing)
    return into_bag(state, thing)


@rules.hears(Put)
def put(state: Tableau, action: Put, rule: Hearing[Box]) -> Tableau:
    colour, cells = put_targets(state, rule)
    clause = "RND-YEL-3" if colour == "yellow" else "RND-YEL-6"
    rule(clause, action.cell in cells, cell=action.cell, cells=cells, colour=colour)
    seat, held = action.seat, in_hand(state, action.seat, action.object)
    if held is None:
        return state
    thing = _meant(held, action.object)
    if action.object not in (None, thing):
        raise ParseError("nothing_to_choose", object=thing)
    chip = state.forest.contents.get(action.cell)
    laid = lay(state, action.cell, thing, rule)  # in hand until the chip has made room
    state = decided(laid, held, rule, thing)
    rule.effect("RND-YEL-4", True, cell=action.cell, chip=chip)
    return did(state, seat, "object")
