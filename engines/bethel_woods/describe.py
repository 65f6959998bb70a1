"""The table in words."""

from __future__ import annotations

from typing import Any

from engines.bethel_woods.kit import RING, TYPE_NAMES, TYPES, WORKER_NAMES, Box
from engines.bethel_woods.rules.building import build_cost
from engines.bethel_woods.rules.knowledge import knowledge_limit
from engines.bethel_woods.rules.turn import next_machine
from engines.bethel_woods.state import Tableau
from engines.kernel import Bag, Language, Setting, Words
from engines.kernel.data import catalogue

WORDS: Words = catalogue("engines.bethel_woods")

Table = Setting[Box]


def describe(state: Tableau, setting: Table, lang: Language) -> list[str]:
    return [
        headline(state, lang),
        *_turn(state, setting, lang),
        _counters(state, setting, lang),
        *(_machine(state, number, setting, lang) for number in RING),
        _piles(state, lang),
        _column(state, lang),
        *(_player(state, seat, setting, lang) for seat in state.seating.seats),
    ]


def say(key: str, lang: Language, /, **facts: Any) -> str:
    return WORDS.say(f"say.{key}", lang, **facts)


def headline(state: Tableau, lang: Language) -> str:
    """Where the game stands, in one line."""
    if state.outcome is not None:
        return WORDS.say(f"outcome.{state.outcome}", lang)
    placement = state.placement
    if state.owed is not None:
        return say("owed", lang, owed=state.owed.counts)
    if state.unrevealed is not None:
        return say("unrevealed", lang, machine=state.unrevealed)
    return say(
        f"phase_{state.phase}",
        lang,
        number=state.turn_number,
        seat=state.active,
        character=state.players[state.active].character,
        placed=placement.placed,
        due=placement.due,
    )


def _turn(state: Tableau, setting: Table, lang: Language) -> list[str]:
    turn, lines = state.turn, []
    if turn.hand and turn.origin is not None:
        lines.append(
            say(
                "hand",
                lang,
                workers=workers_in_words(turn.hand, lang),
                origin=turn.origin,
                direction="cw" if turn.step == 1 else "ccw",
                target=next_machine(turn, setting),
            )
        )
    window = turn.window
    if window is not None and window.left and state.phase == "turn":
        kind = TYPE_NAMES[window.type]
        lines.append(say("window", lang, count=window.left, type=kind, machine=window.machine))
    return lines


def _counters(state: Tableau, setting: Table, lang: Language) -> str:
    numbers = setting.kit.numbers
    counters = say(
        "counters",
        lang,
        critical=len(state.critical),
        critical_lose=numbers.critical_machines_lose,
        spies=len(state.spies),
        spies_lose=numbers.spies_lose,
        built=state.built,
        tiles=len(setting.kit.daydreamer.costs),
    )
    if state.outcome is not None:
        return counters
    return f"{counters} {say('next_cost', lang, cost=build_cost(state, setting))}"


def _machine(state: Tableau, number: int, setting: Table, lang: Language) -> str:
    machine = state.machines[number]
    section = setting.kit.section_at.get(number, number)
    return say(
        "machine",
        lang,
        number=number,
        icons=[TYPE_NAMES[kind] for kind in setting.kit.icons[number]],
        workers=workers_in_words(machine.workers, lang),
        tokens=tokens_in_words(machine.tokens, lang),
        spies=machine.spies,
        tile=_tile(machine.tile, machine.up, lang),
        section=section,
        inside=workers_in_words(state.sections[section], lang),
        accepts=[TYPE_NAMES[kind] for kind in setting.kit.accepts[section]],
    )


def _tile(tile: str | None, up: bool, lang: Language) -> str:
    key = "tile_up" if up else "tile_down"
    return say(key if tile is not None else f"{key}_unknown", lang, tile=tile)


def _piles(state: Tableau, lang: Language) -> str:
    top = state.discard_pile[-1] if state.discard_pile else None
    supply = "uncounted" if state.supply.count is None else state.supply.count
    return say("piles", lang, supply=supply, discarded=len(state.discard_pile), top=top)


def _column(state: Tableau, lang: Language) -> str:
    column = state.column
    return say("column", lang, unseen=column.unseen, returned=column.returned)


def _player(state: Tableau, seat: str, setting: Table, lang: Language) -> str:
    player = state.players[seat]
    used = seat == state.active and state.turn.ability_used
    return say(
        "player_used" if used else "player",
        lang,
        seat=seat,
        character=player.character or "not_dealt",
        count=player.knowledge.size,
        limit=knowledge_limit(state, setting),
        knowledge=tokens_in_words(player.knowledge, lang)
        if player.knowledge
        else say("nothing", lang),
    )


def workers_in_words(workers: str, lang: Language) -> str:
    """``technician ×2, electrician``"""
    names = [
        WORDS.term(WORKER_NAMES[kind], lang) + (f" ×{count}" if count > 1 else "")
        for kind in TYPES
        if (count := workers.count(kind))
    ]
    return WORDS.show(names, lang)


def tokens_in_words(tokens: Bag[str], lang: Language) -> str:
    """``digital 1 4, electrical 2``"""
    kinds = []
    for kind in TYPES:
        values = sorted(token[1] for token in tokens.elements() if token[0] == kind)
        if values:
            kinds.append(f"{WORDS.term(TYPE_NAMES[kind], lang)} {' '.join(values)}")
    return WORDS.show(kinds, lang)
