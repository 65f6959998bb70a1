"""The table in words."""

from __future__ import annotations

from engines.bethel_woods.kit import RING, TYPE_NAMES, TYPES, WORKER_NAMES, Box
from engines.bethel_woods.rules.building import build_cost
from engines.bethel_woods.rules.knowledge import knowledge_limit
from engines.bethel_woods.rules.turn import next_machine
from engines.bethel_woods.state import Tableau
from engines.kernel import Bag, Setting, Speech

Table = Setting[Box]


def describe(state: Tableau, setting: Table, speech: Speech) -> list[str]:
    return [
        headline(state, speech),
        *_turn(state, setting, speech),
        _counters(state, setting, speech),
        *(_machine(state, number, setting, speech) for number in RING),
        _piles(state, speech),
        _column(state, speech),
        *(_player(state, seat, setting, speech) for seat in state.seating.seats),
    ]


def headline(state: Tableau, speech: Speech) -> str:
    """Where the game stands, in one line."""
    if state.outcome is not None:
        return speech.say(f"outcome.{state.outcome}")
    placement = state.placement
    if state.owed is not None:
        return speech.say("say.owed", owed=state.owed.counts)
    if state.unrevealed is not None:
        return speech.say("say.unrevealed", machine=state.unrevealed)
    return speech.say(
        f"say.phase_{state.phase}",
        number=state.turn_number,
        seat=state.active,
        character=state.players[state.active].character,
        placed=placement.placed,
        due=placement.due,
    )


def _turn(state: Tableau, setting: Table, speech: Speech) -> list[str]:
    turn, lines = state.turn, []
    if turn.hand and turn.origin is not None:
        lines.append(
            speech.say(
                "say.hand",
                workers=workers_in_words(turn.hand, speech),
                origin=turn.origin,
                direction="cw" if turn.step == 1 else "ccw",
                target=next_machine(turn, setting),
            )
        )
    lines += [
        speech.say("say.begun", seat=seat, workers=workers_in_words(begun.hand, speech))
        for seat, begun in state.begun.items()
        if begun.hand
    ]
    window = turn.window
    if window is not None and window.left and state.phase == "turn":
        kind = TYPE_NAMES[window.type]
        lines.append(speech.say("say.window", count=window.left, type=kind, machine=window.machine))
    return lines


def _counters(state: Tableau, setting: Table, speech: Speech) -> str:
    numbers = setting.kit.numbers
    counters = speech.say(
        "say.counters",
        critical=len(state.critical),
        critical_lose=numbers.critical_machines_lose,
        spies=len(state.spies),
        spies_lose=numbers.spies_lose,
        built=state.built,
        tiles=len(setting.kit.daydreamer.costs),
    )
    if state.outcome is not None:
        return counters
    return f"{counters} {speech.say('say.next_cost', cost=build_cost(state, setting))}"


def _machine(state: Tableau, number: int, setting: Table, speech: Speech) -> str:
    machine = state.machines[number]
    section = setting.kit.section_at.get(number, number)
    return speech.say(
        "say.machine",
        number=number,
        icons=[TYPE_NAMES[kind] for kind in setting.kit.icons[number]],
        workers=workers_in_words(machine.workers, speech),
        tokens=tokens_in_words(machine.tokens, speech),
        spies=machine.spies,
        tile=_tile(machine.tile, machine.up, speech),
        section=section,
        inside=workers_in_words(state.sections[section], speech),
        accepts=[TYPE_NAMES[kind] for kind in setting.kit.accepts[section]],
    )


def _tile(tile: str | None, up: bool, speech: Speech) -> str:
    key = "say.tile_up" if up else "say.tile_down"
    return speech.say(key if tile is not None else f"{key}_unknown", tile=tile)


def _piles(state: Tableau, speech: Speech) -> str:
    top = state.discard_pile[-1] if state.discard_pile else None
    supply = "uncounted" if state.supply.count is None else state.supply.count
    return speech.say("say.piles", supply=supply, discarded=len(state.discard_pile), top=top)


def _column(state: Tableau, speech: Speech) -> str:
    column = state.column
    facts = {"unseen": column.unseen, "returned": column.returned}
    if column.on_top:
        return speech.say("say.column_top", on_top=column.on_top, **facts)
    return speech.say("say.column", **facts)


def _player(state: Tableau, seat: str, setting: Table, speech: Speech) -> str:
    player = state.players[seat]
    used = seat == state.active and state.turn.ability_used
    return speech.say(
        "say.player_used" if used else "say.player",
        seat=seat,
        character=player.character or "not_dealt",
        count=player.knowledge.size,
        limit=knowledge_limit(state, setting),
        knowledge=tokens_in_words(player.knowledge, speech)
        if player.knowledge
        else speech.say("say.nothing"),
    )


def workers_in_words(workers: str, speech: Speech) -> str:
    """``technician ×2, electrician``"""
    names = [
        speech.term(WORKER_NAMES[kind]) + (f" ×{count}" if count > 1 else "")
        for kind in TYPES
        if (count := workers.count(kind))
    ]
    return speech.show(names)


def tokens_in_words(tokens: Bag[str], speech: Speech) -> str:
    """``digital 1 4, electrical 2``"""
    kinds = []
    for kind in TYPES:
        values = sorted(token[1] for token in tokens.elements() if token[0] == kind)
        if values:
            kinds.append(f"{speech.term(TYPE_NAMES[kind])} {' '.join(values)}")
    return speech.show(kinds)
