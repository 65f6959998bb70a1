"""Mise en place, and the displays that are filled again later."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from engines.bloody_grove import actions as act
from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.kit import ANIMALS, Animal, Box, Effect
from engines.bloody_grove.rules.book import (
    PASSED_OVER,
    Rule,
    all_due,
    goes_on_from,
    owes,
    reserve_token,
    rules,
    spirit,
)
from engines.bloody_grove.rules.hidden import moved
from engines.bloody_grove.state import (
    EliteDeck,
    Flow,
    Grove,
    Hidden,
    Player,
    Seal,
    Sighting,
    Tableau,
    Tokens,
    Venerables,
    Waiting,
    generation,
)
from engines.bloody_grove.trail import Move
from engines.bloody_grove.worlds import ANY
from engines.kernel import GO_ON, Agenda, Duty, ParseError, evolve, with_player

OBSERVED = ("groves", "elite", "venerables", "first")


@rules.checks_kit
def the_box(kit: Box, rule: Rule) -> None:
    faces = Counter(spirit.id for spirit in (*kit.base, *kit.elites, *kit.venerables))
    nine = len(kit.base) == 9 and all(faces[spirit.id] == 1 for spirit in kit.base)
    rule("GRV-SET-2", nine, faces=[spirit.id for spirit in kit.base])
    rule("GRV-TRF-10", all(len(set(edge)) == len(edge) for edge in kit.edges))


@rules.opens
def open_table(opening: act.Table, rule: Rule) -> Tableau:
    kit = rule.kit
    rule("GRV-GOAL-1", opening.seats == ("A", "B"), seats=opening.seats)
    druids = [opening.players[seat] for seat in opening.seats]
    rule("GRV-SET-1", len(set(druids)) == 2, druids=druids)
    rule("GRV-GOAL-1", opening.first in (None, *opening.seats), stranger=opening.first)
    rule.effect("GRV-SET-3", True, cards=len(kit.base))
    rule.effect("GRV-SET-5", True)
    rule.effect("GRV-SET-9", True, tokens=kit.token_values.size)
    rule.effect("GRV-SET-10", True, red=len(kit.red_backs))
    waiting = [Waiting("groves"), *(Waiting("elite", animal) for animal in kit.animals)]
    waiting += [Waiting("venerables")]
    waiting += [] if opening.first else [Waiting("first")]
    waiting += [Waiting("draw", seat) for seat in opening.seats]
    waiting += [Waiting("look", seat) for seat in opening.seats]
    return Tableau(
        seats=opening.seats,
        flow=Flow("setup", first=opening.first, waiting=tuple(waiting)),
        groves=(Grove(), Grove(), Grove()),
        players={seat: _player(opening.players[seat], kit) for seat in opening.seats},
        elites={animal: EliteDeck(None, kit.elite_copies[animal]) for animal in kit.animals},
        venerables=Venerables((), frozenset(card.id for card in kit.venerables)),
        tokens=_all_tokens(kit),
        agenda=GO_ON,
    )


def _player(druid: str, kit: Box) -> Player:
    worlds = hidden.unknown([ANY] * len(kit.base), 0, len(kit.base))
    start = Move(0, "start", worlds=worlds)
    return Player(druid, ((), (), ()), Hidden(0, len(kit.base), worlds, kit.base_faces, (start,)))


def _all_tokens(kit: Box) -> Tokens:
    count = kit.token_values.size
    labels = tuple(f"t{number}" for number in range(1, count + 1))
    return Tokens(labels, pools={"t": kit.token_values}, issued={"t": count})


@goes_on_from("setup")
def set_up(state: Tableau, rule: Rule) -> Tableau:
    """In any order, but a player looks at a token after drawing."""
    if state.flow.waiting:
        return owes(state, awaited(state))
    rule.effect("GRV-SET-14", True)
    return evolve(state, flow=evolve(state.flow, step="action", turn=1))


def awaited(state: Tableau) -> Agenda:
    """What still has to be logged, as duties."""
    return _awaited(state.flow.waiting)


@lru_cache(maxsize=256)
def _awaited(waiting: tuple[Waiting, ...]) -> Agenda:
    observed = Counter(task.kind for task in waiting if task.kind in OBSERVED)
    duties = [Duty(kind, times=times) for kind, times in observed.items()]
    for task in waiting:
        late = task.kind == "look" and Waiting("draw", task.whose) in waiting
        if task.kind not in OBSERVED and not late:
            duties.append(Duty(task.kind, task.whose))
    return all_due(*duties)


def logged(state: Tableau, kind: str, whose: str | None = None, **changes: Any) -> Tableau:
    """One thing less to wait for, and what it changes."""
    flow = state.flow
    if flow.waiting:
        done = (kind, whose)
        flow = evolve(flow, waiting=tuple([task for task in flow.waiting if task != done]))
    return evolve(state, flow=flow, **changes)


@rules.hears(act.LayGroves)
def lay_groves(state: Tableau, action: act.LayGroves, rule: Rule) -> Tableau:
    rule("GRV-SET-4", sorted(action.order) == sorted(ANIMALS), order=action.order)
    groves = tuple(
        evolve(grove, animal=animal)
        for grove, animal in zip(state.groves, action.order, strict=True)
    )
    return logged(state, "groves", groves=groves)


@rules.hears(act.ShowElite)
def show_elite(state: Tableau, action: act.ShowElite, rule: Rule) -> Tableau:
    animal = spirit(action.face, rule.kit).animal
    due = state.open.elites or _first_elites(state, rule.kit)
    is_elite = action.face in rule.kit.all_elites
    if state.flow.step == "setup" and is_elite:
        shown = state.elites[animal].shown if animal is not None else None
        rule("GRV-SET-7", animal in due, face=action.face, shown=shown)
    rule("GRV-SET-6", is_elite and (not due or animal in due), face=action.face)
    if animal is None or not is_elite:
        raise ParseError("not_there", what=action.face)
    deck = state.elites[animal]
    left = action.face in deck.unseen
    if not left and (seen := [s.number for s in deck.sightings if s.what == action.face]):
        rule.proves("GRV-SET-8", *seen, face=action.face)
    rule("GRV-SET-8", left, face=action.face)
    rule.heard_out()
    place = animal if animal in due or not due else due[0]
    return _shown(state, action.face, animal, place, rule)


def _first_elites(state: Tableau, kit: Box) -> tuple[Animal, ...]:
    waiting = state.flow.waiting
    return tuple([animal for animal in kit.animals if ("elite", animal) in waiting])


def _shown(state: Tableau, face: str, source: Animal, place: Animal, rule: Rule) -> Tableau:
    """The face leaves its deck and lies beside the deck in ``place``.

    What lay there goes back into the deck of its own animal.
    """
    decks = dict(state.elites)
    if (before := decks[place].shown) is not None:
        home = spirit(before, rule.kit).animal or place
        decks[home] = evolve(decks[home], unseen=decks[home].unseen.add(before))
    deck = decks[source]
    sightings = (*deck.sightings, Sighting(rule.number, face))
    decks[source] = EliteDeck(deck.shown, deck.unseen.take(face), sightings)
    decks[place] = evolve(decks[place], shown=face)
    open_ = state.open
    if place in open_.elites:
        open_ = evolve(open_, elites=tuple([other for other in open_.elites if other != place]))
    return logged(state, "elite", place, elites=decks, open=open_)


def prepared(state: Tableau, rule: Rule) -> Tableau:
    """Whoever prepares the next round has left behind what the last Grove still owed."""
    after_comparison = ("take", "replace", "effects")
    while state.contest.grove == len(state.groves) and state.flow.step in after_comparison:
        state = PASSED_OVER[state.flow.step](state, rule)
    return state


@rules.hears(act.ShowVenerables)
def show_venerables(state: Tableau, action: act.ShowVenerables, rule: Rule) -> Tableau:
    state = prepared(state, rule)
    if state.over:
        return state
    kit, unseen = rule.kit, state.venerables.unseen
    plain = unseen - kit.red_backs
    on_top = plain if len(plain) >= kit.shown_venerables else unseen
    proper = len(set(action.faces)) == min(kit.shown_venerables, len(unseen))
    fits = proper and on_top.issuperset(action.faces)
    clause = "GRV-SET-11" if state.flow.step == "setup" else "GRV-PREP-2"
    rule(clause, fits, faces=action.faces)
    if not unseen.issuperset(action.faces) or len(set(action.faces)) < len(action.faces):
        raise ParseError("not_there", what=" ".join(action.faces))
    rule.heard_out()
    shown = Venerables((*state.venerables.shown, *action.faces), unseen.difference(action.faces))
    return logged(state, "venerables", venerables=shown)


@rules.hears(act.ChooseFirst)
def choose_first(state: Tableau, action: act.ChooseFirst, rule: Rule) -> Tableau:
    rule("GRV-GOAL-1", action.player in state.seats, stranger=action.player)
    state = evolve(state, flow=evolve(state.flow, first=action.player))
    return logged(state, "first")


@rules.hears(act.Draw)
def draw(state: Tableau, action: act.Draw, rule: Rule) -> Tableau:
    seat = action.seat
    state = prepared(state, rule)
    if state.over:
        return state
    deck = state.players[seat].hidden.deck
    if not rule.broken("GRV-SET-15", "GRV-PREP-1", "GRV-PREP-3", "GRV-PREP-4", since="1.4"):
        _check_count(state, action, deck, rule)
    state = seal(state, seat, action.sealed, action.count, rule)
    move = Move(rule.number, "draw", amount=min(action.count, deck))
    held = moved(state.players[seat].hidden, move, rule.kit)
    return logged(with_player(state, seat, hidden=held), "draw", seat)


def _check_count(state: Tableau, action: act.Draw, deck: int, rule: Rule) -> None:
    """Of a draw that is due; one that is not has no right number."""
    wanted = rule.kit.hand_draw
    facts = {"seat": action.seat, "count": action.count, "deck": deck, "drawn": 0}
    if state.flow.step == "setup":
        rule("GRV-SET-15", action.count == wanted, **facts)
    elif deck >= wanted:
        rule("GRV-PREP-3", action.count == wanted, **facts)
    else:
        rule("GRV-PREP-4", action.count == deck, **facts)


@rules.hears(act.Look)
def look(state: Tableau, action: act.Look, rule: Rule) -> Tableau:
    """The opening look, or that of a Venerable."""
    seat = action.seat
    token = reserve_token(state, action.token, rule)
    rule("GRV-VEF-5", token in state.tokens.reserve, token=token)
    if action.token != ANY:
        if state.flow.step == "setup":
            seen = state.players[state.other(seat)].looked
            rule("GRV-SET-17", token not in seen, token=token)
        state = with_player(state, seat, looked=state.players[seat].looked | {token})
    if action.sealed is not None:
        if action.sealed not in state.tokens.pools.get(generation(token), ()):
            rule("GRV-RES-4", False, token=token, value=action.sealed)
        rule.claim("GRV-HID-7", seat=seat, token=token)
        if action.token != ANY:
            state = _sealed(state, seat, Seal(rule.number, token, (action.sealed,)))
    if state.flow.step == "setup":
        return logged(state, "look", seat)
    return done_icon(state, seat, "look")


def done_icon(state: Tableau, seat: str, icon: Effect) -> Tableau:
    """One icon less; nobody uses up those of another."""
    effects = state.contest.effects
    if icon in effects and seat == state.contest.winner:
        spent = effects.index(icon)
        effects = effects[:spent] + effects[spent + 1 :]
    return evolve(state, contest=evolve(state.contest, effects=effects))


def seal(state: Tableau, seat: str, faces: tuple[str, ...], count: int, rule: Rule) -> Tableau:
    """What a player notes privately of a draw or a stow is opened when the game is over."""
    if not faces:
        return state
    _check_note(state, seat, faces, rule)
    rule.claim("GRV-HID-7", seat=seat, count=count)
    return _sealed(state, seat, Seal(rule.number, None, faces))


def _check_note(state: Tableau, seat: str, faces: tuple[str, ...], rule: Rule) -> None:
    """Box and table leave room for such a note; whether it is true is seen at the end.

    Nothing is said of a note that is possible: its faces are secret.
    """
    held = state.players[seat].hidden
    possible = Counter(hidden.owned(held.worlds))
    possible.update(held.unseen)
    kinds = {face: spirit(face, rule.kit).kind for face in faces}
    for face, copies in Counter(faces).items():
        if kinds[face] == "venerable":
            rule("GRV-TURN-10", False, face=face)
        elif copies > possible[face]:
            rule("GRV-HID-3", False, face=face, seat=seat)


def _sealed(state: Tableau, seat: str, note: Seal) -> Tableau:
    return with_player(state, seat, seals=(*state.players[seat].seals, note))
