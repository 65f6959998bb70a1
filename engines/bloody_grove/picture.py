"""The picture of a state: B above, A below, the Groves between, the displays at the bottom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import NamedTuple

from engines.bloody_grove import actions as act
from engines.bloody_grove import symbols
from engines.bloody_grove.describe import phase
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import active_grove, turn_seat
from engines.bloody_grove.state import (
    Card,
    Column,
    Tableau,
    Token,
    domination,
    domination_parts,
    strength,
)
from engines.bloody_grove.symbols import CARD_HEIGHT, CARD_WIDTH, FULL_HEIGHT, draw
from engines.bloody_grove.trail import hand_told
from engines.bloody_grove.worlds import known_ends
from engines.kernel import Action, Setting, Speech, evolve
from engines.kernel.picture.layout import Frame, Part, Pen, Sheet, Spaces, overlaid, stacked
from engines.kernel.picture.svg import (
    GREY,
    INK,
    WHITE,
    Picture,
    Svg,
    fitting,
    joined,
    name_in,
    polygon,
    text,
    worded,
)

WIDTH, MARGIN, GAP = 452.0, 8.0, 6.0
ROUND_WIDTH = 62.0
GROVE_HEIGHT = 92.0
AREA_HEIGHT = 62.0
TOKEN_LINE = 20.0
YELLOW = "#f5c400"
GROVES = (1, 2, 3)
TAKEN = "taken"
"""The space of a Venerable that has been taken and not laid yet."""
WHOLE = FULL_HEIGHT - 3
PEN = Pen(YELLOW, 3, dashes=None, rim=1)


class Changes(NamedTuple):
    """What the last action changed in the columns, by seat and Grove."""

    gone: Mapping[tuple[str, int], tuple[str, ...]] = {}
    """Faces of the cards that left the game."""
    laid: tuple[str, ...] = ()
    """Names of the cards that came."""


def picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    sheet = _sheet(state, setting, speech, last, Changes())

    def since(before: Tableau) -> Sheet:
        changes = changed(before, state)
        return _sheet(state, setting, speech, last, changes) if any(changes) else sheet

    return sheet._replace(since=since)


def _sheet(
    state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None, changes: Changes
) -> Sheet:
    kit, (near, far) = setting.kit, (state.seats[0], state.seats[-1])
    parts = [
        player_panel(state, far, setting, speech),
        columns(state, far, kit, speech, last, changes),
        board(state, setting, speech),
        columns(state, near, kit, speech, last, changes),
        player_panel(state, near, setting, speech),
        title(state, speech),
        displays(state, kit, speech)._replace(column=1),
        tokens(state, speech)._replace(column=1),
        box(state, speech)._replace(column=1),
    ]
    return Sheet(parts, (*touched(state, last), *changes.laid), PEN, WIDTH, MARGIN)


def spaces(state: Tableau, setting: Setting[Box]) -> Iterator[str]:
    """The names of all spaces of the picture."""
    heap = state.tokens
    yield from ("round", "discard", "box", *heap.reserve, *heap.loose, *state.venerables.shown[:3])
    yield from (f"elite {animal}" for animal in setting.kit.animals)
    yield from (f"grove{grove}" for grove in GROVES)
    for seat in {state.seats[0], state.seats[-1]}:
        yield from (seat, f"{seat}:druid", f"{seat}:deck", f"{seat}:hand")
        for grove, column in enumerate(state.players[seat].columns, start=1):
            yield f"{seat}@{grove}"
            yield from (name for name, _ in _named_cards(seat, grove, column))
            yield from (token.label for card in column for token in card.tokens)
            yield from filter(None, (name for _, name in _waiting(state, seat, grove)))


def title(state: Tableau, speech: Speech) -> Part:
    if state.outcome is not None:
        how = speech.say(f"how.{state.outcome.how}")
        said = speech.say("picture.won", winners=state.outcome.winners, how=how)
    else:
        flow = state.flow
        facts = {"round": flow.round, "turn": flow.turn, "grove": state.contest.grove}
        said = speech.say(f"picture.{phase(state)}", **facts)
    return Part(38, text(WIDTH / 2, 20, said, 16, fill=INK, font_weight=700), column=1)


# what happened last


def touched(state: Tableau, last: Action | None) -> list[str]:
    """The names of what the last action moved or showed."""
    by = last.by if last is not None else None
    match last:
        case act.Invoke() | act.Bottom():
            return [_last_card(state, by, last.face)]
        case act.Ruse():
            return [_last_card(state, by, last.face)]
        case act.Transform():
            return [f"{by}:druid"]
        case act.Recruit():
            return [f"elite {last.animal}", f"{by}:hand" if last.to == "hand" else f"{by}:deck"]
        case act.ShowElite():
            return [f"elite {a}" for a, deck in state.elites.items() if deck.shown == last.face]
        case act.ShowVenerables():
            return list(last.faces)
        case act.Arcane() | act.Look() | act.Reveal():
            return [last.token]
        case act.Take():
            return [_last_card(state, by, last.face), TAKEN]
        case act.Replace():
            return ["box"]
        case act.Draw() | act.Stow():
            return [f"{by}:hand", f"{by}:deck"]
        case act.LayGroves():
            return [f"grove{grove}" for grove in GROVES]
    return []


def _last_card(state: Tableau, seat: str | None, face: str | None) -> str:
    """The name of the last card of that face on a player's side."""
    if seat is not None and face is not None:
        for grove in reversed(GROVES):
            count = sum(card.face == face for card in state.players[seat].columns[grove - 1])
            if count:
                return _card_name(seat, face, grove, count)
    return ""


def changed(before: Tableau, state: Tableau) -> Changes:
    """The cards that went from the columns to the box, and the Venerables that came."""
    boxed = Counter(card.rpartition(":")[2] for card in state.box)
    boxed -= Counter(card.rpartition(":")[2] for card in before.box)
    gone: dict[tuple[str, int], tuple[str, ...]] = {}
    laid: list[str] = []
    for seat, grove in product(state.seats, GROVES):
        was, now = (
            Counter(card.face for card in each.players[seat].columns[grove - 1])
            for each in (before, state)
        )
        if left := (was - now) & boxed:
            gone[seat, grove] = tuple(left.elements())
            laid += [_card_name(seat, face, grove, now[face]) for face in now - was]
    return Changes(gone, tuple(laid))


def ruse_arrow(state: Tableau, seat: str, spaces: Spaces, last: Action | None) -> Iterator[Svg]:
    """From the column that the card left to the one it went to."""
    if not isinstance(last, act.Ruse) or last.by != seat or not last.at.isdecimal():
        return
    start, end = spaces[f"{last.by}@{last.at}"], spaces[f"{last.by}@{last.to}"]
    (x1, middle), (x2, _) = start.centre, end.centre
    y = middle + start.height / 2 * (-1 if last.by == state.seats[0] else 1)
    tip = 8 if x2 > x1 else -8
    yield PEN.draw("path", d=f"M{x1} {y} L{x2 - tip} {y}")
    yield polygon([(x2, y), (x2 - 2 * tip, y - 8), (x2 - 2 * tip, y + 8)], fill=YELLOW, stroke=INK)


# the players


def player_panel(state: Tableau, seat: str, setting: Setting[Box], speech: Speech) -> Part:
    """Druid with the Transformation, deck, hand and Domination of one player."""
    player, kit = state.players[seat], setting.kit
    name = speech.sitting(seat, speech.term(player.druid))
    shown, size = name_in(name, 13, 74, 13)
    pile = speech.say("picture.pile", count=len(player.pile))
    worth = domination(state, setting, seat)
    x = MARGIN + 82
    drawn = draw(
        "player",
        seat=seat,
        colour=symbols.DRUIDS[player.druid],
        pile=pile,
        pile_size=fitting(pile, 13, 44),
        worth=draw("star", WIDTH - MARGIN - 22, 22, worth=worth),
        worth_said=speech.say("picture.worth"),
        name=shown,
        name_size=size,
        transformation=_transformation(player.transformation, seat, kit, x, speech),
        hidden=_hidden(state, seat, setting, x + CARD_WIDTH + 14, speech),
    )
    spaces = {
        seat: Frame(MARGIN, 0, WIDTH - 2 * MARGIN, AREA_HEIGHT - 4),
        f"{seat}:druid": _card_space(x, 8),
        f"{seat}:deck": Frame(x + CARD_WIDTH + 14, 8, 44, 34),
        f"{seat}:hand": Frame(x + CARD_WIDTH + 112, 8, 44, 34),
    }
    return Part(AREA_HEIGHT, drawn, spaces)


def _transformation(face: str | None, seat: str, kit: Box, x: float, speech: Speech) -> Svg:
    lying = _face(face, kit, x, 8, speech)
    return worded(f"{seat}:{face}@druid", worded(f"{face}@druid", lying)) if face else lying


def _hidden(
    state: Tableau, seat: str, setting: Setting[Box], x: float, speech: Speech
) -> Iterator[Svg]:
    """Deck and hand, and what is known of them; at the end what the Domination is made of.

    A hand lies face down, but for those who know what its owner has told of it.
    """
    player = state.players[seat]
    held = player.hidden
    told = hand_told(
        held.trail, {seal.number: seal.shown for seal in player.seals if not seal.token}
    )
    known = told if player.seals and len(told) == held.hand else ()
    yield from _open_hand(known, setting.kit, x + 98)
    for name, count, left in (("deck", held.deck, x), ("hand", held.hand, x + 98)):
        if name == "hand" and known:
            continue
        yield draw("hidden", left, 8, name=name, count=count, said=speech.term(name))
    if state.over:
        *groves, druid = domination_parts(state, setting, seat)
        said = speech.say("picture.broken_down", groves=" + ".join(map(str, groves)), druid=druid)
    else:
        top, under = known_ends(held.worlds)
        said = " ".join(top) + (" … " if top or under else "") + " ".join(under)
    yield text(x, 54, said, fitting(said, 12, 160), anchor="start", fill=INK)


def _open_hand(faces: Sequence[str], kit: Box, x: float) -> Iterator[Svg]:
    """The cards of a hand side by side, with their names."""
    step = min(27.0, 82 / max(1, len(faces)))
    for index, face in enumerate(faces):
        spirit = kit.spirits[face]
        look = {"tint": symbols.TINTS[spirit.animal], "strength": symbols.strength(spirit)[0]}
        yield draw("in_hand", x + step * index, 8, face=face, **look)


def _face(
    face: str | None,
    kit: Box,
    x: float,
    y: float,
    speech: Speech,
    height: float = CARD_HEIGHT - 3,
) -> Svg:
    """A card, or the place where one would lie."""
    if face is None:
        return draw("no_card", x, y, height=height)
    return symbols.card(kit.spirits[face], x, y, speech, height)


def _card_space(x: float, y: float, height: float = CARD_HEIGHT - 3) -> Frame:
    return Frame(x, y, CARD_WIDTH, height)


# columns and Groves


def column_x(grove: int) -> float:
    return MARGIN + ROUND_WIDTH + GAP + (grove - 1) * (CARD_WIDTH + GAP + 2)


def _card_height(card: Card) -> float:
    return CARD_HEIGHT + TOKEN_LINE * -(-len(card.tokens) // symbols.TOKENS_PER_LINE)


def _column_height(column: Column) -> float:
    """Of every card the strip is seen, of the last one laid on them the rest as well."""
    return sum(map(_card_height, column)) + FULL_HEIGHT - CARD_HEIGHT


def columns(
    state: Tableau, seat: str, kit: Box, speech: Speech, last: Action | None, changes: Changes
) -> Part:
    """Cards lie from the Grove outwards; behind them what has left, or is still to be laid."""
    laid, upwards = state.players[seat].columns, seat == state.seats[-1]
    beyond = {grove: [*_beyond(state, seat, grove, changes)] for grove in GROVES}
    height = 2 * GAP + max(
        FULL_HEIGHT,
        *(
            _column_height(column) + CARD_HEIGHT * len(beyond[grove])
            for grove, column in enumerate(laid, start=1)
        ),
    )
    parts: list[Part] = []
    for grove, column in enumerate(laid, start=1):
        x = column_x(grove)
        space = Frame(x, GAP, CARD_WIDTH, height - 2 * GAP)
        parts.append(Part(height, Svg(), {f"{seat}@{grove}": space}))
        drawn: list[Part] = []
        y = height - GAP - (FULL_HEIGHT - CARD_HEIGHT) if upwards else GAP
        named = _named_cards(seat, grove, column)
        for place, (card, (name, nth)) in enumerate(zip(column, named, strict=True)):
            y -= _card_height(card) if upwards else 0
            whole = place == 0 if upwards else place == len(column) - 1
            lying = _card(name, card, x, y, kit, speech, whole=whole)
            words = _card_words(state, seat, card.face, grove, nth)
            drawn.append(lying._replace(body=reduce(_within, words, lying.body)))
            y += 0 if upwards else _card_height(card)
        y += 0 if upwards else FULL_HEIGHT - CARD_HEIGHT
        for face, called in beyond[grove]:
            y -= CARD_HEIGHT if upwards else 0
            drawn.append(_aside(face, called, x, y, kit, speech))
            y += 0 if upwards else CARD_HEIGHT
        parts += drawn
    table = overlaid(parts, height)
    way = ruse_arrow(state, seat, table.spaces, last)
    return table._replace(body=joined([table.body, *way]))


def _beyond(
    state: Tableau, seat: str, grove: int, changes: Changes
) -> Iterator[tuple[str, str | None]]:
    """The faces shown at the end of a column, and the name of the card if it is there."""
    yield from _waiting(state, seat, grove)
    yield from ((face, None) for face in changes.gone.get((seat, grove), ()))


def _waiting(state: Tableau, seat: str, grove: int) -> Iterator[tuple[str, str]]:
    """The card that was taken and is to replace one of this column, with its name."""
    contest = state.contest
    replacing = state.flow.step == "replace" and (seat, grove) == (contest.winner, contest.place)
    if replacing and contest.taken is not None:
        yield contest.taken, TAKEN


def _aside(face: str, name: str | None, x: float, y: float, kit: Box, speech: Speech) -> Part:
    """A card that waits for its place, or the ghost of one that is gone."""
    spirit = kit.spirits[face]
    if name is not None:
        lying = symbols.card(spirit, x, y, speech)
        return Part(CARD_HEIGHT, lying, {name: _card_space(x, y)})
    return Part(CARD_HEIGHT, draw("gone", x, y, card=symbols.card(spirit, 0, 0, speech)))


def _named_cards(seat: str, grove: int, column: Sequence[Card]) -> Iterator[tuple[str, int]]:
    """The name of each card of a column, and which one of its face it is."""
    counted: dict[str, int] = {}
    for card in column:
        nth = counted[card.face] = counted.get(card.face, 0) + 1
        yield _card_name(seat, card.face, grove, nth), nth


def _card_name(seat: str, face: str, grove: int, nth: int) -> str:
    return f"{seat}:{face}@{grove}" + (f"#{nth}" if nth > 1 else "")


def _card_words(state: Tableau, seat: str, face: str, grove: int, nth: int) -> Iterator[str]:
    """What a card is called: with its place, with its player, and alone while it may be the one
    that is replaced."""
    name = _card_name(seat, face, grove, nth)
    yield name.removeprefix(f"{seat}:")
    yield name
    due = state.flow.step == "replace" and seat == state.contest.winner
    if due and grove == state.contest.place:
        yield face if nth == 1 else f"{face}#{nth}"


def _within(drawn: Svg, word: str) -> Svg:
    return worded(word, drawn)


def _card(
    name: str, card: Card, x: float, y: float, kit: Box, speech: Speech, *, whole: bool
) -> Part:
    """A card with the tokens on it; of a whole one the lower part is seen beneath them."""
    strip = _card_height(card)
    height = strip - 3 + (FULL_HEIGHT - CARD_HEIGHT if whole else 0)
    drawn = [symbols.card(kit.spirits[card.face], x, y, speech, height)]
    spaces = {name: _card_space(x, y, height)}
    for index, token in enumerate(card.tokens):
        line, place = divmod(index, symbols.TOKENS_PER_LINE)
        left = x + 4 + place * (symbols.TOKEN_WIDTH + 3)
        top = y + CARD_HEIGHT - 2 + TOKEN_LINE * line
        drawn.append(worded(token.label, symbols.token(token, left, top)))
        spaces[token.label] = _token_space(left, top)
    return Part(strip, joined(drawn), spaces)


def _token_space(x: float, y: float) -> Frame:
    return Frame(x, y, symbols.TOKEN_WIDTH, symbols.TOKEN_HEIGHT)


def board(state: Tableau, setting: Setting[Box], speech: Speech) -> Part:
    """The round card and the Groves."""
    drawn = [*_round_card(state, setting)]
    spaces = {"round": Frame(MARGIN, 2, ROUND_WIDTH, GROVE_HEIGHT - 4)}
    for grove in GROVES:
        x = column_x(grove)
        drawn.append(_grove(state, setting.kit, grove, x, speech))
        spaces[f"grove{grove}"] = Frame(x, 2, CARD_WIDTH, GROVE_HEIGHT - 4)
    return Part(GROVE_HEIGHT, joined(drawn), spaces)


def _round_card(state: Tableau, setting: Setting[Box]) -> Iterator[Svg]:
    """Six spaces: by Grove from left to right, each on the side of its player."""
    kit = setting.kit
    yield draw("round", round=state.flow.round)
    if state.flow.first is None:
        return
    for turn in range(1, len(kit.turn_sides) + 1):
        there = _in_turn(state, turn)
        seat = turn_seat(there, setting)
        x = MARGIN + 4 + 18.5 * (active_grove(there, kit) - 1)
        top = 6 if seat == state.seats[-1] else GROVE_HEIGHT - 32
        now = turn == state.flow.turn and phase(state) == "turn"
        fill, colour = (INK, WHITE) if now else (WHITE, INK)
        look = {"fill": fill, "colour": colour, "size": 18 if turn == 1 else 14}
        druid = symbols.DRUIDS[state.players[seat].druid]
        yield draw("turn", x, top, turn=turn, stroke=druid, **look)


def _in_turn(state: Tableau, turn: int) -> Tableau:
    return evolve(state, flow=evolve(state.flow, turn=turn))


def _grove(state: Tableau, kit: Box, grove: int, x: float, speech: Speech) -> Svg:
    land = state.groves[grove - 1]
    active = phase(state) == "turn" and grove == active_grove(state, kit)
    resolving = grove == state.contest.grove and not state.over
    lit = active or resolving
    far, near = state.seats[-1], state.seats[0]
    places = ((far, 20), (None, 46), (near, 72))
    totals = ((far, 24), (near, 79))
    return draw(
        "grove",
        x,
        grove=grove,
        tint=symbols.TINTS[land.animal],
        stroke=YELLOW if lit else INK,
        edge=4.0 if lit else 1.2,
        animal=_animal(land.animal, speech) if land.animal is not None else None,
        lit=draw("lit") if lit else None,
        cubes=[_cube(state, y, holder, held=holder == land.control) for holder, y in places],
        totals=[_total(state, kit, seat, grove, y, speech) for seat, y in totals],
    )


def _animal(animal: str, speech: Speech) -> Svg:
    emblem = symbols.emblem(animal, 39, 37, 13, speech)
    return draw("grove_animal", emblem=emblem, said=speech.term(animal))


def _cube(state: Tableau, y: float, seat: str | None, *, held: bool) -> Svg:
    """The place of the cube on a player's side or in the middle, with the cube if it lies there."""
    fill = "none"
    if held:
        fill = symbols.DRUIDS[state.players[seat].druid] if seat is not None else "#8f8a7d"
    return draw("cube", 104, y, fill=fill, seat=seat if held else None)


def _total(state: Tableau, kit: Box, seat: str, grove: int, y: float, speech: Speech) -> Svg:
    """A player's strength as it stands, its four parts on hover."""
    resolved = phase(state) == "resolve" and grove < state.contest.grove
    settled = resolved or phase(state) == "prepare"
    parts = strength(state, kit, seat, grove)
    said = speech.say("labelled", label=seat, text={**parts._asdict(), "total": parts.total})
    colour = GREY if settled else INK
    return draw("total", 71, y, parts=said, colour=colour, seat=seat, total=parts.total)


# displays


def displays(state: Tableau, kit: Box, speech: Speech) -> Part:
    return stacked([elites(state, kit, speech), venerables(state, kit, speech)])


def elites(state: Tableau, kit: Box, speech: Speech) -> Part:
    drawn = [text(MARGIN, 18, speech.say("picture.elites"), 13, anchor="start", fill=INK)]
    spaces: dict[str, Frame] = {}
    for grove, animal in enumerate(kit.animals, start=1):
        deck, x = state.elites[animal], column_x(grove)
        count = f"{speech.term(animal)} {deck.unseen.size}"
        name = text(x, 18, count, 13, anchor="start")
        drawn.append(worded(animal, name, _face(deck.shown, kit, x, 24, speech, WHOLE)))
        spaces[f"elite {animal}"] = _card_space(x, 24, WHOLE)
    return Part(FULL_HEIGHT + 44, joined(drawn), spaces)


def venerables(state: Tableau, kit: Box, speech: Speech) -> Part:
    unseen = state.venerables.unseen
    only_red = bool(unseen) and unseen <= kit.red_backs
    said = speech.say(f"picture.venerables{'_red' if only_red else ''}", count=len(unseen))
    drawn = [text(MARGIN, 0, said, 13, anchor="start", fill=symbols.RED if only_red else INK)]
    drawn += [draw("no_card", column_x(place), 6, height=WHOLE) for place in GROVES]
    spaces: dict[str, Frame] = {}
    for place, face in enumerate(state.venerables.shown[:3], start=1):
        x = column_x(place)
        drawn.append(worded(face, _face(face, kit, x, 6, speech, WHOLE)))
        spaces[face] = _card_space(x, 6, WHOLE)
    return Part(FULL_HEIGHT + 8, joined(drawn), spaces)


def tokens(state: Tableau, speech: Speech) -> Part:
    return stacked([reserve(state, speech), discard(state, speech)])


def reserve(state: Tableau, speech: Speech) -> Part:
    """A grid of backs; an eye and a letter for whoever has looked."""
    labels = state.tokens.reserve
    said = speech.say("picture.reserve", count=len(labels))
    drawn = [text(MARGIN, 18, said, 13, anchor="start", fill=INK)]
    spaces: dict[str, Frame] = {}
    per_line = 6
    for index, label in enumerate(labels):
        line, place = divmod(index, per_line)
        x, y = MARGIN + place * 72.5, 26 + line * 24
        drawn.append(worded(label, symbols.token(Token(label), x, y)))
        spaces[label] = _token_space(x, y)
        lookers = "".join(s for s, p in state.players.items() if label in p.looked)
        if lookers:
            drawn.append(draw("look", x + symbols.TOKEN_WIDTH + 9, y + 9))
            drawn.append(text(x + symbols.TOKEN_WIDTH + 18, y + 14, lookers, 12, anchor="start"))
    return Part(26 + 24 * -(-len(labels) // per_line) + 4, joined(drawn), spaces)


def discard(state: Tableau, speech: Speech) -> Part:
    """What was used up, and beneath it what was taken off a card and is still to be turned up."""
    heap = state.tokens
    said = speech.say("picture.discard", count=heap.discard.size)
    drawn = [text(MARGIN, 16, said, 13, anchor="start", fill=INK)]
    spaces = {"discard": Frame(MARGIN, 3, 110, 20)}
    for index, value in enumerate(sorted(heap.discard.elements())):
        line, place = divmod(index, 7)
        drawn.append(symbols.token(Token("", value), 128 + place * 42, 22 * line + 3))
    used = max(1, -(-heap.discard.size // 7))
    for index, label in enumerate(heap.loose):
        x, y = 128 + index * 42, 22 * used + 3
        drawn.append(worded(label, symbols.token(Token(label), x, y)))
        spaces[label] = _token_space(x, y)
    return Part(22 * (used + bool(heap.loose)) + 8, joined(drawn), spaces)


def box(state: Tableau, speech: Speech) -> Part:
    """What is out of the game."""
    names = [name.replace(":", " ") for name in state.box]
    lines = [", ".join(names[start : start + 9]) for start in range(0, len(names), 9)] or [""]
    lines[0] = f"{speech.say('picture.box', count=len(names))} {lines[0]}"
    drawn = [
        text(MARGIN, 20 + 17 * index, line, 12, anchor="start") for index, line in enumerate(lines)
    ]
    space = Frame(MARGIN - 2, 7, WIDTH - 2 * MARGIN + 4, 17.0 * len(lines))
    return Part(20 + 17 * (len(lines) - 1), joined(drawn), {"box": space})


def component(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    """A card, wherever it lies, the animal of a Grove, or what is printed on a card."""
    if word in ("bear", "owl", "fox"):
        return Picture(56, 56, symbols.emblem(word, 28, 28, 20, speech))
    if word in symbols.SIGNS:
        return Picture(24, 24, symbols.draw(word, 12, 12, 1.6))
    if word == "destroy":
        return Picture(38, 22, symbols.token(Token(label="", value="destroy"), 2, 2))
    spirit = setting.kit.spirits.get(word.rpartition(":")[2].partition("@")[0])
    if spirit is None:
        return None
    return Picture(CARD_WIDTH, CARD_HEIGHT, symbols.card(spirit, 0, 0, speech))
