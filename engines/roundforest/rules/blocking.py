"""Blocage et enlèvement (optionnel): heavy objects in the gaps between tiles."""

from __future__ import annotations

from engines.kernel import Hearing, RuleContext, evolve, with_player
from engines.roundforest.actions import Block, Unblock
from engines.roundforest.kit import Box
from engines.roundforest.rules.book import leave_end, rules
from engines.roundforest.rules.goods import room
from engines.roundforest.state import Tableau, did, into_bag, without


def gaps(state: Tableau, table: RuleContext[Box]) -> dict[str, tuple[str, ...]]:
    """Every gap of the layout and the tiles it touches."""
    board = state.board(table.kit)
    if table.reading("block_gaps") == "with_edge":
        return {**board.gaps, **board.notches}
    return board.gaps


def blockers_at(state: Tableau, cell: str, table: RuleContext[Box]) -> tuple[str, ...]:
    """The occupied gaps that touch a tile."""
    occupied = state.forest.gaps
    if not occupied:
        return ()
    known = gaps(state, table)
    return tuple(gap for gap in occupied if cell in known.get(gap, ()))


def can_block(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    pos = state.players[seat].pos
    carries = any(thing in table.kit.heavy for thing in state.players[seat].pack)
    return carries and any(
        pos in touched and gap not in state.forest.gaps
        for gap, touched in gaps(state, table).items()
    )


def can_unblock(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    pos = state.players[seat].pos
    return pos is not None and any(
        _can_store(state, seat, state.forest.gaps[gap], table)
        for gap in blockers_at(state, pos, table)
    )


def _can_store(state: Tableau, seat: str, thing: str, table: RuleContext[Box]) -> bool:
    fits = room(state.players[seat].pack, thing, table.kit)
    return fits or table.reading("block_removed") == "bag"


@rules.hears(Block)
def block(state: Tableau, action: Block, rule: Hearing[Box]) -> Tableau:
    seat, gap, thing = action.seat, action.gap, action.object
    _check_window(state, seat, rule)
    touched = gaps(state, rule).get(gap)
    rule("RND-BLOCK-3", touched is not None, gap=gap)
    me = state.players[seat]
    free, owned = gap not in state.forest.gaps, thing in me.pack
    if (
        rule("RND-BLOCK-2", touched is None or me.pos in touched, gap=gap, pos=me.pos)
        and rule("RND-BLOCK-2", free, gap=gap, lies=state.forest.gaps.get(gap))
        and rule("RND-BLOCK-2", thing in rule.kit.heavy, light=thing)
    ):
        rule("RND-BLOCK-2", owned, object=thing, pack=me.pack)
    if touched is None or not free or not owned:
        return state
    state = with_player(state, seat, pack=without(me.pack, thing))
    laid = {**state.forest.gaps, gap: thing}
    return _used(evolve(state, forest=evolve(state.forest, gaps=laid)), seat)


@rules.hears(Unblock)
def unblock(state: Tableau, action: Unblock, rule: Hearing[Box]) -> Tableau:
    seat, gap = action.seat, action.gap
    _check_window(state, seat, rule)
    touched = gaps(state, rule).get(gap)
    rule("RND-BLOCK-3", touched is not None, gap=gap)
    me = state.players[seat]
    thing = state.forest.gaps.get(gap)
    rule("RND-BLOCK-5", thing is not None or touched is None, gap=gap)
    if thing is None:
        return state
    if rule("RND-BLOCK-5", touched is None or me.pos in touched, gap=gap, pos=me.pos):
        rule("RND-BLOCK-5", _can_store(state, seat, thing, rule), object=thing, pack=me.pack)
    left = {key: item for key, item in state.forest.gaps.items() if key != gap}
    state = evolve(state, forest=evolve(state.forest, gaps=left))
    if rule.reading("block_removed") == "bag":
        return _used(into_bag(state, thing), seat)
    return _used(with_player(state, seat, pack=(*me.pack, thing)), seat)


def _check_window(state: Tableau, seat: str, rule: Hearing[Box]) -> None:
    """Once per turn, at its start or at its end, beside the tile one stands on."""
    rule("RND-BLOCK-1", state.blocking, seat=seat)
    rule("RND-BLOCK-11", state.players[seat].pos is not None, seat=seat)
    turn = state.turn if state.turn.seat == seat or state.last is None else state.last
    used = turn.seat == seat and "block" in turn.done
    in_window = state.agenda.owes("turn", seat) or state.agenda.owes("end", seat)
    if not rule.breaches:
        rule("RND-BLOCK-7", in_window or used, seat=seat)
    rule("RND-BLOCK-6", not used, seat=seat)


def _used(state: Tableau, seat: str) -> Tableau:
    state = did(state, seat, "block")
    if state.agenda.owes("turn", seat):
        return evolve(state, agenda=state.agenda.drop("blocker"))
    return leave_end(state, seat)
