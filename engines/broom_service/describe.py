"""The table in words."""

from __future__ import annotations

from typing import Any

from engines.broom_service.kit import BoardSide, Box, Places
from engines.broom_service.rules.final import final_score
from engines.broom_service.state import (
    LAST_ROUND,
    Player,
    Tableau,
    candidates,
    card_of_turn,
    result,
)
from engines.kernel import Setting, Speech
from engines.kernel.messages.catalogue import Catalogue, Language, Verbatim
from engines.kernel.values.memo import memoize


def describe(state: Tableau, setting: Setting[Box], speech: Speech) -> list[str]:
    lines = [headline(state, speech)]
    if (event := event_line(state, setting.kit, speech)) is not None:
        lines.append(event)
    if state.round.cursed:
        vp = signed(setting.kit.scoring.cursed_vp)
        lines.append(speech.say("say.cursed", roles=state.round.cursed, vp=vp))
    if state.turn.led is not None:
        lines.append(_turn(state, speech))
    lines += [
        _player(seat, player, state, setting.kit, speech) for seat, player in state.players.items()
    ]
    return lines + [
        _region(region, state, setting.kit, speech) for region in _regions(state, setting)
    ]


def headline(state: Tableau, speech: Speech) -> str:
    won = result(state)
    if won is not None:
        return speech.say("say.won", winners=won.places[0], how=speech.say(won.how or ""))
    facts = {"round": state.round.number, "rounds": LAST_ROUND, "turn": state.turn.number}
    if any(duty.kind in ("cloud", "tile") for duty in state.agenda.duties):
        return speech.say("say.setup", **facts)
    return speech.say("say.headline", leader=state.turn.leader, **facts)


def signed(vp: int) -> str:
    """A number of points with its sign, minus as typographers write it."""
    return f"−{-vp}" if vp < 0 else f"+{vp}" if vp else "0"


def event_line(state: Tableau, kit: Box, speech: Speech) -> str | None:
    event = state.round.event
    if event is None:
        return None
    return speech.say("say.event", event=event, text=event_text(event, kit, speech))


def event_text(event: str, kit: Box, speech: Speech) -> str:
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
    return speech.say(f"event.{event}", **facts.get(event, {}))


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


def _turn(state: Tableau, speech: Speech) -> str:
    answers = {
        speech.show(seat): speech.say(f"answer.{answer}")
        for seat in state.players
        if (answer := answer_of(seat, state)) is not None
    }
    return speech.say(
        "say.turn", leader=state.turn.leader, role=state.turn.led, answers=_listed(answers)
    )


def _listed(pairs: dict[str, str]) -> str:
    return ", ".join(f"{name} {what}" for name, what in pairs.items())


def _player(seat: str, player: Player, state: Tableau, kit: Box, speech: Speech) -> str:
    hand, hoard = player.hand, player.hoard
    parts = [
        speech.say(
            "say.player",
            seat=seat,
            colour=pawn_colour(state.options.colours[seat], speech),
            vp=player.vp,
        ),
        speech.say("say.resources", owned=dict(player.resources)),
        speech.say("say.pawns", first=player.pawns["1"], second=player.pawns["2"]),
    ]
    if hand.chosen is not None:
        parts.append(speech.say("say.cards", count=hand.held))
    if hand.held and state.round.called:
        parts.append(speech.say("say.candidates", roles=candidates(state, seat)))
    if hand.laid:
        laid = [f"{speech.term(c.role)} ({speech.term(c.mode)})" for c in hand.laid]
        parts.append(speech.say("say.laid", cards=laid))
    if hand.passes:
        passes = [
            f"{speech.term(claim.role)} ({speech.say(f'claim.{claim.status}')})"
            for claim in hand.passes
        ]
        parts.append(speech.say("say.passes", passes=passes))
    if hoard.bolts:
        parts.append(speech.say("say.bolts", count=hoard.bolts))
    if hoard.amulets:
        parts.append(speech.say("say.amulets", regions=hoard.amulets))
    if hoard.tiles:
        parts.append(speech.say("say.tiles", tiles=[held.tile for held in hoard.tiles]))
    if state.over:
        final = final_score(player, kit)
        parts.append(speech.say("say.final", **final._asdict()))
    return speech.say("say.between").join(parts) + "."


def pawn_colour(colour: str, speech: Speech) -> str:
    """The colour's name; a table may have named a colour of its own."""
    key = f"colour.{colour}"
    return speech.say(key) if key in speech else colour


def _regions(state: Tableau, setting: Setting[Box]) -> list[str]:
    return list(state.side(setting.kit).regions)


def _region(region: str, state: Tableau, kit: Box, speech: Speech) -> str:
    side, board = state.side(kit), state.board
    clouds = board.clouds.items()
    here = tuple((space, kind) for space, kind in clouds if side.cloud_spaces.get(space) == region)
    towers = tuple((name, _standing(name, side, state)) for name in side.towers_at[region])
    pawns = tuple(
        f"{seat}{pawn}"
        for seat, player in state.players.items()
        for pawn, at in player.pawns.items()
        if at == region
    )
    tile = board.tiles.get(region)
    return _told(region, side, kit, tile, here, towers, pawns, speech.words, speech.lang)


@memoize
def _told(
    region: str,
    side: BoardSide,
    kit: Box,
    tile: str | None,
    here: tuple[tuple[str, str], ...],
    standing: tuple[tuple[str, str], ...],
    pawns: tuple[str, ...],
    words: Catalogue,
    lang: Language,
) -> str:
    """A region in words: most of them are the same from move to move."""
    speech = Speech(words, lang)
    parts = [speech.say("say.region", region=region, terrain=side.terrain(region))]
    parts.append(speech.say("say.borders", regions=sorted(side.borders_of[region])))
    if region in (side.castles.west, side.castles.east):
        parts.append(speech.say("say.castle"))
    parts += [
        speech.say("say.circle", letter=Verbatim(letter))
        for letter, at in side.circles.items()
        if at == region
    ]
    if tile is not None:
        parts.append(speech.say("say.tile", tile=tile_name(tile, speech)))
    clouds = [cloud_words(space, cloud, kit, speech) for space, cloud in here]
    if clouds:
        parts.append(speech.say("say.clouds", clouds=clouds))
    towers = [tower_words(name, side, how, speech) for name, how in standing]
    if towers:
        parts.append(speech.say("say.towers", towers=towers))
    if pawns:
        parts.append(speech.say("say.standing", pawns=pawns))
    return speech.say("say.between").join(parts) + "."


def _standing(tower: str, side: BoardSide, state: Tableau) -> str:
    """Whether a tower is occupied, covered by a tile, or neither."""
    if tower in state.board.occupied:
        return "occupied"
    return "covered" if side.covers.get(tower) in state.board.tiles else ""


def tile_name(tile: str, speech: Speech) -> str:
    if tile.startswith("t_"):
        return speech.say("turbo", circles=[*map(Verbatim, tile.removeprefix("t_").upper())])
    return speech.term(tile)


def cloud_words(space: str, cloud: str, kit: Box, speech: Speech) -> str:
    kind = kit.clouds[cloud]
    words = speech.say("say.cloud", space=space, stars=kind.stars, bolts=kind.bolts)
    if kind.effect is None:
        return words
    effect = speech.say(
        f"storm.{kind.effect}", vp=signed(kind.vp), need=kind.need, potion=kind.potion
    )
    return f"{words} {effect}"


def tower_words(name: str, side: BoardSide, standing: str, speech: Speech) -> str:
    tower = side.towers[name]
    words = speech.say(
        "say.tower", name=name, colour=tower.colour, shape=tower.shape, vp=signed(tower.vp)
    )
    if tower.wands:
        words += " " + speech.say("say.tower_wands", count=tower.wands)
    return f"{words} {speech.say(f'say.{standing}')}" if standing else words
