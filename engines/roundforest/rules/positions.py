"""Declared positions: a whole table in one action, and a table written as one."""

from __future__ import annotations

from collections.abc import Iterable

from engines.kernel import (
    Agenda,
    Bag,
    Duty,
    Group,
    Hearing,
    ParseError,
    Positions,
    Setting,
    Step,
    evolve,
)
from engines.kernel.messages.catalogue import Phrase
from engines.kernel.values.models import from_position, to_position
from engines.roundforest.actions import DrawnPosition, MetPosition, PlayerPosition, Position
from engines.roundforest.kit import CHARACTERS, OBJECTS, ROWS, Box
from engines.roundforest.rules.blocking import gaps
from engines.roundforest.rules.book import PHASES, TURN_END, phase, rules
from engines.roundforest.rules.characters import CREDITORS
from engines.roundforest.rules.goods import heavy_count
from engines.roundforest.rules.setup import check_draw, in_set_up, kit_tile, layout_clause
from engines.roundforest.rules.spirit import call_spirit, placing_seat, qualified_seats
from engines.roundforest.state import (
    Bags,
    Cards,
    Forest,
    Held,
    Player,
    Supply,
    Tableau,
    Tile,
    Turn,
    draws,
    held_in_all,
)

_PHASE_OF = {kind: name for name, kind in PHASES.items()}
_HELD_IN = {"OBJ": "blue", "PUT": "yellow", "PRINCE": "prince"}
_PLAYED = frozenset({"move", "pause", "ride"})


@rules.hears(Position)
def declare(state: Tableau, action: Position, rule: Hearing[Box]) -> Tableau:
    rule("RND-END-5", not state.over or action.phase == "OVER")
    rule("RND-POS-1", in_set_up(state), turn=state.turn.seat)
    for seat in (action.active, action.winner, action.resumes, *_seats_named(action)):
        if seat is not None and seat not in state.seats:
            raise ParseError("no_such_seat", seat=seat, seats=state.seats)
    forest = _forest(state, action, rule)
    fairy = {} if action.phase == "SETUP" else dict.fromkeys(ROWS, ())
    state = evolve(
        state,
        players=_players(state, action, rule),
        forest=forest,
        fairy={**fairy, **action.fairy},
        held=_held(action),
        turn=_turn(state, action),
        ahead=action.ahead,
        winner=action.winner if action.phase == "OVER" else None,
    )
    state = evolve(state, cards=_cards(state, action, rule), supply=_supply(state, rule))
    state = evolve(state, bags=_bags(state, action, rule))
    _check_fairy(state, action, rule)
    _check_moment(state, action, rule)
    _report_bare_tiles(state, rule)
    return _with_agenda(state, action, rule)


def _seats_named(action: Position) -> tuple[str, ...]:
    waiting = (*(part.seat for part in action.drawn), *(part.seat for part in action.met))
    return (*action.players, *action.left_by.values(), *action.ahead, *action.deciding, *waiting)


# what lies where


def _forest(state: Tableau, action: Position, rule: Hearing[Box]) -> Forest:
    board, kit = state.board(rule.kit), rule.kit
    surplus = [cell for cell in action.tiles if cell not in board.cells]
    missing = [cell for cell in board.cells if cell not in action.tiles]
    complete = not missing or action.phase == "SETUP"
    rule(layout_clause(state), not surplus, outside=next(iter(surplus), None), field="tiles")
    rule(layout_clause(state), complete, missing=tuple(missing), field="tiles")
    before = state.forest.tiles
    tiles = {
        c: _tile(action.tiles[c], before.get(c), kit) for c in board.cells if c in action.tiles
    }
    ids = [tile.id for tile in tiles.values() if tile.id is not None]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    rule("RND-SET-4", twice is None, tile=twice, field="tiles")
    at_home = all(tile.well == (cell in board.wells) for cell, tile in tiles.items())
    rule("RND-SET-5", at_home, cells=board.wells, field="tiles")
    _on_tiles(tiles, (*action.content, *action.left_by, *filter(None, [action.left])))
    for cell in action.content:
        garnished = not tiles[cell].well or rule.reading("garnish_wells") == "yes"
        rule.doubt("RND-SET-11", garnished, cell=cell, field=f"content.{cell}")
    if action.gaps:
        rule.doubt("RND-BLOCK-1", state.blocking, field="gaps")
    for gap, thing in action.gaps.items():
        rule("RND-BLOCK-3", gap in gaps(state, rule), gap=gap, field="gaps")
        rule.doubt("RND-BLOCK-2", thing in kit.heavy, light=thing, field="gaps")
    for cell, seat in action.left_by.items():
        left = action.content.get(cell) in OBJECTS
        rule.doubt("RND-BLUE-5", left, cell=cell, seat=seat, field=f"left_by.{cell}")
    return Forest(tiles, dict(action.content), dict(action.gaps), dict(action.left_by))


def _on_tiles(tiles: dict[str, Tile], cells: Iterable[str]) -> None:
    for cell in cells:
        if cell not in tiles:
            raise ParseError("no_tile", cell=cell)


def _tile(text: str, before: Tile | None, kit: Box) -> Tile:
    name, *marks = text.split()
    if "/" in name:
        turn = "ccw" if "ccw" in marks else "cw"
        tile = Tile(None, tuple(name.split("/")), "n", turn, "well" in marks)
    else:
        tile = kit_tile(name, marks[0], kit)
    if before is not None and before.id == tile.id and before.face == tile.face:
        return before
    return tile


def _players(state: Tableau, action: Position, rule: Hearing[Box]) -> dict[str, Player]:
    players = {}
    for seat, before in state.players.items():
        declared = action.players.get(seat, PlayerPosition())
        pos = None if declared.pos == "pack" else declared.pos
        if pos is not None and pos not in action.tiles:
            raise ParseError("no_tile", cell=pos)
        players[seat] = from_position(
            Player, declared, colour=before.colour, corner=before.corner, pos=pos
        )
        _check_player(seat, players[seat], rule)
    where = [player.pos for player in players.values() if player.pos is not None]
    shared = next((cell for cell in where if where.count(cell) > 1), None)
    there = [seat for seat, player in players.items() if player.pos == shared]
    rule.doubt("RND-MOVE-12", shared is None, cell=shared, pawns=there, field="players")
    if action.left is not None:
        stands = next((seat for seat, player in players.items() if player.pos == action.left), None)
        rule.doubt("RND-GARN-1", stands is None, left=action.left, stands=stands, field="left")
    return players


def _check_player(seat: str, player: Player, rule: Hearing[Box]) -> None:
    kit, pack, field = rule.kit, player.pack, f"players.{seat}"
    held: dict[str, object] = {"pack": pack, "field": f"{field}.pack"}
    rule.doubt("RND-PACK-1", len(pack) <= kit.pack.objects, **held)
    rule.doubt("RND-PACK-2", heavy_count(pack, kit) <= kit.pack.heavy, **held)
    compasses = player.compasses
    given = kit.supply.compasses_per_player
    rule("RND-CMP-4", compasses <= given, compasses=compasses, field=f"{field}.compasses")
    owed = [character for character in player.debts if character not in CREDITORS]
    rule("RND-CHAR-1", not owed, owed=owed, field=f"{field}.debts")


def _cards(state: Tableau, action: Position, rule: Hearing[Box]) -> Cards:
    """Owed and laid-out characters are those with a token on the forest."""
    tokens = [t for t in state.forest.contents.values() if t in CHARACTERS]
    owed = [character for player in state.players.values() for character in player.debts]
    laid_out = [token for token in tokens if token not in CREDITORS]
    if "spirit" in laid_out and _spirit_card_elsewhere(action, rule):
        laid_out.remove("spirit")
    waiting = _met(action)
    out = [*owed, *laid_out, *(card for card, _ in waiting)]
    twice = sorted(name for name in {*out, *tokens} if max(out.count(name), tokens.count(name)) > 1)
    rule("RND-SET-14", not twice, twice=twice, field="content")
    in_deck = not action.spirit_in_deck or _spirit_card_elsewhere(action, rule)
    rule("RND-SET-14", in_deck, characters=("spirit",), field="spirit_in_deck")
    lying = [token for token in tokens if token in CREDITORS]
    matching = sorted(owed) == sorted(lying)
    rule.doubt("RND-CHAR-6", matching, owed=owed, tokens=lying, field="content")
    cards = Cards(tuple(sorted(CHARACTERS.difference(out))), tuple(laid_out), None)
    for card, seat in reversed(waiting):
        cards = cards.lying(card, seat)
    return cards


def _met(action: Position) -> tuple[tuple[str, str], ...]:
    """Who was met and by whom, the last one first."""
    if action.met:
        return tuple((part.character, part.seat) for part in action.met)
    seat = _deciding(action, "CHAR")
    return ((action.card, seat),) if action.card is not None else ()


def _spirit_card_elsewhere(action: Position, rule: Hearing[Box]) -> bool:
    """Some tables leave the card of a placed spirit in the deck, where it can be drawn."""
    met = [card for card, _ in _met(action)]
    drawn_or_not = action.spirit_in_deck or "spirit" in met
    return drawn_or_not and rule.reading("spirit_card") == "stays"


def _supply(state: Tableau, rule: Hearing[Box]) -> Supply:
    kit, players = rule.kit.supply, state.players.values()
    left = Supply(
        kit.copper - sum(player.copper for player in players),
        kit.silver - sum(player.silver for player in players),
        kit.apples - sum(player.apples for player in players),
    )
    counts = {"copper": left.copper, "silver": left.silver, "apple": left.apples}
    over = {name: -count for name, count in counts.items() if count < 0}
    rule("RND-SET-15", not over, over=over, field="players")
    return Supply(*(max(0, count) for count in counts.values()))


def _bags(state: Tableau, action: Position, rule: Hearing[Box]) -> Bags:
    """Whatever is nowhere else is in the bags."""
    kit = rule.kit
    aside = Bag(action.aside_chips)
    lying = Bag(state.forest.contents.values())
    black: dict[str, int] = {}
    for colour, count in kit.chips.items():
        black[colour] = count - aside[colour] - lying[colour]
        surplus = -black[colour]
        rule("RND-SET-10", surplus <= 0, over=colour, surplus=surplus, field="content")
    waits = sum(black.values()) > 0 or rule.reading("chip_refill") == "when_needed"
    rule.doubt("RND-GARN-8", waits, chips=dict(aside), field="aside_chips")
    out = Bag(
        [
            *(thing for thing in state.forest.contents.values() if thing in OBJECTS),
            *state.forest.gaps.values(),
            *(thing for row in state.fairy.values() for thing in row),
            *(thing for player in state.players.values() for thing in player.pack),
            *(thing for held in state.drawn for thing in held.objects),
            *action.fairy_aside,
        ]
    )
    tokens = Bag(kit.tokens(state.hard))
    check_draw(state, tuple(out.elements()), tokens, rule)
    return Bags(Bag(black), aside, tokens.minus(out), action.fairy_aside)


def _check_fairy(state: Tableau, action: Position, rule: Hearing[Box]) -> None:
    """A row has so many places; tokens lie beside the board only while a row is filled."""
    for row, tokens in state.fairy.items():
        fits = len(tokens) <= rule.kit.fairy.places
        rule.doubt("RND-SET-13", fits, row=row, tokens=len(tokens), field=f"fairy.{row}")
    beside = action.fairy_aside
    refilled = "REFILL" in (action.phase, *action.then)
    rule.doubt("RND-FAIRY-10", refilled or not beside, beside=beside, field="fairy_aside")


def _check_moment(state: Tableau, action: Position, rule: Hearing[Box]) -> None:
    """What is pending, and what was done in the turn, goes with the phase."""
    names, done = (action.phase, *action.then), state.turn.done
    decided = not state.drawn or not {*_HELD_IN}.isdisjoint(names)
    held = tuple(thing for draw in state.drawn for thing in draw.objects)
    rule.doubt("RND-BLUE-2", decided, held=held, phase=action.phase, field="held")
    most = rule.kit.services.prince_draws if _source(action) == "prince" else 1
    rule.doubt("RND-BLUE-1", len(held) <= most, drawn=len(held), field="held")
    card, answered = state.cards.met, state.cards.met is None or "CHAR" in names
    rule.doubt("RND-CHAR-16", answered, card=card, phase=action.phase, field="card")
    one = not {"move", "pause"} <= done and (names != ("START",) or done.isdisjoint(_PLAYED))
    rule.doubt("RND-TURN-1", one, done=tuple(sorted(done)), phase=action.phase, field="done")
    left = action.left is None or names != ("START",)
    rule.doubt("RND-GARN-1", left, moved=action.left, phase=action.phase, field="left")
    if action.block_used:
        rule.doubt("RND-BLOCK-1", state.blocking, field="block_used")
    if "SPIRIT" in names:
        seats = qualified_seats(state, rule.kit)
        rule.doubt("RND-SPI-9", not state.forest.spirit_appeared, field="phase")
        rule.doubt("RND-SPI-1", bool(seats), field="phase")
    if action.winner is not None:
        rule("RND-END-5", action.phase == "OVER", phase=action.phase, field="winner")
        debts = state.players[action.winner].debts
        rule.doubt("RND-END-2", not debts, seat=action.winner, debts=debts, field="winner")
    for seat, player in state.players.items():
        begun = player.pos is not None or _has_nothing(player, rule.kit)
        rule.doubt("RND-SET-9", begun, seat=seat, field=f"players.{seat}")


def _has_nothing(player: Player, kit: Box) -> bool:
    """Whether a player has what everybody starts with, and no more."""
    owns = player.pack or player.debts or player.copper or player.silver or player.apples
    return not owns and player.compasses == kit.supply.compasses_per_player


def _report_bare_tiles(state: Tableau, rule: Hearing[Box]) -> None:
    """A tile that nobody stands on should carry something; it is said, not refused."""
    forest = state.forest
    bare = [
        cell
        for cell, tile in forest.tiles.items()
        if not tile.well and cell not in forest.contents and state.pawn_on(cell) is None
    ]
    if rule.effect("RND-GARN-6", bool(bare), cells=tuple(bare)):
        rule.warn("bare_tiles", cells=tuple(bare))


# whose turn it is, and for what


def _turn(state: Tableau, action: Position) -> Turn:
    turn = state.turn if state.turn.seat == action.active else Turn(action.active)
    done = frozenset(action.done) | (frozenset({"block"}) if action.block_used else frozenset())
    said = {"done": done, "left": action.left, "resumes": action.resumes, "chip": action.chip}
    return evolve(turn, **said)


def _held(action: Position) -> Held | None:
    """What is held in the phase, and otherwise what was drawn, by whom and for what."""
    if action.drawn:
        drawn = (draws(part.objects, part.source, part.seat) for part in action.drawn)
        return held_in_all(held for draw in drawn for held in draw)
    return held_in_all(draws(action.held, _source(action), _deciding(action, *_HELD_IN)))


def _deciding(action: Position, *phases: str) -> str:
    """Who decides in the first of these phases that is due or waits."""
    names = (action.phase, *action.then)
    at = next((at for at, name in enumerate(names) if name in phases), None)
    return action.active if at is None else _whose(action, at)


def _whose(action: Position, at: int) -> str:
    return action.deciding[at] if at < len(action.deciding) else action.active


def _source(action: Position) -> str:
    names = (action.phase, *action.then)
    return next((_HELD_IN[name] for name in names if name in _HELD_IN), "blue")


def _with_agenda(state: Tableau, action: Position, rule: Hearing[Box]) -> Tableau:
    if action.phase == "OVER":
        if state.winner is None:
            raise ParseError("phase_lacks", phase=action.phase, needs=Phrase("needs.winner"))
        return evolve(state, agenda=Agenda())
    if action.phase == "SETUP":
        return evolve(state, agenda=Agenda().push(Step("set_up")))
    agenda = TURN_END
    names = (action.phase, *action.then)
    for at, name in reversed([*enumerate(names)]):
        seat = _whose(action, at)
        if at == 0 or name in _NEVER_BEHIND:  # what waits may have lost what it is about
            _check_phase(state, name, seat)
        agenda = agenda.push(_item(state, name, seat, rule))
    state = evolve(state, agenda=agenda)
    return state if agenda.owes("spirit") else call_spirit(state, rule)


def _item(state: Tableau, name: str, seat: str, rule: Hearing[Box]) -> Group | Step:
    if name == "SPIRIT":
        return Group(Duty("spirit", placing_seat(state, rule.kit)))
    turn = state.turn if seat == state.turn.seat else Turn(seat)
    return phase(state, PHASES[name], rule, turn) if name in PHASES else Step(name)


_NEVER_BEHIND = frozenset(("SETUP", "OVER"))


def _check_phase(state: Tableau, name: str, seat: str) -> None:
    """A phase needs something to be decided in it; what is in hand is decided without a pawn too,
    where it was drawn before its time and stands."""
    pos, here = state.players[seat].pos, state.here(seat)
    lacks = {
        "OBJ": ("object", state.held is None and here not in OBJECTS),
        "PUT": ("held", state.held is None),
        "PRINCE": ("held", state.held is None),
        "CHAR": ("card", state.cards.met is None and here not in CHARACTERS),
        "WELL": ("well", pos is None or not state.forest.tiles[pos].well),
        "GARNISH": ("left", state.turn.left is None),
        "REFILL": ("top", bool(state.fairy[ROWS[-1]])),
        "DRAW": ("bag", state.bags.blue.size == 0),
        "DRAW3": ("bag", state.bags.blue.size == 0),
        "MEET": ("deck", not state.cards.deck),
        "SETUP": ("start", True),
        "OVER": ("start", True),
    }
    needs, missing = lacks.get(name, ("", False))
    in_hand = state.cards.met if name == "CHAR" else state.held if name in _HELD_IN else None
    if pos is None and in_hand is None and name not in ("START", "SPIRIT", "END", "REFILL"):
        needs, missing = "pawn", True
    if missing:
        facts = {"cell": pos, "seat": seat}
        raise ParseError("phase_lacks", phase=name, needs=Phrase(f"needs.{needs}", facts))


def position_of(state: Tableau, setting: Setting[Box]) -> Position:
    """The action that declares this state."""
    items = [item for item in reversed(state.agenda) if item != Step("turn_end")]
    waiting = [_name(item) for item in items]
    first = waiting[0] if waiting else "OVER"
    set_up = "set_up" in waiting
    turn, forest = state.turn, state.forest
    deciding = [  # who places the spirit is known
        turn.seat if _name(item) == "SPIRIT" else _owing(item) or turn.seat for item in items
    ]
    action = to_position(
        Position,
        state,
        turn,
        forest,
        active=turn.seat,
        phase="SETUP" if set_up else first,
        then=() if set_up else waiting[1:],
        deciding=() if {*deciding} <= {turn.seat} else deciding,
        held=[thing for held in state.drawn for thing in held.objects],
        card=state.cards.met,
        met=(),
        done=sorted(turn.done - {"block"}),
        block_used="block" in turn.done,
        tiles={cell: _tile_text(tile) for cell, tile in forest.tiles.items()},
        content=forest.contents,
        fairy_aside=state.bags.beside,
        aside_chips=dict(state.bags.aside),
        players={
            seat: to_position(PlayerPosition, player, pos=player.pos or "pack")
            for seat, player in state.players.items()
        },
        spirit_in_deck=forest.spirit_appeared and "spirit" in state.cards.deck,
    )
    if _held(action) != state.held:
        drawn = [to_position(DrawnPosition, held) for held in state.drawn]
        action = action.model_copy(update={"held": (), "drawn": tuple(drawn)})
    if _met(action) != state.cards.waiting:
        met = [MetPosition(character=card, seat=seat) for card, seat in state.cards.waiting]
        action = action.model_copy(update={"card": None, "met": tuple(met)})
    return action


def _owing(item: Group | Step) -> str | None:
    duties = () if isinstance(item, Step) else item
    return next((duty.seat for duty in duties if duty.seat is not None), None)


def _name(item: Group | Step) -> str:
    if isinstance(item, Step):
        return item.name
    return next((_PHASE_OF[duty.kind] for duty in item if duty.kind in _PHASE_OF), "set_up")


def _tile_text(tile: Tile) -> str:
    if tile.id is not None:
        return f"{tile.id} {tile.facing}"
    return tile.face + (" well" if tile.well else "") + (" ccw" if tile.turn == "ccw" else "")


POSITIONS = Positions(Position, position_of, in_any_order=("players.*.pack", "players.*.debts"))
