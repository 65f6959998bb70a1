"""A state in words."""

from __future__ import annotations

from collections.abc import Iterator

from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.drawing import WORDS
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import active_grove, turn_seat
from engines.bloody_grove.state import Card, Column, Tableau, domination, strength
from engines.bloody_grove.worlds import ANY, HAND
from engines.kernel import Language, Setting

GROVES = (1, 2, 3)


def describe(state: Tableau, setting: Setting[Box], lang: Language) -> list[str]:
    said = [_moment(state, setting, lang)]
    said += [_grove(state, setting.kit, grove, lang) for grove in GROVES]
    for seat in state.seats:
        said += _player(state, setting, seat, lang)
    said += _displays(state, lang)
    said += _open(state, lang)
    return said


def _moment(state: Tableau, setting: Setting[Box], lang: Language) -> str:
    flow = state.flow
    if state.outcome is not None:
        how = WORDS.say(f"how.{state.outcome.how}", lang)
        return WORDS.say("said.over", lang, winners=state.outcome.winners, how=how)
    return WORDS.say(
        f"said.{phase(state)}",
        lang,
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


def _grove(state: Tableau, kit: Box, grove: int, lang: Language) -> str:
    land = state.groves[grove - 1]
    sides = WORDS.say("said.between", lang).join(
        f"{seat} {strength(state, kit, seat, grove).total}"
        f" ({_column(state.players[seat].columns[grove - 1], lang)})"
        for seat in state.seats
    )
    return WORDS.say(
        "said.grove", lang, grove=grove, animal=land.animal, sides=sides, control=land.control
    )


def _column(column: Column, lang: Language) -> str:
    return ", ".join(_card(card, lang) for card in column) or WORDS.term("none", lang)


def _card(card: Card, lang: Language) -> str:
    tokens = (f"{t.label}={WORDS.term(t.value or '?', lang)}" for t in card.tokens)
    return " + ".join((card.face, *tokens))


def _player(state: Tableau, setting: Setting[Box], seat: str, lang: Language) -> Iterator[str]:
    player = state.players[seat]
    held = player.hidden
    yield WORDS.say(
        "said.player",
        lang,
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
        yield WORDS.say("said.hand", lang, seat=seat, cards=possible)
    top, under = hidden.known_ends(held.worlds)
    if top or under:
        yield WORDS.say("said.ends", lang, seat=seat, top=top, under=under)
    if player.looked:
        yield WORDS.say("said.looked", lang, seat=seat, tokens=_sorted(player.looked))
    if player.seals:
        yield WORDS.say("said.sealed", lang, seat=seat, count=len(player.seals))


def _sorted(labels: frozenset[str]) -> list[str]:
    return sorted(labels, key=lambda label: (len(label), label))


def _displays(state: Tableau, lang: Language) -> Iterator[str]:
    shown = {a: f"{deck.shown or '-'} (+{deck.unseen.size})" for a, deck in state.elites.items()}
    yield WORDS.say("said.elites", lang, elites=shown)
    yield WORDS.say(
        "said.venerables", lang, shown=state.venerables.shown, count=len(state.venerables.unseen)
    )
    heap = state.tokens
    yield WORDS.say(
        "said.tokens", lang, reserve=heap.reserve, discard=sorted(heap.discard.elements())
    )
    yield WORDS.say("said.box", lang, box=state.box)


def _open(state: Tableau, lang: Language) -> Iterator[str]:
    open_, contest = state.open, state.contest
    if open_.ruse or open_.arcane:
        yield WORDS.say("said.symbols", lang, seat=open_.seat, ruse=open_.ruse, arcane=open_.arcane)
    if open_.recruits:
        yield WORDS.say("said.recruits", lang, seat=open_.seat, animals=open_.recruits)
    if open_.elites:
        yield WORDS.say("said.refill", lang, animals=open_.elites)
    if contest.effects:
        yield WORDS.say("said.effects", lang, seat=contest.winner, effects=contest.effects)
