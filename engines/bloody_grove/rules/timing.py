"""What an action breaks that comes when nobody owes it."""

from __future__ import annotations

from typing import Any

from engines.bloody_grove import actions as act
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import Rule, rules, turn_seat
from engines.bloody_grove.rules.hidden import sizes_hand
from engines.bloody_grove.state import NOTHING_YET, Tableau, count_venerables
from engines.kernel import Action

SET_UP_CLAUSES: dict[type[Action], str] = {
    act.LayGroves: "GRV-SET-4",
    act.ShowElite: "GRV-SET-7",
    act.ShowVenerables: "GRV-SET-11",
    act.ChooseFirst: "GRV-SET-12",
    act.Draw: "GRV-SET-15",
    act.Look: "GRV-SET-16",
}
"""A step of the set-up that comes too early, or once too often."""

PREPARATION_CLAUSES: dict[type[Action], str] = {
    **SET_UP_CLAUSES,
    act.ShowVenerables: "GRV-PREP-2",
    act.Draw: "GRV-PREP-3",
    act.Look: "GRV-SET-19",
}

NAMED_IN_SENTENCES = {"face", "faces", "token", "animal", "count", "order"}

ALWAYS_SAID: dict[str, set[str]] = {
    "GRV-SET-20": {"waiting"},
    "GRV-REC-2": {"recruits"},
    "GRV-REC-6": {"animals"},
    "GRV-RES-2": {"grove"},
    "GRV-RES-7": {"tied"},
    "GRV-TURN-9": {"tokens"},
    "GRV-SET-4": {"row"},
    "GRV-SET-7": {"shown"},
    "GRV-SET-12": {"begins"},
    "GRV-SET-16": {"looked"},
    "GRV-SET-19": {"looked"},
    "GRV-SET-15": {"drawn"},
    "GRV-PREP-2": {"shown"},
    "GRV-PREP-3": {"drawn"},
    "GRV-PREP-4": {"deck"},
    "GRV-RES-8": {"grove"},
    "GRV-RES-12": {"grove"},
    "GRV-VEN-1": {"winner", "grove"},
    "GRV-VEN-3": {"winner", "grove", "taken"},
    "GRV-VEF-1": {"effects"},
}
"""What the sentence of a clause names, even where broken rules have left nothing of it."""

UNTRUE_OF_THE_ACTION: dict[str, set[str]] = {"GRV-RUSE-3": {"face"}}
"""What the sentence of a clause says of a card, and is not said where no card is at fault."""

PLAYING = (act.Invoke, act.Transform)
RESOLVING = (act.Stow, act.Take, act.Replace, act.Bottom)


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Rule) -> None:
    rule("GRV-WIN-5", not state.over)
    if state.over:
        return
    clause = _clause(state, action, rule)
    claims_cards = isinstance(action, PLAYING) or (isinstance(action, act.Stow) and action.count)
    if clause in ("GRV-TURN-6", "GRV-END-5") and claims_cards:
        wrong = sizes_hand(state.players[action.by].hidden) if action.by is not None else ()
        rule.proves("GRV-HID-6", *wrong, seat=action.by)
    rule(clause, False, **_facts(state, action, clause, rule))


def _clause(state: Tableau, action: Action, rule: Rule) -> str:
    kind, step = type(action), state.flow.step
    if step == "setup":
        return SET_UP_CLAUSES.get(kind, "GRV-SET-20")
    if step == "prepare":
        return _clause_in_a_preparation(state, action)
    if state.agenda.owes("elite"):
        return "GRV-REC-6"
    if isinstance(action, act.ShowVenerables | act.Draw):
        return "GRV-PREP-1"
    if isinstance(action, act.LayGroves | act.ShowElite | act.ChooseFirst):
        return SET_UP_CLAUSES[kind]
    if isinstance(action, act.Ruse | act.Arcane) and not _open_to_other(state, action):
        return _symbol_clause(state, action)
    if isinstance(action, act.Recruit) and not _open_to_other(state, action):
        return _recruit_clause(state, action)
    if _is_a_turn(state):
        return _clause_in_a_turn(state, action, rule)
    if step == "stow":
        empty = isinstance(action, act.Stow) and not state.players[action.seat].hidden.hand
        return "GRV-END-5" if empty else "GRV-END-3"
    return _clause_in_a_resolution(state, action, rule)


def _clause_in_a_preparation(state: Tableau, action: Action) -> str:
    if isinstance(action, act.Draw) and action.by is not None:
        held = state.players[action.by].hidden
        return "GRV-PREP-3" if held.hand or held.deck else "GRV-PREP-4"
    if isinstance(action, act.Take) and state.contest.tied:
        return "GRV-RES-7"
    return PREPARATION_CLAUSES.get(type(action), "GRV-PREP-1")


def _facts(state: Tableau, action: Action, clause: str, rule: Rule) -> dict[str, Any]:
    """What the action is about, whose moment it is, and what is still open."""
    contest, held = state.contest, state.players[action.by].hidden if action.by else None
    still_open = {
        "waiting": [*dict.fromkeys(task.kind for task in state.flow.waiting)],
        "recruits": state.open.recruits,
        "animals": state.open.elites,
        "grove": contest.grove,
        "winner": contest.winner,
    }
    only_there = {
        "tied": (contest.grove or len(state.groves) + 1) - 1,
        "tokens": state.tokens.loose,
        "drawn": held.hand if held else 0,
        "deck": held.deck if held else 0,
        "begins": state.flow.first,
        "effects": contest.effects,
        "looked": sorted(state.players[action.by].looked) if action.by else [],
        "row": [*filter(None, (grove.animal for grove in state.groves))],
        "shown": _shown(state, action, rule),
        "taken": contest.taken if state.flow.step == "effects" else None,
    }
    in_turn = {"turn": turn_seat(state, rule)} if _is_a_turn(state) else {}
    said = ALWAYS_SAID.get(clause, set())
    named = NAMED_IN_SENTENCES - UNTRUE_OF_THE_ACTION.get(clause, set())
    seat = action.by
    if isinstance(action, act.Ruse | act.Arcane):
        seat = seat or state.flow.actor
    played = clause != "GRV-INV-6" or (seat and state.players[seat].last.kind != "none")
    return {
        **action.model_dump(mode="json", include=named),
        "seat": seat if played else None,
        **in_turn,
        **{name: value for name, value in still_open.items() if value or name in said},
        **{name: value for name, value in only_there.items() if name in said},
    }


def _shown(state: Tableau, action: Action, rule: Rule) -> str | tuple[str, ...] | None:
    """What lies open where the action would show something."""
    if not isinstance(action, act.ShowElite):
        return state.venerables.shown
    animal = rule.kit.spirits[action.face].animal
    return state.elites[animal].shown if animal is not None else None


def _is_a_turn(state: Tableau) -> bool:
    """Whether the moment belongs to a turn, and so to a seat."""
    return state.flow.step in ("action", "recruit", "symbols")


def _open_to_other(state: Tableau, action: Action) -> bool:
    """Whether the other seat still has symbols or recruits open."""
    open_ = state.open
    busy = open_.ruse or open_.arcane or open_.recruits
    return bool(busy) and action.by != open_.seat


def _symbol_clause(state: Tableau, action: act.Ruse | act.Arcane) -> str:
    """Why there is no such symbol: by the last action of the seat, or of who acted last."""
    seat = action.by or state.flow.actor
    last = state.players[seat].last if seat is not None else NOTHING_YET
    if last.kind == "bottom":
        return "GRV-VEF-7"
    if state.flow.step in ("reveal", "take", "replace", "effects"):
        return "GRV-RES-12"
    became = last.ruse if isinstance(action, act.Ruse) else last.arcane
    if last.kind == "transform" and became == "never":
        return "GRV-TRF-7"
    return {
        "lapsed": "GRV-RUSE-3" if isinstance(action, act.Ruse) else "GRV-ARC-16",
        "given_up": "GRV-INV-9",
        "used": "GRV-INV-7",
        "closed": "GRV-INV-8",
        "open": "GRV-TURN-9",
    }.get(became, "GRV-INV-6")


def _recruit_clause(state: Tableau, action: act.Recruit) -> str:
    """Why there is nothing to recruit: by the last action of the seat, or of who acted last."""
    seat = action.by or state.flow.actor
    last = state.players[seat].last if seat is not None else NOTHING_YET
    if last.by_icon:
        return "GRV-VEF-2"
    if action.animal in last.recruited:
        return "GRV-REC-8"
    return "GRV-REC-9" if action.animal in last.void else "GRV-REC-1"


def _clause_in_a_turn(state: Tableau, action: Action, rule: Rule) -> str:
    seat = turn_seat(state, rule)
    is_open = state.flow.step != "action"
    if isinstance(action, act.Reveal):
        return "GRV-ARC-10"
    if isinstance(action, act.Look):
        return "GRV-SET-19"
    if state.tokens.loose or (is_open and action.by not in (None, seat)):
        return "GRV-TURN-9"
    if isinstance(action, RESOLVING):
        return "GRV-TURN-9" if is_open else "GRV-TURN-1"
    if is_open:
        return "GRV-REC-2" if isinstance(action, act.End) else "GRV-TURN-3"
    if action.by not in (None, seat):
        return "GRV-TURN-2"
    return "GRV-TURN-5" if state.players[seat].hidden.hand else "GRV-TURN-6"


def _clause_in_a_resolution(state: Tableau, action: Action, rule: Rule) -> str:
    step = state.flow.step
    if isinstance(action, PLAYING):
        return "GRV-RES-12"
    if isinstance(action, act.Pass | act.End):
        skipped = {"reveal": "GRV-RES-2", "take": "GRV-VEN-1", "replace": "GRV-VEN-3"}
        return skipped.get(step, "GRV-VEF-1")
    if isinstance(action, act.Stow):
        return "GRV-END-5"
    if isinstance(action, act.Reveal):
        return "GRV-RES-8"
    if isinstance(action, act.Take | act.Replace) and step == "reveal":
        return "GRV-RES-7" if state.contest.tied else "GRV-RES-2"
    if isinstance(action, act.Take):
        return "GRV-VEN-1"
    if isinstance(action, act.Replace):
        return "GRV-VEN-5" if _only_venerables(state, rule.kit) else "GRV-VEN-3"
    return "GRV-VEN-7" if step in ("take", "replace") else "GRV-VEF-2"


def _only_venerables(state: Tableau, kit: Box) -> bool:
    """Whether the Venerable just taken was added without a replacement."""
    contest = state.contest
    if contest.taken is None:
        return False
    assert contest.winner is not None
    column = state.players[contest.winner].columns[contest.place - 1]
    return count_venerables(column, kit) == len(column)
