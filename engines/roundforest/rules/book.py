"""The rulebook object, the phases of a turn, and who may do what in them."""

from __future__ import annotations

from functools import cache

from engines.kernel import (
    Action,
    Agenda,
    Audit,
    Duty,
    Group,
    Hearing,
    Rulebook,
    RuleContext,
    Step,
    evolve,
)
from engines.roundforest import actions as act
from engines.roundforest.kit import Box
from engines.roundforest.state import Tableau, Turn

ENCOUNTERS: tuple[type[Action], ...] = (
    act.Upper,
    act.Lower,
    act.Apple,
    act.CallPrince,
    act.RideUnicorn,
    act.Sell,
    act.Buy,
    act.AskGoblin,
    act.AskBeggar,
    act.Ring,
    act.Decline,
)

rules = Rulebook(
    {
        "tiles": (act.LayTile,),
        "chips": (act.Chip,),
        "rows": (act.FillRow,),
        "turn": (act.Move, act.Pause),
        "garnish": (act.Chip,),
        "draw": (act.Draw,),
        "object": (act.Keep, act.Leave, act.Barter),
        "refill": (act.FillRow,),
        "put": (act.Put,),
        "meet": (act.Meet,),
        "character": ENCOUNTERS,
        "gifts": (act.Draw,),
        "gift": (act.Keep, act.Leave),
        "well": (act.TradeAtWell,),
        "spirit": (act.PlaceSpirit,),
        "end": (act.End,),
        "chest": (act.OpenChest,),
        "blocker": (act.Block, act.Unblock),
        "coin": (act.Coin,),
        "": (Audit, act.Position),
    },
    audit="RND-LOG-3",
)

PHASES: dict[str, str] = {
    "START": "turn",
    "GARNISH": "garnish",
    "DRAW": "draw",
    "OBJ": "object",
    "REFILL": "refill",
    "PUT": "put",
    "MEET": "meet",
    "CHAR": "character",
    "DRAW3": "gifts",
    "PRINCE": "gift",
    "WELL": "well",
    "SPIRIT": "spirit",
    "END": "end",
}
"""The phases as positions name them, and the duty that is owed in each."""

_OBSERVED = {kind: Group(Duty(kind)) for kind in ("garnish", "draw", "refill", "meet", "gifts")}
TURN_END = Agenda().push(Step("turn_end"))


def phase(state: Tableau, kind: str, table: RuleContext[Box], turn: Turn | None = None) -> Group:
    """The active player's duty of that kind, with what may be done beside it."""
    if kind in _OBSERVED:
        return _OBSERVED[kind]
    turn = turn or state.turn
    seat = turn.seat
    pack = state.players[seat].pack
    edge = kind in ("turn", "end")
    blocker = may_use_blockers(state, turn, kind, table)
    chest = (
        "key" in pack
        and ("chest" in pack or blocker)
        and (edge or table.reading("chest_timing") == "own_turn")
    )
    coin = not table.kit.coin_tokens.isdisjoint(pack)
    coin = coin and table.reading("coin_later") == "own_turn"
    return _group(kind, seat, chest, blocker, coin)


@cache
def _group(kind: str, seat: str, chest: bool, blocker: bool, coin: bool) -> Group:
    beside = {"chest": chest, "blocker": blocker, "coin": coin}
    extras = (Duty(name, seat, None, optional=True) for name, due in beside.items() if due)
    return Group(Duty(kind, seat), *extras)


def reopened(state: Tableau, seat: str) -> Tableau:
    """A deed right after a turn that has passed by itself belongs to that turn, not to the next."""
    turn = state.turn_meant(seat)
    due = [item for item in state.agenda if isinstance(item, Group)]
    if turn is state.turn or due != [state.agenda.top]:
        return state
    turn = evolve(turn, resumes=state.turn.seat)
    return evolve(state, turn=turn, last=None, agenda=TURN_END)


def comes_in_time(state: Tableau) -> bool:
    """Whether a draw is the one that was due, whoever tells of it: nobody has to do anything."""
    return isinstance(state.agenda.top, Step)


def called_for(state: Tableau, kind: str, action: Action, rule: Hearing[Box]) -> Tableau:
    """A draw that came before its time is the one that the tile reached calls for, not one more.

    Unless it is another player's, or a prince's objects are due or waiting.
    """
    agenda, seat = state.agenda, state.turn.seat
    if comes_in_time(state) or action.by not in (None, seat) or agenda.owes("gift") is not None:
        return state
    for place, item in enumerate(agenda):
        if isinstance(item, Step) and item.name in ("arrive", "arrive_riding"):
            rest = Agenda((*agenda[:place], *agenda[place + 1 :]))
            there: Tableau = rules.steps[item.name](evolve(state, agenda=rest), rule)
            if there.agenda.owes(kind) is not None:
                return evolve(there, agenda=there.agenda.pop())
    return state


def who_drew(state: Tableau, action: Action) -> str:
    """Whose decision it is what becomes of a draw that nobody owed: whoever acted last."""
    return action.by or state.last_seat or state.turn.seat


def nobody_owes(state: Tableau) -> Tableau:
    """Without the group of duties that is due."""
    return evolve(state, agenda=state.agenda.pop())


def may_use_blockers(state: Tableau, turn: Turn, kind: str, table: RuleContext[Box]) -> bool:
    """Whether a heavy object may be laid or removed in this phase."""
    if not state.blocking or "block" in turn.done or state.players[turn.seat].pos is None:
        return False
    if kind == "turn":
        return True
    acted = "move" in turn.done and "ride" not in turn.done
    return kind == "end" and (acted or table.reading("block_end") == "always")


def leave_end(state: Tableau, seat: str) -> Tableau:
    """Take the duty to end the turn off the agenda, if this seat owes it."""
    if state.agenda.owes("end", seat) is None:
        return state
    return evolve(state, agenda=state.agenda.pop())
