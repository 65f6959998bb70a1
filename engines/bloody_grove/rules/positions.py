"""Declared positions, and the position of a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from engines.bloody_grove import actions as act
from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.kit import ANIMALS, Animal, Box
from engines.bloody_grove.rules.book import Rule, rules, spirit, turn_seat
from engines.bloody_grove.rules.hidden import known_as
from engines.bloody_grove.rules.setup import OBSERVED
from engines.bloody_grove.state import (
    LETTERS,
    Ahead,
    Card,
    Contest,
    EliteDeck,
    Flow,
    Grove,
    Hidden,
    Open,
    Outcome,
    Player,
    Tableau,
    Token,
    Tokens,
    Venerables,
    Waiting,
    balance,
    generation,
    number_of,
    open_cards,
)
from engines.bloody_grove.trail import Move
from engines.bloody_grove.worlds import ANY, World, Worlds
from engines.kernel import GO_ON, Agenda, Bag, ParseError, Phrase, Positions, Setting, evolve
from engines.kernel.values.models import from_position, to_position

PLAYING = ("action", "recruit", "symbols")
RESOLVING = ("reveal", "take", "replace", "effects")


@rules.hears(act.Position)
def declare(state: Tableau, action: act.Position, rule: Rule) -> Tableau:
    kit = rule.kit
    _check_step(state, action)
    for face in _faces(action):
        spirit(face, kit)
    rule("GRV-POS-1", state.flow.step == "setup")
    players = {
        seat: _player(state.players[seat], action.players[seat], seat, action, rule)
        for seat in state.seats
    }
    seen = Counter(_faces(action))
    declared = evolve(
        state,
        flow=_flow(action, players),
        groves=_groves(action),
        players=players,
        elites=_elites(action, seen, kit),
        venerables=_venerables(action, seen, kit),
        tokens=_tokens(action, kit),
        open=from_position(Open, action.open),
        contest=from_position(Contest, action.open),
        box=action.box,
        outcome=None if action.result is None else from_position(Outcome, action.result),
        agenda=GO_ON if action.step != "over" else Agenda(),
    )
    wrong = balance(declared, Setting(kit, rule.readings))
    rule("GRV-HID-8", not wrong, laws=wrong)
    _check_places(action, rule)
    _check_display(declared, rule)
    _check_hands(declared, rule)
    return declared


def _check_step(state: Tableau, position: act.Position) -> None:
    """Every seat named sits at the table, and all that the step needs is said."""
    said = position.open
    winners = position.result.winners if position.result is not None else ()
    named = {*winners, *position.control, position.first, said.seat, said.winner}
    seated = set(state.seats)
    needed = {
        "recruit": said.seat,
        "symbols": said.seat,
        "take": said.winner,
        "replace": said.winner and said.taken,
        "effects": said.winner,
        "setup": "none",
    }.get(position.step, position.first)
    if said.ruse or said.arcane or said.recruits:
        needed = needed and said.seat
    if position.players.keys() != seated or named - {None, "none"} - seated or needed is None:
        problem = Phrase("flaw.seats_in_turn", {"seats": state.seats})
        raise ParseError("bad_position", field="seats", problem=problem)
    _check_waiting(state, position)
    if position.step in RESOLVING and not said.grove:
        problem = Phrase("flaw.grove_needed", {"step": position.step})
        raise ParseError("bad_position", field="grove", problem=problem)
    if said.beside is not None and position.step != "recruit":
        problem = Phrase("flaw.nobody_beside", {"step": position.step})
        raise ParseError("bad_position", field="beside", problem=problem)


def _check_waiting(state: Tableau, position: act.Position) -> None:
    """What is still to be logged is owed by a seat, shown of a deck, or seen by all."""
    known = {kind for kind in OBSERVED if kind != "elite"}
    known |= {f"elite {animal}" for animal in state.elites}
    known |= {f"{kind} {seat}" for kind in ("draw", "look", "stow") for seat in state.seats}
    for text in position.open.waiting:
        if text not in known:
            problem = Phrase("flaw.no_such_choice", {"expected": ", ".join(sorted(known))})
            raise ParseError("bad_position", field="open.waiting", problem=problem)


def _check_places(position: act.Position, rule: Rule) -> None:
    """Every card lies where a card of its kind may lie."""
    kit = rule.kit
    laid = position.step != "setup" or position.groves or "groves" not in position.open.waiting
    whole = sorted(position.groves) == sorted(ANIMALS)
    rule.doubt("GRV-SET-4", whole or not laid, order=position.groves)
    for animal, face in position.elites.items():
        fits = face in kit.all_elites and kit.spirits[face].animal == animal
        rule.doubt("GRV-SET-6", fits, face=face)
    for player in position.players.values():
        held = (*player.pile, *player.hidden, *hidden.owned(_listed_worlds(player)))
        for face in held:
            rule.doubt("GRV-TURN-10", face == ANY or kit.kind(face) != "venerable", face=face)


def _check_display(state: Tableau, rule: Rule) -> None:
    """Venerables come three a round, and the red ones when no three others are left.

    A display of which nothing is said is one that does not matter.
    """
    kit, flow, unseen = rule.kit, state.flow, state.venerables.unseen
    preparing = flow.step == "prepare"
    rule.doubt("GRV-PREP-1", flow.waiting or not preparing, waiting=())
    drawn = (flow.round + preparing) * kit.shown_venerables
    red = tuple(sorted(kit.red_backs - unseen))
    rule.doubt("GRV-PREP-2", not red or len(kit.venerables) - len(kit.red_backs) < drawn, faces=red)
    shown = state.venerables.shown
    if not shown or preparing or flow.step == "over":
        return
    most = min(kit.shown_venerables, len(kit.venerables))
    taken = state.contest.grove if flow.step in RESOLVING else 0
    fits = most - taken <= len(shown) <= most and len(kit.venerables) - len(unseen) <= drawn
    rule.doubt("GRV-PREP-2", fits, faces=shown)


def _check_hands(state: Tableau, rule: Rule) -> None:
    """Hands are what was drawn for the round and recruited in it, less a card for each turn.

    A card that was played lies in a column, on the Druid or beside it; after the first round a
    Venerable may have taken its place. Whoever has put the hand under the deck has none.
    """
    flow, kit = state.flow, rule.kit
    if flow.step not in (*PLAYING, "stow", *RESOLVING) or flow.first is None:
        return
    for seat, player in state.players.items():
        hand = player.hidden.hand
        turns = _turns_played(state, seat, rule) + len(player.ahead)
        if flow.round == 1 and flow.step not in RESOLVING:
            faces = [face for face in open_cards(state, seat) if kit.kind(face) != "venerable"]
            rule.doubt("GRV-TURN-3", len(faces) == turns, seat=seat, played=faces, turns=turns)
        if flow.step in PLAYING or Waiting("stow", seat) in flow.waiting:
            clause = "GRV-SET-15" if flow.round == 1 else "GRV-PREP-3"
            fits = _can_be_held(state, seat, turns, kit)
            rule.doubt(clause, fits, seat=seat, in_hand=hand, turns=turns)
        else:
            rule.doubt("GRV-END-3", not hand, seat=seat, in_hand=hand)


def _can_be_held(state: Tableau, seat: str, turns: int, kit: Box) -> bool:
    """Whether some number of Elites recruited in this round explains the hand.

    A round begins with four cards in hand, or with all that the deck had. Each card used to
    transform recruits one Elite of each animal at most.
    """
    player, held = state.players[seat], state.players[seat].hidden
    owned = (*open_cards(state, seat), *hidden.owned(held.worlds))
    elites = sum(_is_elite(face, kit) for face in owned)
    beside = state.open.beside is not None and state.open.seat == seat
    transformed = min(turns, len(player.pile) + beside)
    held_or_played, there = held.hand + turns, held.hand + turns + held.deck
    return any(
        0 <= held_or_played - min(kit.hand_draw, there - recruited) <= recruited
        for recruited in range(min(elites, len(ANIMALS) * transformed) + 1)
    )


def _is_elite(face: str, kit: Box) -> bool:
    return face != ANY and kit.kind(face) == "elite"


def _turns_played(state: Tableau, seat: str, rule: Rule) -> int:
    """How many turns of this round a seat has played, with the one whose card already lies."""
    flow = state.flow
    over = flow.turn - (flow.step == "action")
    before = (evolve(state, flow=evolve(flow, turn=turn)) for turn in range(1, over + 1))
    return sum(turn_seat(one, rule) == seat for one in before)


def _faces(position: act.Position) -> Iterator[str]:
    """Every card whose place the position names."""
    yield from position.elites.values()
    yield from position.venerables
    yield from (name.rpartition(":")[2] for name in position.box)
    if position.open.beside is not None:
        yield position.open.beside
    if position.open.taken is not None:
        yield position.open.taken
    for player in position.players.values():
        yield from (text.partition("+")[0] for column in player.columns for text in column)
        yield from player.pile
        yield from (card for card in hidden.owned(_listed_worlds(player)) if card != ANY)
        yield from player.hidden


# one player


def _player(
    before: Player, said: act.PlayerPosition, seat: str, position: act.Position, rule: Rule
) -> Player:
    columns = tuple(tuple(_card(text) for text in column) for column in said.columns)
    shown = {card.face for column in columns for card in column}.union(said.pile)
    shown.update(n.partition(":")[2] for n in position.box if n.startswith(f"{seat}:"))
    if seat == position.open.seat and position.open.beside is not None:
        shown.add(position.open.beside)
    held = _hidden(before, said, rule.kit.base_faces - shown, rule)
    ahead = tuple(Ahead(one.face, one.transforms, one.recruits) for one in said.ahead)
    looked = frozenset(said.looked)
    return from_position(
        Player, said, druid=before.druid, columns=columns, hidden=held, looked=looked, ahead=ahead
    )


def _hidden(before: Player, said: act.PlayerPosition, unseen: frozenset[str], rule: Rule) -> Hidden:
    """Hand and deck as the log already has them; otherwise no earlier entry tells of them."""
    if unseen == before.hidden.unseen and said.hidden_part == _said_of(before).hidden_part:
        return before.hidden
    worlds = _unnamed(_worlds(said, unseen, rule), rule)
    hand, deck = hidden.sizes(worlds)
    return Hidden(hand, deck, worlds, unseen, (Move(rule.number, "start", worlds=worlds),))


def _unnamed(worlds: Worlds, rule: Rule) -> Worlds:
    """A hidden base Spirit is one of the unseen: named, it would be there twice."""
    known = known_as(rule.kit)
    cards = {card for world in worlds for card in hidden.owned((world,))}
    named = {card: 1 for card in sorted(cards) if known(card) != card}
    rule("GRV-HID-8", not named, laws=named)
    return (
        hidden.made(
            [(map(known, row.cards), row.spread) for row in hidden.rows_of(world)]
            for world in worlds
        )
        if named
        else worlds
    )


def _card(text: str) -> Card:
    face, *tokens = text.split("+")
    return Card(face, tuple(_token(token) for token in tokens))


def _token(text: str) -> Token:
    label, _, value = text.partition("=")
    return Token(label, value or None)


def _worlds(said: act.PlayerPosition, unseen: frozenset[str], rule: Rule) -> Worlds:
    if said.counted and not said.worlds:
        cards = [*said.hidden, *(ANY for _ in unseen)]
        hand, deck = (part if isinstance(part, int) else 0 for part in said.held)
        differ = hand + deck - len(cards)
        rule("GRV-HID-8", differ == 0, laws={"hidden": differ})
        hand = min(hand, len(cards))
        return hidden.unknown(cards, hand, len(cards) - hand)
    return _listed_worlds(said)


def _listed_worlds(said: act.PlayerPosition) -> Worlds:
    """What the position says of hand and deck card by card, or world by world."""
    if said.worlds:
        return hidden.made(
            [[(row.cards, (row.hand, *row.deck)) for row in world] for world in said.worlds]
        )
    hand = said.hand if isinstance(said.hand, tuple) else ()
    deck = said.deck if isinstance(said.deck, tuple) else ()
    return hidden.known(hand, deck)


# the table


_AWAITED: dict[str, tuple[str | None, ...]] = {
    **dict.fromkeys(("groves", "venerables", "first"), (None,)),
    **dict.fromkeys(("draw", "look", "stow"), ("A", "B")),
    "elite": get_args(Animal),
}
"""What a table can wait for, and whose it is."""


def _flow(position: act.Position, players: Mapping[str, Player]) -> Flow:
    """What nobody could ever log is not waited for; what is due at the step is, said or not."""
    waiting = []
    for text in position.open.waiting:
        kind, _, whose = text.partition(" ")
        task = Waiting(kind, whose or None)
        if task.whose in _AWAITED.get(kind, ()):
            waiting.append(task)
    if position.step == "stow" and not waiting and not position.open.elites:
        waiting = [Waiting("stow", seat) for seat, held in players.items() if held.hidden.hand]
    return from_position(Flow, position, waiting=tuple(waiting), actor=position.open.seat)


def _groves(position: act.Position) -> tuple[Grove, ...]:
    animals = (*position.groves, None, None, None)
    held = (*position.control, "none", "none", "none")
    pairs = zip(animals[:3], held[:3], strict=True)
    return tuple(Grove(animal, None if seat == "none" else seat) for animal, seat in pairs)


def _elites(position: act.Position, seen: Counter[str], kit: Box) -> dict[Animal, EliteDeck]:
    return {
        animal: EliteDeck(position.elites.get(animal), copies.minus(seen))
        for animal, copies in kit.elite_copies.items()
    }


def _venerables(position: act.Position, seen: Counter[str], kit: Box) -> Venerables:
    unseen = frozenset(card.id for card in kit.venerables if not seen[card.id])
    return Venerables(position.venerables, unseen)


def _placed(position: act.Position) -> list[Token]:
    return [
        _token(text)
        for player in position.players.values()
        for column in player.columns
        for card in column
        for text in card.split("+")[1:]
    ]


def _tokens(position: act.Position, kit: Box) -> Tokens:
    placed = _placed(position)
    labels = [*position.reserve, *position.open.loose, *(token.label for token in placed)]
    if len(set(labels)) < len(labels):
        problem = Phrase("flaw.tokens_twice", {"tokens": labels})
        raise ParseError("bad_position", field="tokens", problem=problem)
    issued = {"t": kit.token_values.size}
    for letter in sorted({*position.pools, *map(generation, labels)}, key=_age):
        issued[letter] = max(
            [issued.get(letter, 0), *(number_of(x) for x in labels if generation(x) == letter)]
        )
    shown = [token.value for token in placed if token.value is not None]
    left = kit.token_values.take(*shown).take(*position.discard)
    pools = {letter: Bag(values) for letter, values in position.pools.items()} or {"t": left}
    return Tokens(
        position.reserve,
        Bag(position.discard),
        {letter: pools.get(letter, Bag()) for letter in issued},
        issued,
        position.open.loose,
    )


def _age(letter: str) -> tuple[int, int]:
    return len(letter), LETTERS.index(letter[0])


# the position of a state


def position_of(state: Tableau, setting: Setting[Box]) -> act.Position:
    flow, tokens = state.flow, state.tokens
    pools = {letter: tuple(sorted(pool.elements())) for letter, pool in tokens.pools.items()}
    outcome = state.outcome
    return to_position(
        act.Position,
        flow,
        tokens,
        state,
        groves=tuple(grove.animal for grove in state.groves if grove.animal is not None),
        control=tuple(grove.control or "none" for grove in state.groves),
        elites={a: deck.shown for a, deck in state.elites.items() if deck.shown is not None},
        venerables=state.venerables.shown,
        discard=tuple(sorted(tokens.discard.elements())),
        pools=pools if len(pools) > 1 else {},
        players={seat: _said_of(player) for seat, player in state.players.items()},
        open=to_position(
            act.OpenPosition,
            state.open,
            state.contest,
            tokens,
            waiting=tuple(" ".join(filter(None, task)) for task in flow.waiting),
        ),
        result=None if outcome is None else to_position(act.ResultPosition, outcome),
    )


def _said_of(player: Player) -> act.PlayerPosition:
    columns = tuple(tuple(_written(card) for card in column) for column in player.columns)
    looked = tuple(sorted(player.looked, key=lambda label: (generation(label), number_of(label))))
    ahead = tuple(act.AheadPosition(**each._asdict()) for each in player.ahead)
    arrangement = hidden.one_arrangement(player.hidden.worlds)
    if arrangement is not None:
        unseen: dict[str, Any] = {"hand": arrangement[0], "deck": arrangement[1]}
    else:
        unseen = {"worlds": tuple(map(_said_rows, player.hidden.worlds))}
    return to_position(
        act.PlayerPosition, player, columns=columns, hidden=(), looked=looked, ahead=ahead, **unseen
    )


def _said_rows(world: World) -> tuple[act.HiddenRow, ...]:
    return tuple(
        act.HiddenRow(cards=row.cards, hand=row.spread[0], deck=row.spread[1:])
        for row in hidden.rows_of(world)
    )


def _written(card: Card) -> str:
    tokens = (f"{t.label}={t.value}" if t.value else t.label for t in card.tokens)
    return "+".join((card.face, *tokens))


POSITIONS = Positions(
    act.Position, position_of, in_any_order=("reserve", "discard", "box", "players.*.looked")
)
