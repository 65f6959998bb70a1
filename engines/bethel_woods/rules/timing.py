"""Turn structure: what is owed next, what may not happen now, and losing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engines.bethel_woods import actions as act
from engines.bethel_woods.rules.abilities import WITH_OWN_ACTION, is_time_for_abilities
from engines.bethel_woods.rules.between import (
    begin_placement,
    ended_unsaid,
    loses_by_critical,
    loses_by_supply,
    spy_comes,
)
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import can_lower
from engines.bethel_woods.rules.supply import is_short
from engines.bethel_woods.rules.turn import names, spy_within_reach, start_turn
from engines.bethel_woods.state import Tableau, Turn
from engines.kernel import Action, Agenda, Duty, Group, evolve, next_seat


@rules.flows
def go_on(state: Tableau, rule: Rule) -> Tableau:
    if state.outcome is not None:
        return evolve(state, phase="over", agenda=Agenda())
    if state.owed is not None:
        why = state.owed.why
        return _owing(
            state, *(Duty("discard", seat, n, why) for seat, n in state.owed.counts.items())
        )
    if state.unrevealed is not None:
        return _owing(state, Duty("crit"))
    return _PHASES[state.phase](state, rule)


def _owing(state: Tableau, *duties: Duty) -> Tableau:
    return evolve(state, agenda=Agenda((Group(*duties),)))


# setup


def _setup_spies(state: Tableau, rule: Rule) -> Tableau:
    if state.placement.spies >= state.seating.added_spies:
        return evolve(state, phase="setup_draws")
    return _owing(state, Duty("added_spy"), *_setup_duties(state))


def _setup_draws(state: Tableau, rule: Rule) -> Tableau:
    draws = (Duty("setup_draw"),) if state.placement.placed < state.placement.due else ()
    characters = _characters_missing(state)
    if draws or characters:
        return _owing(state, *draws, *_setup_duties(state))
    return start_turn(state, state.seating.first)


def _setup_duties(state: Tableau) -> tuple[Duty, ...]:
    placement = state.placement
    begun = placement.placed or placement.returned or placement.spies
    declared = () if begun else (Duty("position", optional=True),)
    return (*_characters_missing(state), *declared)


def _characters_missing(state: Tableau) -> tuple[Duty, ...]:
    return tuple(
        Duty("character", seat)
        for seat, player in state.players.items()
        if player.character is None
    )


# the turn


def _turn(state: Tableau, rule: Rule) -> Tableau:
    turn = state.turn
    if turn.origin is None and (missing := _characters_missing(state)):
        return _owing(state, *missing)
    main = "take" if turn.origin is None else "sow" if turn.hand else "end"
    left = (state.active,) if main == "take" and turn.hand else ()
    in_hand = (*left, *[seat for seat, own in state.begun.items() if own.hand])
    tokens, spies = state.missed
    late = tuple(kind for kind, count in (("draw", tokens), ("spy", spies)) if count)
    optional = tuple(_optional(state, rule))
    agenda = _of_turn(main, state.active, optional, in_hand, () if turn.sown else late)
    return evolve(state, agenda=agenda)


@cache
def _of_turn(
    main: str,
    seat: str,
    optional: tuple[str, ...],
    in_hand: tuple[str, ...],
    late: tuple[str, ...],
) -> Agenda:
    """What a seat owes and may do; others who hold workers may put them down.

    What was to be placed before the turn may be placed until its workers are sown.
    """
    beside = [Duty(kind, seat, None, optional=True) for kind in optional]
    others = [Duty("sow", other, None, optional=True) for other in in_hand]
    placed = [Duty(kind, None, None, optional=True) for kind in late]
    return Agenda((Group(Duty(main, seat), *beside, *others, *placed),))


def _optional(state: Tableau, table: AnyTable) -> list[str]:
    """What the active player may do besides going on."""
    turn, found = state.turn, []
    window = turn.window
    if window is not None and window.left:
        tokens = state.machines[window.machine].tokens
        if any(token[0] == window.type for token in tokens):
            found.append("fix")
    if spy_within_reach(state) is not None:
        found.append("uncover")
    character = state.players[state.active].character
    if (
        character in WITH_OWN_ACTION
        and not turn.ability_used
        and is_time_for_abilities(turn, table)
    ):
        found.append("ability")
    optional = table.reading("flip_back") == "optional"
    if optional and any(can_lower(machine, table) for machine in state.machines.values()):
        found.append("lower")
    return found


# between turns


def _placing(state: Tableau, rule: Rule) -> Tableau:
    placement = state.placement
    if loses_by_supply(state, rule):
        return evolve(state, outcome="lost_supply")
    if placement.spies < placement.spies_due and state.column.possible:
        return _owing(state, Duty("spy"))
    if placement.left and not is_short(state, 1):
        return _owing(state, Duty("draw"))
    if placement.claimed is not None:
        rule.clears("BTW-LOSE-1", placement.claimed, due=placement.due, supply=None)
    state = spy_comes(state, rule)
    return evolve(state, phase="spy_due", placement=evolve(state.placement, claimed=None))


def _spy_due(state: Tableau, rule: Rule) -> Tableau:
    placement = state.placement
    if placement.spies < placement.spies_due and state.column.possible:
        return _owing(state, Duty("spy"))
    if loses_by_critical(state, "after_placement", rule):
        return evolve(state, outcome="lost_critical")
    return start_turn(state, next_seat(state.seating.seats, state.active))


_PHASES: dict[str, Callable[[Tableau, Rule], Tableau]] = {
    "setup_spies": _setup_spies,
    "setup_draws": _setup_draws,
    "turn": _turn,
    "turn_end": begin_placement,
    "placing": _placing,
    "spy_due": _spy_due,
}


# who acts, and what may not happen now


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Rule) -> bool:
    rule("BTW-LOSE-5", not state.over)
    if isinstance(action, act.DealCharacter) and action.by is None:
        holders = [s for s, p in state.players.items() if p.character == action.character]
        return rule("BTW-SET-11", False, character=action.character, owners=holders)
    if isinstance(action, act.RevealTile | act.DealCharacter | act.DiscardKnowledge):
        return True
    if isinstance(action, act.Position):
        return rule("BTW-POS-2", False, what="time")
    if state.in_setup:
        return _not_in_setup(state, action, rule)
    if isinstance(action, act.DrawMalfunction | act.RevealSpy):
        return _not_placed_now(state, action, rule)
    if state.phase == "turn":
        return _not_in_turn(state, action, rule)
    return _not_between_turns(state, action, rule)


def _not_in_setup(state: Tableau, action: Action, rule: Rule) -> bool:
    if (clause := _unresolved(state)) is not None:
        return _cite(clause, state, rule)
    placement = state.placement
    facts = {"placed": placement.placed, "due": placement.due}
    if isinstance(action, act.RevealSpy):
        return _one_spy_too_many(state, rule)
    if state.phase == "setup_spies":
        return rule("BTW-DIFF-2", False, spies=state.seating.added_spies)
    if placement.placed >= placement.due and not isinstance(action, act.DrawMalfunction):
        missing = [duty.seat for duty in _characters_missing(state)]
        return rule("BTW-SET-11", False, waiting=missing)
    miscounted = placement.placed < placement.due <= placement.placed + placement.returned
    return rule("BTW-SET-9" if miscounted else "BTW-SET-10", False, **facts)


def _one_spy_too_many(state: Tableau, rule: Rule) -> bool:
    """More spies than the level ever adds, or than this table has said it adds."""
    added, spies = state.seating.added_spies, state.placement.spies + 1
    for level, allowed in rule.kit.levels.items():
        if added in allowed and spies > max(allowed) and not state.placement.placed:
            return rule("BTW-DIFF-1", False, level=level, spies=spies, allowed=allowed)
    return rule("BTW-DIFF-2", False, spies=added)


def _not_placed_now(state: Tableau, action: Action, rule: Rule) -> bool:
    """A draw or a spy that nobody owes."""
    if (clause := _unresolved(state)) is not None:
        return _cite(clause, state, rule)
    placement = state.placement
    is_draw = isinstance(action, act.DrawMalfunction)
    if state.phase == "placing":
        if is_draw:  # a spy of the placement before comes first
            return rule("BTW-SPY-1", False, passed_over=placement.spies_left)
        return rule("BTW-SPY-3", False, left=placement.left)
    facts = {"placed": placement.placed, "due": placement.due}
    if state.phase == "spy_due":
        return rule("BTW-PLACE-5", False, **facts)
    ended = ended_unsaid(state, rule)
    if ended is not None and ended.lost_by is not None:
        return rule(ended.lost_by.clause, False, **ended.lost_by.facts)
    if state.turn != Turn():
        seat, turn = state.active, state.turn
        taken = None if turn.origin is None else seat
        return rule("BTW-TURN-7", False, seat=seat, hand=names(turn.hand), taken=taken)
    if placement.setup:
        if is_draw:
            return rule("BTW-SET-10", False, **facts)
        return _one_spy_too_many(state, rule)
    if is_draw:
        return rule("BTW-EXT-3" if placement.extra_by_spy else "BTW-PLACE-5", False, **facts)
    if not placement.spies:
        return rule("BTW-SPY-1", placement.new_critical, placed=placement.placed)
    clause = "BTW-SPY-7" if placement.spy_made_critical else "BTW-SPY-2"
    return rule(clause, False, spy=_latest_spy(state))


def _latest_spy(state: Tableau) -> int | None:
    """The spy that was laid on the board last."""
    subjects = (subject for _, touched in reversed(state.trail) for subject in touched)
    spies = (int(subject[4:]) for subject in subjects if subject.startswith("spy "))
    return next((spy for spy in spies if spy in state.spies), None)


def _unresolved(state: Tableau) -> str | None:
    """The clause of what must be settled before anything else happens."""
    if state.owed is not None:
        return state.owed.why
    if state.unrevealed is not None:
        return "BTW-SPY-6" if state.phase == "spy_due" else "BTW-PLACE-7"
    return None


def _cite(clause: str, state: Tableau, rule: Rule) -> bool:
    if state.owed is not None:
        return rule(clause, False, owed=state.owed.counts, limit=None)
    return rule(clause, False, machine=state.unrevealed)


def _not_in_turn(state: Tableau, action: Action, rule: Rule) -> bool:
    if (clause := _unresolved(state)) is not None:
        return _cite(clause, state, rule)
    facts = {"seat": action.by, "active": state.active}
    if action.by == state.active:
        return True
    if isinstance(action, act.Ability):
        return rule("BTW-ABIL-2", False, **facts)
    if not isinstance(action, act.TakeWorkers):
        return rule("BTW-TURN-8", False, **facts)
    ended = ended_unsaid(state, rule)
    if ended is None:
        return rule("BTW-TURN-1", False, **facts)
    if ended.lost_by is not None:
        return rule(ended.lost_by.clause, False, **ended.lost_by.facts)
    if ended.state.owed is not None:
        return _cite(ended.state.owed.why, ended.state, rule)
    return rule("BTW-PLACE-1", False, placed=0, due=ended.state.placement.due)


def _not_between_turns(state: Tableau, action: Action, rule: Rule) -> bool:
    placement = state.placement
    facts = {"placed": placement.placed, "due": placement.due}
    if isinstance(action, act.Ability):
        return rule("BTW-ABIL-3", False, seat=action.by, active=state.active)
    owing = state.owed is not None and isinstance(action, act.EndTurn)
    if not owing and (not isinstance(action, act.TakeWorkers) or action.by == state.active):
        return rule("BTW-TURN-6", False, seat=action.by, active=state.active)
    if (clause := _unresolved(state)) is not None:
        return _cite(clause, state, rule)
    if state.phase == "placing":
        return rule("BTW-PLACE-1", False, **facts)
    return rule("BTW-SPY-1", False)
