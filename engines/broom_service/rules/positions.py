"""Declared positions: a whole table at once, at any moment of a game, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engines.broom_service.actions import (
    ROLES,
    BegunAction,
    LeadClause,
    Moment,
    OpenAction,
    OwedDuty,
    Position,
    SeatPosition,
)
from engines.broom_service.kit import BoardSide, Box, in_full
from engines.broom_service.rules.book import Rule, check_name, rules
from engines.broom_service.rules.rounds import repeated, round_start
from engines.broom_service.rules.setup import TILE_CLAUSES, start_wands
from engines.broom_service.rules.turns import waiting
from engines.broom_service.state import (
    HAND,
    Board,
    Card,
    Deed,
    Hand,
    HeldTile,
    Hoard,
    Pass,
    PassStatus,
    Player,
    Round,
    Stock,
    Tableau,
    Turn,
    Untimely,
    all_clouds,
    all_tiles,
    is_clouded,
)
from engines.kernel import Agenda, Bag, Duty, Group, ParseError, Positions, Setting, Step, evolve
from engines.kernel.rules.actions import by_one_name
from engines.kernel.values.models import from_position, to_position


@rules.hears(Position)
def declare(state: Tableau, action: Position, rule: Rule) -> Tableau:
    rule(
        "BRM-POS-1", state.round.number == 1 and state.round.event is None, round=state.round.number
    )
    action = _in_full(action, state.side(rule.kit), rule)
    _check_names(state, action, rule)
    now = action.now
    players = {
        seat: _player(seat, action.players.get(seat, SeatPosition()), state, action, rule)
        for seat in state.options.seats
    }
    held = [tile.tile for player in players.values() for tile in player.hoard.tiles]
    variants, kit = state.options.variants, rule.kit
    stock = Stock(
        all_clouds(variants, kit).minus(Bag(action.clouds.values())),
        all_tiles(variants, kit).minus(Bag((*action.tiles.values(), *held))),
        action.seen,
        _stack(action),
    )
    declared = evolve(
        state,
        board=Board(dict(action.clouds), frozenset(action.occupied), dict(action.tiles)),
        stock=stock,
        round=_round(action, players),
        turn=_turn(action, rule),
        players=players,
        agenda=_agenda(state, action) if now is None else Agenda(_due(now)),
    )
    _check_pieces(declared, action, rule)
    return declared


def _in_full(action: Position, side: BoardSide, rule: Rule) -> Position:
    """Spaces and towers may be written as short as in a line.

    Not both ways at once. Records of earlier engines stay as they were: there a cloud on ``c9``
    lies beside the board.
    """
    occupied = tuple(in_full(tower, side.towers) for tower in action.occupied)
    if not rule.since("1.4"):
        return action.model_copy(update={"occupied": occupied})
    clouds = by_one_name(action.clouds.items(), lambda space: in_full(space, side.cloud_spaces))
    return action.model_copy(update={"clouds": clouds, "occupied": occupied})


def _check_names(state: Tableau, action: Position, rule: Rule) -> None:
    """Everything named must be on this board and at this table."""
    kit, side = rule.kit, state.side(rule.kit)
    for seat in _seats_named(action):
        if seat not in state.options.seats:
            raise ParseError("no_such_seat", seat=seat, seats=state.options.seats)
    for space, cloud in action.clouds.items():
        check_name(space, "clouds", side.cloud_spaces)
        check_name(cloud, "clouds", {**kit.clouds.heavy, **kit.clouds.storm})
    for region, tile in action.tiles.items():
        check_name(region, "tiles", side.regions)
        check_name(tile, "tiles", kit.tiles.terrain_of)
    for tower in action.occupied:
        check_name(tower, "occupied", side.towers)
    for said in action.players.values():
        for region in (*(said.at or ()), *said.amulets):
            check_name(region, "players", side.regions)
        for card in said.laid:
            check_name(card[:2], "laid", ROLES)


def _seats_named(action: Position) -> Iterator[str]:
    yield action.first
    yield from action.players
    if action.now is not None:
        now = action.now
        yield from (*now.deposed, *now.answered, *now.passed, *now.fists)
        yield from (duty.seat for duty in _duties(now) if duty.seat is not None)
        yield from (seat for seat in (now.claimant, now.last_brave) if seat is not None)
        if now.action is not None:
            yield now.action.seat
        for begun in now.begun or ():
            yield begun.seat
            yield from (duty.seat for duty in begun.left if duty.seat is not None)


def _duties(now: Moment) -> Iterator[Any]:
    for item in now.due:
        if not isinstance(item, str):
            yield from item


def _player(seat: str, said: SeatPosition, state: Tableau, action: Position, rule: Rule) -> Player:
    castles = state.side(rule.kit).castles
    west, east = said.at or (castles.west, castles.east)
    wands = start_wands(seat, state.options) if said.w is None else said.w
    return Player(
        vp=rule.kit.scoring.start_vp if said.vp is None else said.vp,
        resources={"g": said.g, "o": said.o, "p": said.p, "w": wands},
        pawns={"1": west, "2": east},
        hand=_hand(said, action, rule),
        hoard=Hoard(
            bolts=said.bolts,
            earlier_bolts=said.bolts,
            amulets=said.amulets,
            tiles=tuple(_held(text) for text in said.holds),
        ),
    )


def _hand(said: SeatPosition, action: Position, rule: Rule) -> Hand:
    laid = tuple(_card(text) for text in said.laid)
    roles = {card.role for card in laid}
    settled: PassStatus = "cleared" if said.cards == 0 else "open"
    passes = tuple(
        Pass(role, action.turn or 1, rule.number, "broken" if role in roles else settled)
        for role in said.passed
    )
    chosen = None if said.cards is None else said.cards + len(laid)
    return Hand(
        chosen, said.cards or 0, laid if chosen is not None else (), passes, said.sealed, said.extra
    )


def _card(text: str) -> Card:
    said: list[Any] = text.split("/")
    return Card(said[0], *(said[1:] or ["coward"]))


def _held(text: str) -> HeldTile:
    tile: Any
    tile, _, taken = text.partition("@")
    number, _, turn = taken.partition(".")
    return HeldTile(tile, int(number or 0), int(turn or 0))


def _stack(action: Position) -> frozenset[Any]:
    """Without more said, what was shown and what is cursed now is out of the stack."""
    if action.now is not None:
        return frozenset(action.now.stack)
    return frozenset(ROLES) - set(action.shown) - set(action.cursed)


def _round(action: Position, players: dict[str, Player]) -> Round:
    now = action.now
    if now is None:
        called = {card.role for player in players.values() for card in player.hand.laid}
        return Round(action.round, action.event, action.cursed, frozenset(called))
    return from_position(
        Round,
        now,
        number=action.round,
        event=action.event,
        cursed=action.cursed,
        called=frozenset(now.called),
    )


def _turn(action: Position, rule: Rule) -> Turn:
    """Who leads the first turn of a round was not the last brave player of a turn before it."""
    now = action.now
    if now is None:
        why: LeadClause = "BRM-TRN-15"
        if action.turn is None or (action.turn == 1 and rule.since("1.4")):
            why = "BRM-SET-7" if action.round == 1 else "BRM-END-5"
        return Turn(action.turn or 1, action.first, why)
    return from_position(
        Turn,
        now,
        number=action.turn or 1,
        leader=action.first,
        deed=None if now.action is None else from_position(Deed, now.action),
        untimely=tuple(_begun(action) for action in now.begun or ()),
    )


def _begun(said: BegunAction) -> Untimely:
    return Untimely(from_position(Deed, said), Group(*(_duty(owed) for owed in said.left)))


def _agenda(state: Tableau, action: Position) -> Agenda:
    if action.turn is None:
        return Agenda().push(*round_start(state.options))
    return Agenda().push(Group(Duty("lead", action.first)))


def _due(now: Moment) -> tuple[Any, ...]:
    return tuple(filter(None, agenda_items(now.due)))


def _check_pieces(state: Tableau, action: Position, rule: Rule) -> None:
    """Pieces and counts that no game could have come to."""
    side = state.side(rule.kit)
    clouds, boxed = Bag(action.clouds.values()), all_clouds(state.options.variants, rule.kit)
    rule("BRM-SET-12", boxed.holds(clouds), cloud=_surplus(clouds, boxed), left=0)
    _check_tiles(state, action, rule)
    twice = repeated((*action.seen, *([] if action.event is None else [action.event])))
    rule.doubt("BRM-SET-13", not twice, event=twice)
    square = tuple(tower for tower in action.occupied if side.towers[tower].shape == "square")
    rule.doubt("BRM-DEL-12", not square, tower=square)
    _check_bolts(state, rule)
    _check_pawns(state, rule)
    _check_round(state, action, rule)
    _check_asked(state, rule)
    for seat, player in state.players.items():
        _check_hand(state, seat, player, rule)


def _check_pawns(state: Tableau, rule: Rule) -> None:
    """Pawns stand on open land, and amulets are played with."""
    side = state.side(rule.kit)
    for player in state.players.values():
        for region in player.pawns.values():
            rule.doubt("BRM-MOV-6", region not in side.waters, to=region)
            rule.doubt("BRM-MOV-4", not is_clouded(state, side, region), to=region)
        amulets = not player.hoard.amulets or "mountain" in state.options.variants
        rule.doubt("BRM-SET-17", amulets, variants=("mountain",))


def _check_round(state: Tableau, action: Position, rule: Rule) -> None:
    """Event and cursed roles are known before the hands are."""
    chosen = any(player.hand.chosen is not None for player in state.players.values())
    rule.doubt("BRM-RND-2", not chosen or state.round.event is not None)
    number, shown = state.options.cursed_roles, len(set(state.round.cursed))
    least = min(1, number) if rule.reading("cursed_refill") == "all_ten" else number
    fits = least <= shown <= number or (shown == 0 and not chosen)
    clause = "BRM-SET-15" if state.round.number == 1 else "BRM-CUR-5"
    rule.doubt(clause, fits, roles=state.round.cursed, number=number)
    again = tuple(role for role in state.round.cursed if role in action.shown)
    rule.doubt("BRM-CUR-6", not again, roles=again)


def _check_asked(state: Tableau, rule: Rule) -> None:
    """The leader leads, and whoever comes next answers."""
    for duty in state.agenda.duties:
        if duty.kind == "lead":
            rule("BRM-TRN-1", duty.seat == state.turn.leader, seat=state.turn.leader)
        elif duty.kind == "answer":
            asked = waiting(state, rule)
            rule("BRM-TRN-5", duty.seat == asked, seat=duty.seat, asked=asked)


def _check_hand(state: Tableau, seat: str, player: Player, rule: Rule) -> None:
    hand = player.hand
    twice = repeated([card.role for card in hand.laid])
    rule.doubt("BRM-SET-3", not twice, seat=seat, twice=twice)
    if hand.chosen is not None:
        count = hand.chosen - hand.extra
        event = rule.kit.events.more_or_less
        wanted = (event.hand_min, event.hand_max)
        if state.round.event == "more_or_less":
            rule.doubt("BRM-EVT-2", wanted[0] <= count <= wanted[1], count=count)
        else:
            rule.doubt("BRM-RND-3", count == HAND, count=count)
    choosing = {duty.seat for duty in state.agenda.duties if duty.kind == "hand"}
    rule.doubt("BRM-RND-3", hand.chosen is not None or not choosing or seat in choosing, seat=seat)
    asked = any(
        duty.seat == seat and duty.kind in ("lead", "answer") for duty in state.agenda.duties
    )
    rule("BRM-RND-9", not asked or hand.held > 0, seat=seat)


def _check_tiles(state: Tableau, action: Position, rule: Rule) -> None:
    side, boxed = state.side(rule.kit), all_tiles(state.options.variants, rule.kit)
    held = [own.tile for player in state.players.values() for own in player.hoard.tiles]
    tiles, terrain_of = Bag((*action.tiles.values(), *held)), rule.kit.tiles.terrain_of
    surplus = _surplus(tiles, boxed)
    for terrain, clause in TILE_CLAUSES.items():
        too_many = tuple(tile for tile in surplus if terrain_of[tile] == terrain)
        placed = [region for region, tile in action.tiles.items() if terrain_of[tile] == terrain]
        strange = tuple(region for region in placed if side.terrain(region) != terrain)
        rule(clause, not too_many, surplus=too_many, strange=())
        rule.doubt(clause, not strange, surplus=(), strange=strange)


def _surplus(there: Bag[str], boxed: Bag[str]) -> tuple[str, ...]:
    return tuple(piece for piece in there if there[piece] > boxed[piece])


def _check_bolts(state: Tableau, rule: Rule) -> None:
    """The bolts of all players are those of as many clouds as are missing on the board."""
    side = state.side(rule.kit)
    missing = len(side.cloud_spaces) - len(state.board.clouds)
    if any(item for item in state.agenda.duties if item.kind == "cloud"):
        missing = 0
    bolts = sorted(rule.kit.clouds[cloud].bolts for cloud in state.stock.clouds.elements())
    total = sum(player.hoard.bolts for player in state.players.values())
    least, most = sum(bolts[:missing]), sum(bolts[len(bolts) - missing :])
    known = rule.kit.provenance("clouds")
    facts = {"bolts": total, "least": least, "most": most, "provenance": known}
    rule.doubt("BRM-CLD-5", least <= total <= most, **facts)


# from a state to a position


def position_of(state: Tableau, setting: Setting[Box]) -> Position:
    return to_position(
        Position,
        state.board,
        state.round,
        state.stock,
        round=state.round.number,
        first=state.turn.leader,
        shown=tuple(r for r in ROLES if r not in state.stock.stack and r not in state.round.cursed),
        occupied=tuple(sorted(state.board.occupied)),
        turn=state.turn.number,
        players={seat: _seat_position(state, player) for seat, player in state.players.items()},
        now=_moment_of(state),
    )


def _seat_position(state: Tableau, player: Player) -> SeatPosition:
    hand, hoard = player.hand, player.hoard
    return to_position(
        SeatPosition,
        player,
        hand,
        hoard,
        **dict[str, int](player.resources.items()),
        at=(player.pawns["1"], player.pawns["2"]),
        holds=tuple(_written(held, state.round.number) for held in hoard.tiles),
        cards=None if hand.chosen is None else hand.held,
        laid=tuple("/".join(filter(None, (c.role, c.mode, c.tile))) for c in hand.laid),
        passed=tuple(claim.role for claim in hand.passes),
    )


def _written(held: HeldTile, this_round: int) -> str:
    """A tile as a position writes it: when it was taken matters only in that very round."""
    return f"{held.tile}@{held.round}.{held.turn}" if held.round == this_round else held.tile


def _moment_of(state: Tableau) -> Moment:
    turn, deed = state.turn, state.turn.deed
    due: list[Any] = [item.name if isinstance(item, Step) else _owed(item) for item in state.agenda]
    return to_position(
        Moment,
        turn,
        state.round,
        due=tuple(due),
        action=None if deed is None else to_position(OpenAction, deed),
        begun=tuple(_begun_position(done) for done in turn.untimely) or None,
        stack=tuple(state.stock.stack),
    )


def _owed(group: Group) -> tuple[OwedDuty, ...]:
    return tuple(to_position(OwedDuty, duty) for duty in group)


def _begun_position(done: Untimely) -> BegunAction:
    return to_position(BegunAction, done.deed, left=_owed(done.duties))


def agenda_items(due: Iterable[Any]) -> tuple[Group | Step, ...]:
    """The agenda of a declared moment, bottom first."""
    return tuple(
        Step(item) if isinstance(item, str) else Group(*(_duty(owed) for owed in item))
        for item in due
    )


def _duty(owed: OwedDuty) -> Duty:
    times = None if owed.times == "any" else owed.times
    return Duty(owed.kind, owed.seat, times, owed.why, owed.optional)


POSITIONS = Positions(
    Position,
    position_of,
    in_any_order=("seen", "occupied", "players.*.amulets", "players.*.holds", "players.*.passed"),
)
