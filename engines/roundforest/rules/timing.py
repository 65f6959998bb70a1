"""What is not due now, and which clause says so."""

from __future__ import annotations

from engines.kernel import Action, Hearing
from engines.roundforest import actions as act
from engines.roundforest.kit import CHARACTERS, OBJECTS, Box
from engines.roundforest.rules.book import ENCOUNTERS, PHASES, rules
from engines.roundforest.rules.setup import in_set_up, layout_clause, set_up_due
from engines.roundforest.rules.spirit import qualified_seats
from engines.roundforest.state import Tableau, Turn

_TILE_ACTIONS = frozenset(PHASES.values()) - {"turn", "garnish", "spirit", "end"}


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> bool:
    if not rule("RND-END-5", not state.over):
        return False
    if in_set_up(state):
        return _finish_set_up(state, rule)
    if isinstance(action, act.PlaceSpirit):
        return _spirit_uncalled(state, action, rule)
    if state.agenda.owes("spirit") is not None:
        return rule("RND-SPI-2", False, seat=state.agenda.seats[0])
    due = state.agenda.seats
    if due and state.turn.seat not in due and action.by not in due:
        return rule("RND-TURN-6", False, seat=action.by, turn=due[0])
    seat = None if isinstance(action, act.Chip | act.Draw | act.Meet | act.FillRow) else action.by
    turn = state.turn_meant(seat)
    if seat not in (None, turn.seat):
        clause = "RND-SET-16" if isinstance(action, act.Move | act.Pause) else "RND-TURN-6"
        due = tuple(duty.kind for duty in state.agenda.duties)
        return rule(clause, False, seat=seat, turn=state.turn.seat, due=due)
    if isinstance(action, act.Block | act.Unblock | act.OpenChest | act.Coin):
        return True
    cited = _wrong_phase(state, turn, action)
    return rule(cited, False, **_facts(state, turn), **_reason(state, turn, cited))


def _finish_set_up(state: Tableau, rule: Hearing[Box]) -> bool:
    due = set_up_due(state, rule.kit)
    forest = state.forest
    if due == "chips":
        bare = [c for c, t in forest.tiles.items() if not t.well and c not in forest.contents]
        return rule("RND-SET-10", False, bare=bare[0])
    if due == "rows":
        return rule("RND-SET-13", False, row=None, tokens=len(state.fairy))
    empty = [cell for cell in state.board(rule.kit).cells if cell not in forest.tiles]
    return rule(layout_clause(state), False, missing=tuple(empty))


def _spirit_uncalled(state: Tableau, action: act.PlaceSpirit, rule: Hearing[Box]) -> bool:
    by_card = "spirit" in state.cards.unanswered
    rule("RND-SPI-10", not by_card, met="spirit" if by_card else None)
    if not rule("RND-SPI-9", not state.forest.spirit_appeared, seat=action.by):
        return False
    due = state.agenda.owes("spirit")
    if due is None:
        return rule("RND-SPI-1", False, seat=action.by)
    several = len(qualified_seats(state, rule.kit)) > 1
    return rule("RND-SPI-8" if several else "RND-SPI-2", False, seat=due.seat)


def _facts(state: Tableau, turn: Turn) -> dict[str, object]:
    due = tuple(duty.kind for duty in state.agenda.duties)
    passed = {} if turn.seat == state.turn.seat else {"turn": state.turn.seat}
    return {"seat": turn.seat, **passed, "due": due, "left": turn.left}


def _reason(state: Tableau, turn: Turn, clause: str) -> dict[str, object]:
    """What has been done already, or not in this turn, where that is the reason."""
    forest, left = state.forest, turn.left or ""
    match clause:
        case "RND-TURN-5":
            return {"player": turn.seat} if "move" in turn.done else {}
        case "RND-GARN-1" | "RND-GARN-5":
            return {"garnished": left} if left in forest.contents else {}
        case "RND-GARN-2":
            return {"lies": forest.contents.get(left)}
        case "RND-GARN-4":
            return {"well": left}
    return {"player": turn.seat} if clause in _SAID_OF_PLAYER else {}


_SAID_OF_PLAYER = frozenset(
    {
        "RND-TURN-4",
        "RND-PAUSE-3",
        "RND-GARN-3",
        "RND-BLUE-2",
        "RND-BLUE-7",
        "RND-FAIRY-13",
        "RND-YEL-9",
        "RND-OBJ-4",
        "RND-RED-3",
        "RND-CHAR-15",
        "RND-CHAR-16",
        "RND-MER-3",
        "RND-WELL-2",
        "RND-WELL-6",
        "RND-WELL-7",
    }
)
"""Clauses that a player breaks by what was done, or not done, before in the same turn."""


def _lies_under_pawn(state: Tableau, turn: Turn, action: Action) -> str | None:
    """The clause that keeps a player from what came, or stayed, under the player's own pawn."""
    here = state.here(turn.seat)
    if turn is not state.turn or turn.done:
        return None
    if isinstance(action, act.Keep | act.Barter):
        return "RND-OBJ-4" if here in OBJECTS else None
    met = isinstance(action, ENCOUNTERS) and not isinstance(action, act.Decline)
    return "RND-CHAR-15" if met and here in CHARACTERS else None


def _wrong_phase(state: Tableau, turn: Turn, action: Action) -> str:
    match action:
        case act.Move():
            return "RND-TURN-5" if "move" in turn.done else "RND-TURN-1"
        case act.Pause():
            return "RND-TURN-1"
        case act.End():
            return _early_end(state, turn)
        case act.Chip():
            skipped = _skipped(turn, "RND-GARN")
            garnished = turn.left in state.forest.contents
            return skipped or ("RND-GARN-1" if garnished else _out_of_order(state, turn))
        case act.Draw():
            skipped = _skipped(turn, "RND-BLUE") or _skipped(turn, "RND-YEL")
            return skipped or _out_of_order(state, turn)
        case act.Meet():
            return _skipped(turn, "RND-RED") or _out_of_order(state, turn)
        case act.FillRow():
            return _out_of_order(state, turn)
    if "pause" in turn.done:
        return _after_pause(state, turn, action)
    return _wrong_action(state, turn, action)


def _early_end(state: Tableau, turn: Turn) -> str:
    if turn is not state.turn:
        return "RND-TURN-5"
    return "RND-TURN-3" if turn.done & {"move", "pause"} else "RND-TURN-1"


def _skipped(turn: Turn, family: str) -> str | None:
    return next((clause for clause in turn.skipped if clause.startswith(family)), None)


def _out_of_order(state: Tableau, turn: Turn) -> str:
    """An observation that is not due."""
    if "pause" in turn.done:
        return "RND-PAUSE-3"
    on_tile = any(duty.kind in _TILE_ACTIONS for duty in state.agenda.duties)
    return "RND-CHIP-1" if on_tile else "RND-TURN-2"


def _after_pause(state: Tableau, turn: Turn, action: Action) -> str:
    if isinstance(action, act.TradeAtWell) and _on_well(state, turn.seat):
        return "RND-WELL-6"
    return "RND-TURN-4" if state.here(turn.seat) is None else "RND-PAUSE-3"


def _wrong_action(state: Tableau, turn: Turn, action: Action) -> str:
    """A decision about a tile where another one, or none, is due."""
    if (clause := _lies_under_pawn(state, turn, action)) is not None:
        return clause
    match action:
        case act.Keep() | act.Leave() if state.agenda.owes("put"):
            return "RND-COIN-4" if isinstance(action, act.Keep) and action.coin else "RND-YEL-2"
        case act.Keep() | act.Leave() if "object" in turn.done and turn.met == "prince":
            return "RND-PRI-1"
        case act.Keep() | act.Leave() if turn.done & {"object", "barter"}:
            return "RND-BLUE-2"
        case act.Barter():
            return "RND-FAIRY-13" if "barter" in turn.done else "RND-FAIRY-1"
        case act.Put() if state.agenda.owes("object"):
            return "RND-BLUE-4"
        case act.TradeAtWell() if "well" in turn.done:
            return "RND-WELL-2"
        case act.TradeAtWell() if not turn.done and _on_well(state, turn.seat):
            return "RND-WELL-7"
        case act.Sell() | act.Buy() if "merchant" in turn.done:
            return "RND-MER-3"
    if isinstance(action, ENCOUNTERS) and "character" in turn.done:
        return "RND-CHAR-16"
    return _out_of_order(state, turn)


def _on_well(state: Tableau, seat: str) -> bool:
    pos = state.players[seat].pos
    return pos is not None and state.forest.tiles[pos].well
