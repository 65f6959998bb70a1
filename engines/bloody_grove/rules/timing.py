"""What an action breaks that comes when nobody owes it."""

from __future__ import annotations

from engines.bloody_grove import actions as act
from engines.bloody_grove.rules.book import Rule, rules, turn_seat
from engines.bloody_grove.state import Last, Wood
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

PLAYING = (act.Invoke, act.Transform)
RESOLVING = (act.Stow, act.Take, act.Replace, act.Bottom)


@rules.not_now
def not_now(state: Wood, action: Action, rule: Rule) -> None:
    kind = type(action)
    rule("GRV-WIN-5", not state.over)
    step = state.flow.step
    if step == "setup":
        rule(SET_UP_CLAUSES.get(kind, "GRV-SET-20"), False, waiting=_waiting(state))
        return
    if step == "prepare":
        rule(PREPARATION_CLAUSES.get(kind, "GRV-PREP-1"), False, waiting=_waiting(state))
        return
    if state.open.elites and state.agenda.owes("elite"):
        rule("GRV-REC-6", False, animals=state.open.elites)
        return
    if isinstance(action, act.ShowVenerables | act.Draw):
        rule("GRV-PREP-1", False, waiting=())
    elif isinstance(action, act.LayGroves | act.ShowElite | act.ChooseFirst):
        rule(SET_UP_CLAUSES[kind], False, waiting=())
    elif isinstance(action, act.Ruse | act.Arcane) and not _open_to_other(state, action):
        rule(_symbol_clause(state, action), False, seat=action.by)
    elif isinstance(action, act.Recruit) and not _open_to_other(state, action):
        used = action.animal in state.open.recruited
        rule("GRV-REC-8" if used else "GRV-REC-1", False, animal=action.animal)
    elif step in ("action", "recruit", "symbols"):
        _in_a_turn(state, action, rule)
    elif step == "stow":
        empty = isinstance(action, act.Stow) and not _hand(state, action.by)
        rule("GRV-END-5" if empty else "GRV-END-3", False, seat=action.by, waiting=_waiting(state))
    else:
        _in_a_resolution(state, action, rule)


def _waiting(state: Wood) -> list[str]:
    return [task.kind for task in state.flow.waiting]


def _hand(state: Wood, seat: str | None) -> int:
    return state.players[seat].hidden.hand if seat is not None else 0


def _open_to_other(state: Wood, action: Action) -> bool:
    """Whether the other seat still has symbols or recruits open."""
    open_ = state.open
    busy = open_.ruse or open_.arcane or open_.recruits
    return bool(busy) and action.by is not None and action.by != open_.seat


def _symbol_clause(state: Wood, action: act.Ruse | act.Arcane) -> str:
    """Why there is no such symbol: by the last action of the seat, or of who acted last."""
    seat = action.by or state.flow.actor
    last = state.players[seat].last if seat is not None else Last()
    if last.kind == "bottom":
        return "GRV-VEF-7"
    if state.flow.step in ("reveal", "take", "replace", "effects"):
        return "GRV-RES-12"
    became = last.ruse if isinstance(action, act.Ruse) else last.arcane
    if last.kind == "transform" and became == "never":
        return "GRV-TRF-7"
    return {
        "lapsed": "GRV-ARC-16",
        "given_up": "GRV-INV-9",
        "used": "GRV-INV-7",
        "closed": "GRV-INV-8",
    }.get(became, "GRV-INV-6")


def _in_a_turn(state: Wood, action: Action, rule: Rule) -> None:
    seat = turn_seat(state, rule)
    facts = {"seat": action.by, "turn": seat}
    is_open = state.flow.step != "action"
    if isinstance(action, act.Reveal):
        rule("GRV-ARC-10", False, token=action.token)
    elif isinstance(action, act.Look):
        rule("GRV-SET-19", False, seat=action.by)
    elif is_open and action.by not in (None, seat):
        rule("GRV-TURN-9", False, **facts)
    elif isinstance(action, RESOLVING):
        rule("GRV-TURN-9" if is_open else "GRV-TURN-1", False, **facts)
    elif is_open:
        clause = "GRV-REC-2" if isinstance(action, act.End) else "GRV-TURN-3"
        rule(clause, False, recruits=state.open.recruits)
    elif action.by not in (None, seat):
        rule("GRV-TURN-2", False, **facts)
    elif _hand(state, seat):
        rule("GRV-TURN-5", False, **facts)
    else:
        rule("GRV-TURN-6", False, **facts)


def _in_a_resolution(state: Wood, action: Action, rule: Rule) -> None:
    step, contest = state.flow.step, state.contest
    facts = {"seat": action.by, "winner": contest.winner, "grove": contest.grove}
    if isinstance(action, PLAYING):
        rule("GRV-RES-12", False, **facts)
    elif isinstance(action, act.Pass | act.End):
        clauses = {"reveal": "GRV-RES-2", "take": "GRV-VEN-1", "replace": "GRV-VEN-3"}
        rule(clauses.get(step, "GRV-VEF-1"), False, **facts)
    elif isinstance(action, act.Stow):
        rule("GRV-END-5", False, seat=action.by)
    elif isinstance(action, act.Reveal):
        rule("GRV-RES-8", False, **facts)
    elif isinstance(action, act.Take):
        rule(_take_clause(state), False, **facts)
    elif isinstance(action, act.Replace):
        added = step == "effects" and contest.taken is not None
        only_venerables = added and not any(
            rule.kit.kind(card.face) != "venerable"
            for card in state.players[contest.winner or state.seats[0]].columns[contest.grove - 1]
        )
        rule("GRV-VEN-5" if only_venerables else "GRV-VEN-3", False, face=action.face, **facts)
    else:
        early = step in ("take", "replace")
        rule("GRV-VEN-7" if early else "GRV-VEF-2", False, **facts)


def _take_clause(state: Wood) -> str:
    if state.flow.step == "reveal":
        return "GRV-RES-7" if state.contest.tied else "GRV-RES-2"
    return "GRV-VEN-1"
