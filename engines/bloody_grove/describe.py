"""A state in words."""

from __future__ import annotations

from collections.abc import Iterator

from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import active_grove, turn_seat
from engines.bloody_grove.state import Card, Column, Hidden, Tableau, domination, strength
from engines.bloody_grove.worlds import ANY, HAND
from engines.kernel import Setting, Speech

GROVES = (1, 2, 3)


def describe(state: Tableau, setting: Setting[Box], speech: Speech) -> list[str]:
    said = [headline(state, setting, speech)]
    said += [_grove(state, setting.kit, grove, speech) for grove in GROVES]
    for seat in state.seats:
        said += _player(state, setting, seat, speech)
    said += _displays(state, speech)
    said += _open(state, speech)
    return said


def headline(state: Tableau, setting: Setting[Box], speech: Speech) -> str:
    flow = state.flow
    if state.outcome is not None:
        how = speech.say(f"how.{state.outcome.how}")
        return speech.say("say.won", winners=state.outcome.winners, how=how)
    return speech.say(
        f"say.{phase(state)}",
        round=flow.round,
        turn=flow.turn,
        seat=turn_seat(state, setting),
        grove=state.contest.grove or active_grove(state, setting.kit),
    )


def phase(state: Tableau) -> str:
    """The part of the game that the step belongs to."""
    step = state.flow.step
    if step in ("action", "recruit", "symbols"):
        return "turn"
    return "resolve" if step in ("reveal", "take", "replace", "effects") else step


def _grove(state: Tableau, kit: Box, grove: int, speech: Speech) -> str:
    land = state.groves[grove - 1]
    sides = speech.say("say.between").join(
        f"{speech.show(seat)} {strength(state, kit, seat, grove).total}"
        f" ({_column(state.players[seat].columns[grove - 1], speech)})"
        for seat in state.seats
    )
    return speech.say(
        "say.grove", grove=grove, animal=land.animal, sides=sides, control=land.control
    )


def _column(column: Column, speech: Speech) -> str:
    return ", ".join(_card(card, speech) for card in column) or speech.term("none")


def _card(card: Card, speech: Speech) -> str:
    tokens = (f"{t.label}={speech.term(t.value or '?')}" for t in card.tokens)
    return " + ".join((card.face, *tokens))


def _player(state: Tableau, setting: Setting[Box], seat: str, speech: Speech) -> Iterator[str]:
    player = state.players[seat]
    held = player.hidden
    yield speech.say(
        "say.player",
        seat=seat,
        druid=player.druid,
        pile=player.pile,
        hand=held.hand,
        deck=held.deck,
        domination=domination(state, setting, seat),
    )
    if held.hand:
        cards = hidden.cards_in(held.worlds, HAND)
        possible = sorted(cards - {ANY}) + (sorted(held.unseen) if ANY in cards else [])
        yield speech.say("say.hand", seat=seat, cards=possible)
        certain = hidden.certain_in(held.worlds, hidden.HELD)
        if certain and len(possible) > held.hand:
            yield speech.say("say.certain", seat=seat, cards=certain)
    yield from _deck(held, seat, speech)
    if player.looked:
        yield speech.say("say.looked", seat=seat, tokens=_sorted(player.looked))
    if player.seals:
        yield speech.say("say.sealed", seat=seat, count=len(player.seals))


def _deck(held: Hidden, seat: str, speech: Speech) -> Iterator[str]:
    """What is known of a deck: its ends, and Elites that lie somewhere between."""
    top, under = hidden.known_ends(held.worlds)
    if top and len(top) == held.deck:
        yield speech.say("say.whole", seat=seat, cards=top)
        return
    if top or under:
        yield speech.say("say.ends", seat=seat, top=top, under=under)
    elsewhere = {*hidden.certain_in(held.worlds, hidden.DECKED)} - {*top, *under}
    if elites := sorted(card for card in elsewhere if card.startswith("E")):
        yield speech.say("say.within", seat=seat, cards=elites)


def _sorted(labels: frozenset[str]) -> list[str]:
    return sorted(labels, key=lambda label: (len(label), label))


def _displays(state: Tableau, speech: Speech) -> Iterator[str]:
    shown = {a: f"{deck.shown or '-'} (+{deck.unseen.size})" for a, deck in state.elites.items()}
    yield speech.say("say.elites", elites=shown)
    yield speech.say(
        "say.venerables", shown=state.venerables.shown, count=len(state.venerables.unseen)
    )
    heap = state.tokens
    yield speech.say("say.tokens", reserve=heap.reserve, discard=sorted(heap.discard.elements()))
    yield speech.say("say.box", box=[_owned(name, speech) for name in state.box])


def _owned(name: str, speech: Speech) -> str:
    """A card of the box: ``A:b1`` is one of A's base cards."""
    seat, _, face = name.rpartition(":")
    return speech.say("say.owned", seat=seat, face=face) if seat else face


def _open(state: Tableau, speech: Speech) -> Iterator[str]:
    open_, contest = state.open, state.contest
    if open_.ruse or open_.arcane:
        yield speech.say("say.symbols", seat=open_.seat, ruse=open_.ruse, arcane=open_.arcane)
    if open_.recruits:
        yield speech.say("say.recruits", seat=open_.seat, animals=open_.recruits)
    if open_.elites:
        yield speech.say("say.refill", animals=open_.elites)
    if contest.effects:
        yield speech.say("say.effects", seat=contest.winner, effects=contest.effects)
