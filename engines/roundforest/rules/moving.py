"""Déplacer ton pion, la boussole, faire une pause, tourner la tuile-forêt."""

from __future__ import annotations

from engines.kernel import Hearing, RuleContext, Step, evolve, next_seat
from engines.roundforest.actions import Move, Pause
from engines.roundforest.kit import CHARACTERS, FACINGS, OBJECTS, Box, Landing
from engines.roundforest.rules.arrival import arrive
from engines.roundforest.rules.blocking import blockers_at
from engines.roundforest.rules.book import TURN_END, rules
from engines.roundforest.rules.characters import can_use, why_useless
from engines.roundforest.rules.garnishing import garnish
from engines.roundforest.rules.spirit import reaches_spirit, win
from engines.roundforest.state import (
    Forest,
    Tableau,
    Tile,
    Turn,
    change_turn,
    into_bag,
    into_deck,
)


@rules.hears(Move)
def move(state: Tableau, action: Move, rule: Hearing[Box]) -> Tableau:
    seat, to = action.seat, action.to
    state = begin_turn(state, seat, rule)
    me, board = state.players[seat], state.board(rule.kit)
    rule("RND-MOVE-3", to not in board.corners, cell=to)
    rule("RND-MOVE-11", to in board.cells, cell=to)
    landing = None
    if me.pos is None:
        rule("RND-MOVE-1", to in board.bordering[me.corner], cell=to, corner=me.corner)
    else:
        landing = board.landings[me.pos].get(to)
        rule("RND-MOVE-4", landing is not None, cell=to, pos=me.pos)
    check_landing(state, seat, to, rule)
    spent = 0
    if landing is not None and me.pos is not None:
        tile = state.forest.tiles[me.pos]
        check_passing(state, tile, landing, rule)
        spent = check_symbol(tile, landing, me.compasses, action.compass, rule)
    elif action.compass:
        rule("RND-CMP-5", False, cell=to)
        spent = min(1, me.compasses)
    moved = evolve(me, pos=to, compasses=me.compasses - spent)
    state = rule.stage(
        evolve(
            state,
            players={**state.players, seat: moved},
            turn=evolve(state.turn, done=state.turn.done | {"move"}, left=me.pos),
            forest=rotated(state, to, rule),
        )
    )
    if reaches_spirit(state, seat, rule):
        return win(state, seat, rule)
    state, due = garnish(state, me.pos, rule)
    if not due:
        return arrive(state, rule)
    return evolve(state, agenda=state.agenda.push(*due, Step("arrive")))


def begin_turn(state: Tableau, seat: str, rule: Hearing[Box]) -> Tableau:
    """A move or a pause is the turn of whoever makes it, also when it was not due."""
    turn = state.turn
    tell_forgone(state, rule)
    played = not turn.done.isdisjoint(("move", "pause"))
    if turn.seat == seat:
        if played:
            state = evolve(state, turn=Turn(seat, resumes=turn.resumes))
    else:
        state = _out_of_turn(state, seat, played)
    state = nothing_pending(state)
    return state if state.agenda == TURN_END else evolve(state, agenda=TURN_END)


def _out_of_turn(state: Tableau, seat: str, played: bool) -> Tableau:
    """Whoever was to play goes on afterwards, and the turn played ahead is not played again."""
    turn = state.turn
    waiting = turn.resumes or next_seat(state.seats, turn.seat) if played else turn.seat
    once_more = state.turn_meant(seat) is not turn
    ahead = state.ahead if once_more or waiting == seat else (*state.ahead, seat)
    resumes = None if waiting == seat else waiting
    return evolve(state, turn=Turn(seat, resumes=resumes), last=turn, ahead=ahead)


def tell_forgone(state: Tableau, rule: Hearing[Box]) -> None:
    """The table goes on without what was still to be done in the turn."""
    due = [duty.kind for duty in state.agenda.duties if not duty.optional]
    forgone = [kind for kind in due if kind not in ("turn", "end")]
    if forgone:
        rule.warn("forgone", seat=state.turn.seat, due=forgone)


def nothing_pending(state: Tableau) -> Tableau:
    """What was drawn and never decided goes back to where it came from."""
    if state.held is not None:
        drawn = (thing for held in state.drawn for thing in held.objects)
        state = evolve(into_bag(state, *drawn), held=None)
    if state.bags.beside:
        state = into_bag(state, *state.bags.beside)
        state = evolve(state, bags=evolve(state.bags, beside=()))
    for card in state.cards.unanswered:
        state = evolve(state, cards=into_deck(state.cards.answered(card), card))
    return state


def check_landing(state: Tableau, seat: str, to: str, rule: Hearing[Box]) -> None:
    """What stands or lies on a tile decides who may land there."""
    pawn = state.pawn_on(to)
    rule("RND-MOVE-12", pawn in (None, seat), cell=to, seat=pawn)
    thing = state.forest.contents.get(to)
    if thing in CHARACTERS:
        clause = "RND-END-2" if thing == "spirit" else "RND-CHAR-14"
        usable = can_use(state, seat, thing, rule)
        rule(clause, usable, cell=to, **why_useless(state, seat, thing, rule))
    elif thing in OBJECTS and _pack_full(state, seat, rule.kit):
        enters = rule.reading("object_tile_full") == "enter"
        rule("RND-MOVE-14", enters, cell=to, object=thing)


def can_land(state: Tableau, seat: str, to: str, table: RuleContext[Box]) -> bool:
    if state.pawn_on(to) not in (None, seat):
        return False
    thing = state.forest.contents.get(to)
    if thing in CHARACTERS:
        return can_use(state, seat, thing, table)
    if thing in OBJECTS and _pack_full(state, seat, table.kit):
        return table.reading("object_tile_full") == "enter"
    return True


def _pack_full(state: Tableau, seat: str, kit: Box) -> bool:
    return len(state.players[seat].pack) >= kit.pack.objects


def check_passing(state: Tableau, tile: Tile, landing: Landing, rule: Hearing[Box]) -> None:
    """A tile in between is no obstacle, unless the table reads it otherwise."""
    if landing.over is None or (pawn := state.pawn_on(landing.over)) is None:
        return
    jumped = tile.pair(landing.direction)[0] == "0"
    passes = jumped or rule.reading("pass_over") == "allow"
    rule("RND-MOVE-9", passes, cell=landing.over, seat=pawn)


def check_symbol(
    tile: Tile, landing: Landing, compasses: int, spends: bool, rule: Hearing[Box]
) -> int:
    """The symbol of the landing tile must be white, or a compass is spent: how many."""
    white = is_white(tile, landing)
    if not spends:
        clause = "RND-MOVE-5" if landing.distance == 1 else "RND-MOVE-6"
        facts = {"cell": landing.to, "towards": FACINGS[landing.direction], "face": tile.face}
        doubt = {"open_before_rotation": tile.turned} if _was_open(tile, landing) else {}
        rule(clause, white, **facts, **doubt)
        return 0
    needed = compasses_needed(tile, landing, rule)
    rule("RND-CMP-4", compasses >= max(1, needed), cell=landing.to, compasses=compasses)
    rule("RND-CMP-5", not white, cell=landing.to)
    return min(max(1, needed), compasses)


def is_white(tile: Tile, landing: Landing) -> bool:
    return tile.pair(landing.direction)[landing.distance - 1] == "1"


def _was_open(tile: Tile, landing: Landing) -> bool:
    """Whether the last rotation of the tile closed this way."""
    if not tile.turned or is_white(tile, landing):
        return False
    return is_white(evolve(tile, facing=tile.rotated(-1)), landing)


def compasses_needed(tile: Tile, landing: Landing, table: RuleContext[Box]) -> int:
    """None for a white symbol; the landing tile's symbol alone counts by default."""
    if is_white(tile, landing):
        return 0
    both_empty = landing.distance == 2 and tile.pair(landing.direction) == "00"
    return 2 if both_empty and table.reading("compass_scope") == "each_symbol" else 1


@rules.hears(Pause)
def pause(state: Tableau, action: Pause, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = begin_turn(state, seat, rule)
    me = state.players[seat]
    if me.pos is None:
        free = [c for c in bordering(state, seat, rule) if can_land(state, seat, c, rule)]
        may_stay = not free or rule.reading("first_turn_pause") == "allow"
        rule("RND-MOVE-2", may_stay, seat=seat, cells=tuple(free))
        return change_turn(state, "pause")
    return evolve(change_turn(state, "pause"), forest=rotated(state, me.pos, rule))


def bordering(state: Tableau, seat: str, table: RuleContext[Box]) -> tuple[str, ...]:
    """The tiles beside a player's backpack."""
    return state.board(table.kit).bordering[state.players[seat].corner]


def rotated(state: Tableau, cell: str, rule: Hearing[Box]) -> Forest:
    """The tile under the active pawn turns once, in the direction of its arrows."""
    forest = state.forest
    blockers = blockers_at(state, cell, rule)
    if rule.effect("RND-ROT-5", blockers, tile=cell, gaps=blockers):
        return forest
    tile = forest.tiles[cell]
    facing = tile.rotated(1)
    if not rule.effect("RND-ROT-1", True, tile=cell, facing=facing):
        return forest
    turned = evolve(tile, facing=facing, turned=rule.number)
    return evolve(forest, tiles={**forest.tiles, cell: turned})
