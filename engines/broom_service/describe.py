"""The table in words."""

from __future__ import annotations

from functools import partial
from typing import Any

from engines.broom_service.kit import Box, Places
from engines.broom_service.rules.final import final_score
from engines.broom_service.state import (
    LAST_ROUND,
    Player,
    Tableau,
    candidates,
    card_of_turn,
    result,
)
from engines.kernel import Language, Setting, Words
from engines.kernel.data import catalogue

WORDS: Words = catalogue("engines.broom_service")


def describe(state: Tableau, setting: Setting[Box], lang: Language) -> list[str]:
    lines = [headline(state, lang)]
    if (event := event_line(state, setting.kit, lang)) is not None:
        lines.append(event)
    if state.round.cursed:
        vp = signed(setting.kit.scoring.cursed_vp)
        lines.append(_say(lang, "cursed", roles=state.round.cursed, vp=vp))
    if state.turn.led is not None:
        lines.append(_turn(state, lang))
    lines += [
        _player(seat, player, state, setting.kit, lang) for seat, player in state.players.items()
    ]
    return lines + [
        _region(region, state, setting.kit, lang) for region in _regions(state, setting)
    ]


def _say(lang: Language, key: str, /, **facts: Any) -> str:
    return WORDS.say(f"say.{key}", lang, **facts)


def headline(state: Tableau, lang: Language) -> str:
    say = partial(_say, lang)
    won = result(state)
    if won is not None:
        return say("won", winners=won.places[0], how=WORDS.say(won.how or "", lang))
    facts = {"round": state.round.number, "rounds": LAST_ROUND, "turn": state.turn.number}
    if any(duty.kind in ("cloud", "tile") for duty in state.agenda.duties):
        return say("setup", **facts)
    return say("headline", leader=state.turn.leader, **facts)


def signed(vp: int) -> str:
    """A number of points with its sign, minus as typographers write it."""
    return f"−{-vp}" if vp < 0 else f"+{vp}" if vp else "0"


def event_line(state: Tableau, kit: Box, lang: Language) -> str | None:
    event = state.round.event
    if event is None:
        return None
    return _say(lang, "event", event=event, text=event_text(event, kit, lang))


def event_text(event: str, kit: Box, lang: Language) -> str:
    """What the card says, with the numbers of the box."""
    events = kit.events
    facts: dict[str, dict[str, Any]] = {
        "more_or_less": {
            "points": {str(n): signed(vp) for n, vp in events.more_or_less.vp_by_count.items()}
        },
        "black_market": {"vp": signed(events.black_market.vp)},
        "secret_distillery": {"kinds": events.secret_distillery.any_of},
        "dangerous_places": _places(events.dangerous_places),
        "protected_places": _places(events.protected_places),
        "advantage": {"points": [signed(vp) for vp in events.advantage.vp_by_rank]},
        "empty_hands": {"points": [signed(vp) for vp in events.empty_hands.vp_by_rank]},
        "full_set": {"kinds": dict(events.full_set.set), "vp": signed(events.full_set.vp)},
        "gathering": {"vp": signed(events.gathering.vp)},
    }
    return WORDS.say(f"event.{event}", lang, **facts.get(event, {}))


def _places(places: Places) -> dict[str, Any]:
    points = {place: signed(vp) for place, vp in places.vp.items()}
    return {"each": places.count, "points": points}


def answer_of(seat: str, state: Tableau) -> str | None:
    """What a seat has said in this turn, as a key of the words."""
    turn = state.turn
    if seat in turn.passed:
        return "passed"
    if seat in turn.deposed:
        return "deposed"
    if seat == turn.claimant:
        return "brave"
    card = card_of_turn(state, seat)
    return card.mode if card is not None and seat in turn.answered else None


def _turn(state: Tableau, lang: Language) -> str:
    answers = {
        seat: WORDS.say(f"answer.{answer}", lang)
        for seat in state.players
        if (answer := answer_of(seat, state)) is not None
    }
    return _say(
        lang, "turn", leader=state.turn.leader, role=state.turn.led, answers=_listed(answers)
    )


def _listed(pairs: dict[str, str]) -> str:
    return ", ".join(f"{name} {what}" for name, what in pairs.items())


def _player(seat: str, player: Player, state: Tableau, kit: Box, lang: Language) -> str:
    say = partial(_say, lang)
    hand, hoard = player.hand, player.hoard
    parts = [
        say(
            "player", seat=seat, colour=pawn_colour(state.options.colours[seat], lang), vp=player.vp
        ),
        say("resources", owned=dict(player.resources)),
        say("pawns", first=player.pawns["1"], second=player.pawns["2"]),
    ]
    if hand.chosen is not None:
        parts.append(say("cards", count=hand.held))
    if hand.held and state.round.called:
        parts.append(say("candidates", roles=candidates(state, seat)))
    if hand.laid:
        laid = [f"{WORDS.term(c.role, lang)} ({WORDS.term(c.mode, lang)})" for c in hand.laid]
        parts.append(say("laid", cards=laid))
    if hand.passes:
        passes = [
            f"{WORDS.term(claim.role, lang)} ({WORDS.say(f'claim.{claim.status}', lang)})"
            for claim in hand.passes
        ]
        parts.append(say("passes", passes=passes))
    if hoard.bolts:
        parts.append(say("bolts", count=hoard.bolts))
    if hoard.amulets:
        parts.append(say("amulets", regions=hoard.amulets))
    if hoard.tiles:
        parts.append(say("tiles", tiles=[held.tile for held in hoard.tiles]))
    if state.over:
        final = final_score(player, kit)
        parts.append(say("final", **final._asdict()))
    return say("between").join(parts) + "."


def pawn_colour(colour: str, lang: Language) -> str:
    """The colour's name; a table may have named a colour of its own."""
    key = f"colour.{colour}"
    return WORDS.say(key, lang) if key in WORDS else colour


def _regions(state: Tableau, setting: Setting[Box]) -> list[str]:
    return list(state.side(setting.kit).regions)


def _region(region: str, state: Tableau, kit: Box, lang: Language) -> str:
    say, side = partial(_say, lang), state.side(kit)
    parts = [say("region", region=region, terrain=side.terrain(region))]
    if region in (side.castles.west, side.castles.east):
        parts.append(say("castle"))
    parts += [say("circle", letter=letter) for letter, at in side.circles.items() if at == region]
    if (tile := state.board.tiles.get(region)) is not None:
        parts.append(say("tile", tile=tile_name(tile, lang)))
    clouds = [
        cloud_words(space, cloud, kit, lang)
        for space, cloud in state.board.clouds.items()
        if side.cloud_spaces[space] == region
    ]
    if clouds:
        parts.append(say("clouds", clouds=clouds))
    towers = [tower_words(name, state, kit, lang) for name in side.towers_at[region]]
    if towers:
        parts.append(say("towers", towers=towers))
    pawns = [
        f"{seat}{pawn}"
        for seat, player in state.players.items()
        for pawn, at in player.pawns.items()
        if at == region
    ]
    if pawns:
        parts.append(say("standing", pawns=pawns))
    return say("between").join(parts) + "."


def tile_name(tile: str, lang: Language) -> str:
    if tile.startswith("t_"):
        return WORDS.say("turbo", lang, circles=list(tile.removeprefix("t_").upper()))
    return WORDS.term(tile, lang)


def cloud_words(space: str, cloud: str, kit: Box, lang: Language) -> str:
    kind = kit.clouds[cloud]
    words = _say(lang, "cloud", space=space, stars=kind.stars, bolts=kind.bolts)
    if kind.effect is None:
        return words
    effect = WORDS.say(
        f"storm.{kind.effect}", lang, vp=signed(kind.vp), need=kind.need, potion=kind.potion
    )
    return f"{words} {effect}"


def tower_words(name: str, state: Tableau, kit: Box, lang: Language) -> str:
    side = state.side(kit)
    tower = side.towers[name]
    words = _say(
        lang, "tower", name=name, colour=tower.colour, shape=tower.shape, vp=signed(tower.vp)
    )
    if tower.wands:
        words += " " + _say(lang, "tower_wands", count=tower.wands)
    if name in state.board.occupied:
        words += " " + _say(lang, "occupied")
    elif side.covers.get(name) in state.board.tiles:
        words += " " + _say(lang, "covered")
    return words
